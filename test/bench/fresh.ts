import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulator } from '../support/simulator/server.ts';
import { appTail, isBuilt } from './app.ts';
import { type Figures, percentile } from './figures.ts';
import { type Size, started } from './measures.ts';

type Setting = { figures: Figures; quick: boolean };

const SIZE: Size = { columns: 120, rows: 40 };
const RATE = 10;
const WARM_MS = 6000;
/** How often the screen is looked at, ms: the error of each time. */
const LOOK_EVERY = 2;

/**
 * How long after a row can be read it is on the screen, beside the floor of that: when the next request of the same
 * session could have brought it. The simulator runs in this process, because it knows when a row could be read.
 */
export async function measureFresh({ figures, quick }: Setting): Promise<void> {
  if (!isBuilt()) return;
  const asked: number[] = [];
  const simulator = await startSimulator({
    seed: 7,
    rate: RATE,
    isSteady: true,
    incidents: false,
    onRequest: ({ endpoint }) => {
      if (endpoint === 'logs') asked.push(Date.now());
    },
  });
  const zone = simulator.zones.toSorted((a, b) => b.rate - a.rate)[0];
  if (zone === undefined) throw new Error('the simulated account has no zone');
  const feed = { ...simulator, zone: zone.name, zoneId: String(zone.id), stop: () => simulator.close() };
  const { terminal } = await started(appTail(feed), SIZE);
  try {
    await sleep(WARM_MS);
    const from = Date.now();
    const painted = new Map<number, number>();
    const truth = () =>
      simulator
        .truth(zone.id, from - 60_000, Date.now())
        .filter(({ visibleAt }) => visibleAt > from && visibleAt <= Date.now());
    const waits: number[] = [];
    const floors: number[] = [];
    for (const end = from + (quick ? 6000 : 20_000); Date.now() < end; await sleep(LOOK_EVERY)) {
      const screen = terminal.screen();
      const now = Date.now();
      for (const { at, visibleAt, entry } of truth()) {
        const address = String(entry['remoteIp']);
        if (painted.has(at) || address.includes(':')) continue;
        const time = new Date(at).toISOString().slice(11, 19);
        if (!screen.some((line) => line.includes(time) && line.includes(address))) continue;
        painted.set(at, now);
        waits.push(now - visibleAt);
        floors.push((asked.find((time) => time >= visibleAt) ?? now) - visibleAt);
      }
    }
    for (const p of [50, 90]) {
      const values = { edgescope: percentile(waits, p), 'its next request': percentile(floors, p) };
      figures.add(`row readable → on the screen, p${p}`, 'ms', values, [['edgescope', 'its next request']]);
    }
    figures.add('requests in 10 s, of 30 allowed', '', {
      edgescope: simulator.stats().maxInWindow[String(zone.id)] ?? 0,
    });
    figures.add('requests refused', '', { edgescope: simulator.stats().rateLimited });
  } finally {
    await terminal.close();
    await simulator.close();
  }
}
