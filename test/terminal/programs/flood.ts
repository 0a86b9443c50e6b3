import { appendFileSync } from 'node:fs';
import { TerminalScreen } from '../../../src/terminal/cell-screen.ts';
import { systemClock } from '../../../src/time/clock.ts';

// A screen that changes all the time, on a real terminal; what happens inside goes to the file named on the command line.
const report = process.argv[2] ?? '';
const note = (word: string): void => appendFileSync(report, `${word}\n`);

const screen = new TerminalScreen({
  stdout: process.stdout,
  stdin: process.stdin,
  clock: systemClock,
  onGone: () => note('gone'),
});
process.stdin.setRawMode?.(true);
process.stdin.on('error', () => {});
process.stdin.resume();
let turn = 0;
screen.onBeforeFrame(() => {
  const { columns, rows } = screen.inkStdout;
  const lines = Array.from(
    { length: rows },
    (_, y) => `\x1b[${31 + ((turn + y) % 6)}m${String(turn * 7 + y).repeat(columns)}`,
  );
  screen.setRegion('all', { x: 0, y: 0, width: columns, height: rows }, lines);
});
screen.start();
setInterval(() => {
  turn += 1;
  note(`beat ${screen.stats.frames} ${screen.stats.skipped}`);
  screen.invalidate('key');
}, 10);
process.on('SIGHUP', () => note('hangup'));
process.on('SIGTERM', async () => {
  await screen.stop();
  note('stopped');
  process.exit(143);
});
