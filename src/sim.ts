import { onSignal } from './config/command/exit-codes.ts';
import { SERVERS, type ServerName } from './config/settings/settings.ts';
import { startSimulator } from './simulator/server.ts';
import { say } from './text/say.ts';

const FAILED = 1;

const LISTENING_TROUBLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
};

/** `edgescope sim`: serves until it is interrupted; prints its URLs and a key that it accepts. */
export async function runSimulator(o: Parameters<typeof startSimulator>[0]): Promise<number> {
  const simulator = await startSimulator(o).catch(
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
  const servers = Object.entries(SERVERS) as [ServerName, (typeof SERVERS)[ServerName]][];
  const urls = servers.map(([name, { variable }]) => `${variable}=${simulator[name]}\n`);
  process.stdout.write(`${urls.join('')}EDGESCOPE_ACCESS_KEY=${simulator.accessKey}\n`);
  const stopped = Promise.withResolvers<number>();
  onSignal(stopped.resolve);
  const code = await stopped.promise;
  await simulator.close();
  return code;
}
