import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { KeyInput } from '../../src/terminal/key-input.ts';

const CLICK = '\x1b[<0;12;5M';
const PASTE = `\x1b[200~a${CLICK}b\x1b[201~`;

/** What is left to keys of some reads, and what was reported. */
async function heard(isTaken: boolean, ...reads: string[]) {
  const source = Object.assign(new PassThrough(), { setRawMode: () => {}, ref: () => {}, unref: () => {} });
  const reports: string[] = [];
  const input = new KeyInput(source as never, {
    isTaken: () => isTaken,
    reported: (each) => reports.push(each),
  });
  let keys = '';
  input.setEncoding('utf8').on('data', (text) => {
    keys += text;
  });
  for (const read of reads) {
    source.write(read);
    await new Promise(setImmediate);
  }
  return { keys, reports };
}

test('reports of the mouse are taken out of what is typed, however they are cut, and keys stay as they came', async () => {
  assert.deepEqual(await heard(true, `j${CLICK}k\x1b[<64;1;1Mé`), {
    keys: 'jké',
    reports: [CLICK, '\x1b[<64;1;1M'],
  });
  for (let at = 3; at < CLICK.length; at++)
    assert.deepEqual(await heard(true, `j${CLICK.slice(0, at)}`, `${CLICK.slice(at)}k`), {
      keys: 'jk',
      reports: [CLICK],
    });
  for (const key of ['\x1b', '\x1b[', '\x1b[A', '\x1b[5~', '\x1bOP', '\x1b[27u', '日'])
    assert.deepEqual(await heard(true, key), { keys: key, reports: [] });
});

test('while the mouse is off, and in a paste, what looks like a report is not one', async () => {
  assert.deepEqual(await heard(false, CLICK, PASTE), { keys: CLICK + PASTE, reports: [] });
  for (let at = 1; at < PASTE.length; at++)
    assert.deepEqual(await heard(true, PASTE.slice(0, at), PASTE.slice(at), CLICK), {
      keys: PASTE,
      reports: [CLICK],
    });
});
