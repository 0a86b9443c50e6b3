import { startSimulator } from './simulator/server.ts';
import { say } from './text/say.ts';
import { Secret } from './text/secret.ts';

/** What its rows are a function of; `rate`: rows a second of the busiest zone, null for the usual one. */
type Traffic = { seed: number; rate: number | null; epoch: number };

/** The embedded platform of `--demo`, on free loopback ports. */
export async function startDemo(o: Traffic) {
  const simulator = await startSimulator({ ...o, rate: o.rate ?? undefined });
  return {
    baseUrl: simulator.baseUrl,
    loggingUrl: simulator.loggingUrl,
    originErrorsUrl: simulator.originErrorsUrl,
    storageUrl: simulator.storageUrl,
    credentials: { accessKey: new Secret(simulator.accessKey), token: null },
    close: () => simulator.close(),
  };
}

const FAILED = 1;

const LISTENING_TROUBLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
};

/** `edgescope sim`: serves until it is interrupted; prints its URLs and a key that it accepts. */
export async function runSimulator(o: Traffic & { port: number }): Promise<number> {
  const simulator = await startSimulator({ ...o, rate: o.rate ?? undefined }).catch(
    (error: { code?: string }) => error.code ?? Promise.reject(error),
  );
  if (typeof simulator === 'string') {
    const why = LISTENING_TROUBLES[simulator] ?? 'it cannot be listened on';
    say(
      process.stderr,
      `port ${o.port}: ${why} (${simulator})`,
      'take another --port, or none for a free one',
    );
    return FAILED;
  }
  process.stdout.write(
    [
      `EDGESCOPE_BASE_URL=${simulator.baseUrl}`,
      `EDGESCOPE_LOGGING_URL=${simulator.loggingUrl}`,
      `EDGESCOPE_ORIGIN_ERRORS_URL=${simulator.originErrorsUrl}`,
      `EDGESCOPE_STORAGE_URL=${simulator.storageUrl}`,
      `EDGESCOPE_ACCESS_KEY=${simulator.accessKey}`,
      '',
    ].join('\n'),
  );
  const stopped = Promise.withResolvers<number>();
  process.once('SIGINT', () => stopped.resolve(130));
  process.once('SIGTERM', () => stopped.resolve(143));
  const code = await stopped.promise;
  await simulator.close();
  return code;
}
