/**
 * `npm run test:loaded`: `npm test` again and again beside busy loops, as on a machine that is slow or shared. Three loops
 * for each core leave a job a quarter of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './jobs.ts';

/** Turns now and then to see whether this process still holds its standard input. */
const BUSY = `
process.stdin.on('end', () => process.exit()).resume();
const spin = () => { for (let n = 0; n < 1e8; n++); setImmediate(spin); };
spin();`;

const { values, positionals } = parseArgs({
  options: { loops: { type: 'string', default: '3' }, runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const loops = Array.from({ length: Number(values.loops) }, () =>
  spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'inherit'] }),
);
process.once('exit', () => endAll(loops));
console.log(`${loops.length} busy loops on ${availableParallelism()} cores`);
let green = 0;
for (let run = 1; run <= Number(values.runs); run += 1) {
  const { code, text } = await tested();
  if (code === 0) green += 1;
  else console.log(text.slice(text.indexOf('what failed:')));
  const [took = '', counts = ''] = text.trimEnd().split('\n').slice(-2);
  console.log(`run ${run}: ${code === 0 ? 'green' : 'red'}, ${counts}, ${took}`);
}
console.log(`green ${green} of ${values.runs}`);
process.exit(green === Number(values.runs) ? 0 : 1);

function tested(): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'test', 'run.ts'), ...positionals], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

function endAll(children: readonly ChildProcess[]): void {
  for (const child of children) child.kill('SIGKILL');
}
