import { Readable } from 'node:stream';
import { createClient } from '../../src/api/client.ts';
import { type Dispatchers, TIMEOUTS } from '../../src/api/http/connections.ts';
import { createTransport } from '../../src/api/http/transport.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import type { AnswerTable } from '../../src/domain/inquiry/answer-table.ts';
import { oldestAsked } from '../../src/domain/log-retention.ts';
import { inquiryOf } from '../../src/domain/questions/asked/inquiry-of.ts';
import { readInquiry } from '../../src/effects/read-inquiry.ts';
import { Secret } from '../../src/text/secret.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { type Answered, answererOf, type Scene } from './double/double.ts';

const URLS = {
  main: 'https://api.double.test',
  logging: 'https://logging.double.test',
  originErrors: 'https://origin-errors.double.test',
} as const;

/** Hours that `incidents` is asked about, ms. */
const LONG = 6 * 3_600_000;

export type Judged = { table: AnswerTable; requests: number; failures: number };

/**
 * What `ask wrong` says of a scene of the double, or `ask incidents` of the hours up to it. All but the socket and the waiting is the program's own: the client, its schemas
 * and limits, and the rounds of the question; the quota has no pace here.
 */
export async function judged(scene: Scene, question: 'wrong' | 'incidents' = 'wrong'): Promise<Judged> {
  const { now } = scene;
  const asked = question === 'wrong' ? scene.asked : { from: scene.asked.to - LONG, to: scene.asked.to };
  const client = clientOf(scene);
  const listed = await client.list('zones', { page: 1 });
  const zone = listed.ok ? listed.value.items.find(({ id }) => id === String(scene.zone.id)) : undefined;
  if (zone === undefined) throw new Error(`the double lists no zone ${scene.zone.id}`);
  const shield = await client.shieldZoneOfPullZone(zone.id);
  const shieldZoneId = shield.ok ? shield.value : undefined;
  const about = { subject: 'logs', zones: [{ ...zone, shieldZoneId }], terms: [], range: asked } as const;
  const made = inquiryOf(
    { ...about, question, against: null },
    { now, edge: oldestAsked(now, 'logs'), shieldZoneId, withCauses: true },
  );
  if (!made.ok) throw new Error(made.why);
  const signal = new AbortController().signal;
  const reading = await readInquiry({ client, inquiry: made.inquiry, most: null, signal, said() {} });
  await client.close();
  return { table: made.inquiry.table(), requests: reading.asked, failures: reading.failures };
}

function clientOf(scene: Scene) {
  const { now } = scene;
  const answer = answererOf(scene);
  const clock: Clock = { ...systemClock, now: () => now, wall: () => now };
  const credentials = { accessKey: new Secret('double-key-0123456789'), token: null };
  const request = async (
    url: URL,
    o: { method?: string; headers: Record<string, string>; body: string | null },
  ) => {
    const host =
      (Object.keys(URLS) as (keyof typeof URLS)[]).find((each) => URLS[each] === url.origin) ?? 'main';
    const { method = 'GET', headers, body } = o;
    const given: Answered = answer({ method, host, path: url.pathname + url.search, headers, body }, now);
    const bytes = Readable.from([Buffer.from(given.body)], { objectMode: false });
    const lower = Object.entries(given.headers).map(([name, value]) => [name.toLowerCase(), value]);
    return { statusCode: given.status, headers: Object.fromEntries(lower), body: bytes };
  };
  const dispatchers = {
    request: request as unknown as Dispatchers['request'],
    direct: null as unknown as Dispatchers['direct'],
    proxy: null as unknown as Dispatchers['proxy'],
    begin: () => {},
    destroy: async () => {},
  };
  const urls = { baseUrl: URLS.main, loggingUrl: URLS.logging, originErrorsUrl: URLS.originErrors };
  const transport = createTransport({
    ...{ ...urls, credentials, clock, storageUrl: null, allowWrites: false, proxy: null, timeouts: TIMEOUTS },
    dispatchers: async () => dispatchers,
  });
  return createClient({
    ...{ ...urls, credentials, clock, allowWrites: false },
    quota: createQuota({ factor: 0.000_1 }),
    factor: 0.000_1,
    over: (wire) => ({ ...transport, objection: wire.objection }),
  });
}
