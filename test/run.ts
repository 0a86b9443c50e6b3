/**
 * `npm test`: the parts of the tests beside each other, so that the tests that compute leave no core idle while those that
 * start programs wait for them. Each part runs alone, too: `npm run test:units`.
 */
import { spawn } from 'node:child_process';

const PARTS = ['test:programs', 'test:units', 'test:rooms'] as const;

const codes = await Promise.all(PARTS.map(run));
const failed = PARTS.filter((_, at) => codes[at] !== 0);
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** The output of a part comes as a whole when it ends. */
function run(part: string): Promise<number | null> {
  const child = spawn('npm', ['run', '--silent', part], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const keep = (data: Buffer) => output.push(data);
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      process.stdout.write(`\n${part}\n${Buffer.concat(output)}`);
      resolve(code);
    }),
  );
}
