/**
 * `npm test`: the parts of the tests beside each other, so that the tests that compute leave no core idle while those that
 * start programs wait for them. Each part runs alone, too: `npm run test:units`.
 */
import { spawn } from 'node:child_process';

/** Parts of one lane run one after the other. What is last to end begins first. */
const LANES = [['test:programs'], ['test:units', 'test:rooms']] as const;

const failed = (await Promise.all(LANES.map(inTurn))).flat();
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function inTurn(parts: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const part of parts) if ((await run(part)) !== 0) failed.push(part);
  return failed;
}

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
