import assert from 'node:assert/strict';
import type { Fault } from '../../support/simulator/faults.ts';
import type { Simulator } from '../../support/simulator/server.ts';
import { ended, type Run, type Scene, ZONE } from '../scene.ts';
import type { NthFigures } from './figures.ts';

/** What stands in the place of the n-th answer: no JSON, half of it, JSON of another shape, nothing. */
export const SPOILT = {
  garbage: { kind: 'literal', text: '\u0000\u00ff{[' },
  'half of it': { kind: 'truncatedLength' },
  unclosed: { kind: 'literal', text: '{"data":[{' },
  'another shape': {
    kind: 'literal',
    text: '{"data":7,"Items":7,"rows":7,"groups":7,"logs":7,"hasMore":"x","total":[]}',
  },
  list: { kind: 'literal', text: '[7,null,"x"]' },
  null: { kind: 'literal', text: 'null' },
  'a web page': { kind: 'html' },
} as const satisfies Record<string, Fault>;
export type SpoiltName = keyof typeof SPOILT;

const MINUTE = 60_000;
const AT_ONCE = 6;

/** Each answer that each of these commands reads is spoilt in turn; `screens`: those commands alone. */
export async function failNthParses(
  scene: Scene,
  o: { kinds?: readonly SpoiltName[]; screens?: readonly string[] } = {},
): Promise<NthFigures> {
  const figures: NthFigures = { places: 0, failures: [] };
  const before = (ago: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - ago * MINUTE).toISOString();
  const span = [`from:${before(12)}`, `to:${before(10)}`];
  // Events are few: two minutes may have none, and then nothing could be missing.
  const hour = [`from:${before(70)}`, `to:${before(10)}`];
  const commands: readonly (readonly string[])[] = [
    ['zones'],
    ['logs', ZONE, ...span],
    ['logs', ZONE, ...span, 'by:cache'],
    ['shield', ZONE, ...hour],
    ['shield', ZONE, '--rows', ...hour],
    ['storage'],
    ['storage', 'video-masters'],
    ['keys'],
  ];
  const places: (() => Promise<void>)[] = [];
  for (const args of commands.filter(([screen = '']) => o.screens?.includes(screen) ?? true)) {
    const simulator = await scene.simulate();
    const sound = scene.run({ simulator, args });
    assert.equal(await ended(sound), 0, sound.stderr());
    assert.ok(linesOf(sound.stdout()).length > 0, args.join(' '));
    const asked = simulator.stats().requests;
    for (const name of o.kinds ?? (Object.keys(SPOILT) as SpoiltName[])) {
      for (let n = 1; n <= asked; n += 1) {
        places.push(async () => {
          const own = await scene.simulate({ accessKey: simulator.accessKey });
          const wrong = await spoiltRun(scene, own, { args, name, n }, sound);
          if (wrong !== null) figures.failures.push(`${args.join(' ')}: answer ${n}, ${name}: ${wrong}`);
        });
      }
    }
  }
  figures.places = places.length;
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let next = places.shift(); next; next = places.shift()) await next();
  });
  await Promise.all(lanes);
  return figures;
}

/** What is wrong with what the program made of it; null for nothing. */
async function spoiltRun(
  scene: Scene,
  simulator: Simulator,
  place: { args: readonly string[]; name: SpoiltName; n: number },
  sound: Run,
): Promise<string | null> {
  await simulator.setFaults([{ match: { nth: place.n }, fault: SPOILT[place.name] }]);
  const run = scene.run({ simulator, args: place.args });
  const code = await ended(run);
  const [whole, said] = [new Set(linesOf(sound.stdout())), linesOf(run.stdout())];
  const stated = said.filter((line) => /^\{"_(gap|partial)"/.test(line));
  const rows = said.filter((line) => !stated.includes(line));
  const madeUp = rows.filter((line) => !whole.has(line));
  const isComplete = rows.length === whole.size && madeUp.length === 0;
  const isTold = run.stderr().trim() !== '' || stated.length > 0;
  if (code !== 0 && !isTold) return `exit ${code} without a word`;
  if (code !== 0 && code !== 1) return `exit ${code}: ${run.stderr()}`;
  if (!isComplete && !isTold) return `${rows.length} of ${whole.size} lines, and nothing is said of it`;
  if (madeUp.length > 0 && code === 0 && !isTold) return `made up: ${madeUp[0]}`;
  if (new Set(rows).size < rows.length) return 'a row twice';
  if (code === 0 && stated.length > 0) return 'a gap, and exit 0';
  if (code !== 0 && isComplete) return `all is there, and exit ${code}: ${run.stderr()}`;
  return null;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
