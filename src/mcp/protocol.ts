import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

/** All that is used of the protocol's package. In the bundle it is a separate text, which no other command parses. */
export const protocol = { McpServer, StdioServerTransport, serveStdio };
