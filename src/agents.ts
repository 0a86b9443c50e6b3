import type { Readable, Writable } from 'node:stream';
import { createClient } from './api/client.ts';
import type { CommandLine } from './config/command/command-line.ts';
import { onSignal } from './config/command/exit-codes.ts';
import type { Connection } from './connect.ts';
import { createBudget } from './mcp/budget.ts';
import { protocol } from './mcp/protocol.ts';
import { serversOf, USUAL_BUDGET } from './mcp/serve.ts';
import { createOutput } from './print/output.ts';
import { FAILED } from './print/printer.ts';
import { withRequestNotices } from './print/request-notices.ts';
import { sanitise } from './text/sanitise.ts';
import { say } from './text/say.ts';
import type { Clock } from './time/clock.ts';

type AgentOptions = {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  clock: Clock;
  line: CommandLine;
  /** What a copied command needs to see the same account. */
  flags: readonly string[];
  version: string;
};

/** `edgescope mcp`: serves until its standard input ends, or a signal does; resolves to the exit code. */
export async function serve(o: AgentOptions, { settings, quota }: Connection): Promise<number> {
  const { line, clock, stderr } = o;
  if (line.write) say(stderr, '--write has no effect here: mcp only reads');
  if (o.stdin.isTTY) say(stderr, 'an agent is waited for on standard input; Ctrl-C ends this');
  const budget = createBudget(line['most-requests'] ?? USUAL_BUDGET);
  const notices: string[] = [];
  // Whatever the command line and the profile say.
  const client = createClient({
    ...settings,
    quota,
    clock,
    allowWrites: false,
    onRequest: withRequestNotices(
      { quota, stderr, clock, told: (words) => void notices.push(words) },
      () => {},
    ),
    over: budget.over,
  });
  const servers = serversOf({
    version: o.version,
    client,
    clock,
    budget,
    notices,
    hasPseudonyms: line.pseudonyms,
    flags: o.flags,
  });
  const ended = Promise.withResolvers<number>();
  onSignal(ended.resolve);
  for (const event of ['end', 'close'] as const) o.stdin.once(event, () => ended.resolve(0));
  let isBroken = false;
  const broken = () => {
    isBroken = true;
    ended.resolve(FAILED);
  };
  // After the reader went away nobody is left to hear it.
  createOutput(o.stdout, clock, (fault) => (fault === null ? ended.resolve(0) : broken()));
  const served = protocol.serveStdio(servers, {
    transport: new protocol.StdioServerTransport(o.stdin, o.stdout),
    onerror(error) {
      say(stderr, `the protocol: ${sanitise(error.message, 'strict', 500)}`);
      if (isFatal(error)) broken();
    },
  });
  const code = await ended.promise;
  await client.close();
  await served.close();
  // Its input may have ended before an answer that could not be written.
  return code === 0 && isBroken ? FAILED : code;
}

/**
 * What the system does not take or give, and a message longer than any may be, whose rest would be read as the next.
 */
function isFatal(error: Error & { code?: unknown }): boolean {
  const isGone = error.code === 'EPIPE';
  return !isGone && (typeof error.code === 'string' || /exceeded maximum size/.test(error.message));
}
