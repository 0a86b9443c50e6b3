import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { toJSONSchema } from 'zod/mini';

/** All that is used of the protocol's package and of its zod. In the bundle it is a separate text, which no other command parses. */
export const protocol = { McpServer, StdioServerTransport, serveStdio, toJSONSchema };
