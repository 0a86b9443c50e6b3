import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

/** All that is used of the protocol's own package. In the bundle it is a text of its own, which no other command reads. */
export const protocol = { McpServer, StdioServerTransport, serveStdio };
