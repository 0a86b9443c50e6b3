import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { bytes } from '../../text/units.ts';
import { MOST_ANSWER } from './engine.ts';
import { StoreFailure } from './store-failure.ts';

/** Bytes of an error that are read, each of which is a text of some lines. */
const MOST_ERROR = 1_000_000;

/** What every agent of Node's does with a request; packages that are agents themselves have relied on it for ten years. */
type Adding = { addRequest(request: ClientRequest, ...how: unknown[]): void };

/**
 * The connections to a ClickHouse, whose client reads whatever comes until memory is gone: an answer is ended where it becomes too
 * large, and at once where it is packed, since none was asked to be and a small one may unpack to any size.
 */
export function boundedAgent({ protocol }: URL, atOnce: number, store: string): Agent {
  const kept = { keepAlive: true, maxSockets: atOnce };
  const agent = protocol === 'https:' ? new TlsAgent(kept) : new Agent(kept);
  const adding = agent as unknown as Adding;
  const add = adding.addRequest;
  adding.addRequest = (request, ...how) => {
    // Before the client hears of it.
    request.prependListener('response', (answer: IncomingMessage) => bound(answer, store));
    add.call(agent, request, ...how);
  };
  return agent;
}

function bound(answer: IncomingMessage, store: string): void {
  const { statusCode = 0, headers } = answer;
  const isError = statusCode >= 300 || headers['x-clickhouse-exception-code'] !== undefined;
  if (headers['content-encoding'] !== undefined) {
    answer.destroy(new StoreFailure('unsure', { store, detail: 'the answer is packed' }));
    return;
  }
  const most = isError ? MOST_ERROR : MOST_ANSWER;
  let left = most;
  const push = answer.push.bind(answer);
  answer.push = (chunk: Buffer | null, encoding) => {
    left -= chunk?.length ?? 0;
    if (left >= 0) return push(chunk, encoding);
    answer.destroy(
      isError
        ? new StoreFailure('unsure', { store, detail: `an error of more than ${bytes(most)}` })
        : new StoreFailure('huge', { store, limit: bytes(most) }),
    );
    return false;
  };
}
