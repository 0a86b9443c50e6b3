import { randomBytes } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { CallOptions, ReadingClient } from '../api/client.ts';
import type { Result } from '../domain/failure.ts';
import { counted } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { createSequence } from '../time/turns.ts';
import { RESULT } from './fence.ts';
import { protocol } from './protocol.ts';
import { type AgentSession, callTool, createPseudonyms, NO_PSEUDONYMS } from './tool-call.ts';
import { INSTRUCTIONS, type PRICED, TOOLS } from './tools.ts';

/** The parts of an agent's session. `version`: of this program. */
type ServerOptions = Pick<AgentSession, 'clock' | 'budget' | 'notices' | 'flags'> & {
  version: string;
  client: ReadingClient;
  hasPseudonyms: boolean;
};

/** Requests of a session by default: the list of zones, and one for each of 60 zones. */
export const USUAL_BUDGET = 61;

/** No tool changes anything; their results come from an open world. */
const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
} as const;

/** Makes servers, of which a connection may take several; what was sent and remembered belongs to the session. */
export function serversOf(o: ServerOptions): () => McpServer {
  const session: AgentSession = {
    ...o,
    guest: createGuests(o.client, o.clock),
    pseudonyms: o.hasPseudonyms ? createPseudonyms() : NO_PSEUDONYMS,
    readBefore: new Set(),
    mark: () => `untrusted-${randomBytes(12).toString('hex')}`,
  };
  // One call after the other, so that each has its own price.
  const inTurn = createSequence();

  return () => {
    const server = new protocol.McpServer(
      { name: 'edgescope', version: o.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    for (const [name, { title, does, price, takes, line }] of Object.entries(TOOLS)) {
      const description = `${does} Price: ${price}.`;
      server.registerTool(
        name,
        {
          title,
          description,
          inputSchema: withJson(z.catchall(takes, z.never())),
          outputSchema: withJson(RESULT),
          annotations: READS,
        },
        async (given, { mcpReq: { signal, _meta, notify } }) => {
          const { requests } = given as z.infer<z.ZodMiniObject<typeof PRICED>>;
          const stop = tellProgress(o, _meta?.progressToken, notify);
          const call = () => callTool(session, line(given), { requests, signal });
          const { text, isError } = await inTurn(call).finally(stop);
          return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text), isError };
        },
      );
    }
    return server;
  };
}

/** A schema as the protocol takes it: one that can be written as a JSON schema. */
function withJson(schema: z.ZodMiniObject) {
  const as =
    (io: 'input' | 'output') =>
    ({ target }: { target: string }) =>
      protocol.toJSONSchema(schema, { target, io }) as Record<string, unknown>;
  const jsonSchema = { input: as('input'), output: as('output') };
  return { '~standard': { ...schema['~standard'], jsonSchema } };
}

/**
 * How often a call reports that it goes on, ms: a client gives up after a silent minute, and the quota may take
 * longer.
 */
const TOLD_EVERY = 5_000;

type Notify = (notification: {
  method: 'notifications/progress';
  params: { progressToken: string | number; progress: number; message: string };
}) => Promise<void>;

/** Reports how many requests were sent, until it is stopped, where the client asked for that. */
function tellProgress(
  { clock, budget, notices }: Pick<ServerOptions, 'clock' | 'budget' | 'notices'>,
  progressToken: string | number | undefined,
  notify: Notify,
): () => void {
  if (progressToken === undefined) return () => {};
  const before = budget.left;
  let progress = 0;
  return clock.every(TOLD_EVERY, () => {
    progress += TOLD_EVERY / 1_000;
    const why = notices.at(-1) ?? 'where none is added, people go first';
    const message = `${counted(before - budget.left, 'request')} sent in ${progress} s; ${why}`;
    // A client that has gone hears nothing, and needs nothing.
    void notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(
      () => {},
    );
  });
}

/** How long lists are kept that hardly change, ms: each question of an agent would pay for them again. */
const KEPT = 5 * 60_000;

/** Answers by request; `at`: ms of the clock. */
type Memory = Map<string, { at: number; answer: Result<unknown> }>;

/** Makes a client for each call of an agent; they share what they remember of the account. */
function createGuests(client: ReadingClient, clock: Clock): (signal: AbortSignal) => ReadingClient {
  const memory: Memory = new Map();

  async function remembered<T>(what: string, ask: () => Promise<Result<T>>): Promise<Result<T>> {
    const known = memory.get(what);
    // The key names the call, so the answer is of its type.
    if (known !== undefined && clock.now() - known.at < KEPT) return known.answer as Result<T>;
    const answer = await ask();
    if (answer.ok) memory.set(what, { at: clock.now(), answer });
    return answer;
  }

  return (signal) => guestClient(client, signal, remembered);
}

/**
 * The calls that read, and no other: whoever is handed this cannot write. Each goes behind what people ask for, is
 * tried twice at most, and ends with the agent's call.
 */
function guestClient(
  client: ReadingClient,
  signal: AbortSignal,
  remembered: <T>(what: string, ask: () => Promise<Result<T>>) => Promise<Result<T>>,
): ReadingClient {
  const asGuest = (c: CallOptions = {}): CallOptions => ({
    retries: Math.min(1, c.retries ?? 1),
    priority: 'guest',
    signal: c.signal === undefined ? signal : AbortSignal.any([signal, c.signal]),
  });
  return {
    list: (name, r, c) => {
      const ask = () => client.list(name, r, asGuest(c));
      return name === 'zones' ? remembered(`zones ${JSON.stringify(r)}`, ask) : ask();
    },
    shieldMapping: (c) => remembered('mapping', () => client.shieldMapping(asGuest(c))),
    shieldZoneOfPullZone: (id, c) =>
      remembered(`shield of ${id}`, () => client.shieldZoneOfPullZone(id, asGuest(c))),
    wafRules: (id, c) => remembered(`rules of ${id}`, () => client.wafRules(id, asGuest(c))),
    shieldSearch: (id, r, c) => client.shieldSearch(id, r, asGuest(c)),
    shieldDay: (id, day, token, c) => client.shieldDay(id, day, token, asGuest(c)),
    storageZone: (id, c) => client.storageZone(id, asGuest(c)),
    logs: (r, c) => client.logs(r, asGuest(c)),
    originErrors: (id, day, c) => client.originErrors(id, day, asGuest(c)),
    changes: (day, token, c) => client.changes(day, token, asGuest(c)),
    statistics: (r, c) => client.statistics(r, asGuest(c)),
    logsV1: (r, c) => client.logsV1(r, asGuest(c)),
    connectToLogs: () => client.connectToLogs(),
    serverTime: (host) => client.serverTime(host),
    logQuota: (id) => client.logQuota(id),
    mainQuota: () => client.mainQuota(),
  };
}
