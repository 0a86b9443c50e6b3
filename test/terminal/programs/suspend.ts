import { TerminalScreen } from '../../../src/terminal/cell-screen.ts';
import { systemClock } from '../../../src/time/clock.ts';

// `z` suspends, `q` ends; the screen says how often it came back.
const screen = new TerminalScreen({ stdout: process.stdout, stdin: process.stdin, clock: systemClock });
process.stdin.setRawMode(true);
let returns = 0;
const paint = (): void => {
  screen.inkStdout.write(`on screen, returned ${returns}`);
  screen.invalidate('key');
};
screen.start();
paint();
process.stdin.on('data', async (data) => {
  if (data.includes('z')) {
    await screen.suspend();
    returns += 1;
    paint();
  }
  if (data.includes('q')) {
    await screen.stop();
    process.exit(0);
  }
});
