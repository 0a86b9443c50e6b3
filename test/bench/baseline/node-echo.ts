// The floor of any answer to a key on this runtime: one scroll and one row, without any framework.
const FILL = 'x'.repeat(100);
let keys = 0;

process.stdin.setRawMode(true);
process.stdout.write('\x1b[2J\x1b[Hhello-ready');
process.stdin.on('data', (data) => {
  if (data.includes(0x71)) process.exit(0);
  const bottom = process.stdout.rows;
  process.stdout.write(`\x1b[2;${bottom}r\x1b[S\x1b[r\x1b[${bottom}H\x1b[32mHIT\x1b[m ${++keys}${FILL}`);
});
