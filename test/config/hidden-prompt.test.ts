import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { NO_CREDENTIALS } from '../../src/config/settings/credentials.ts';
import { type Keyboard, promptForKey } from '../../src/config/settings/hidden-prompt.ts';
import { ownFolder } from '../support/own-folder.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** A prompt at which these reads come, one after the other; what it says and does, in order. */
async function prompted(...reads: readonly string[]) {
  return promptedIn('/nonexistent', ...reads);
}

/** The same in a home, where a file of the platform's own CLI may be. */
async function promptedIn(home: string, ...reads: readonly string[]) {
  const told: string[] = [];
  const output = new PassThrough();
  let said = '';
  output.on('data', (text) => {
    said += String(text);
    told.push('words');
  });
  const left = [...reads];
  const keyboard = Object.assign(new EventEmitter(), {
    setRawMode: (isRaw: boolean) => void told.push(isRaw ? 'no echo' : 'echo'),
    resume: () =>
      void setImmediate(left.shift()).then((read) => {
        if (read !== undefined) keyboard.emit('data', Buffer.from(read));
      }),
    pause: () => undefined,
  });
  const clock = new VirtualClock();
  const asked = promptForKey(keyboard as unknown as Keyboard, output, clock, { HOME: home });
  // An Esc stands alone once nothing follows it for a moment.
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  clock.pass(1000);
  const answer = await asked;
  told.push('answer');
  return { answer, told, said };
}

test('nothing is asked before the keyboard stopped to echo, and the echo is back before the answer is given', async () => {
  const { answer, told } = await prompted('some-key-of-an-account\r');
  assert.ok(answer !== 'interrupted' && answer.accessKey !== null);
  assert.deepEqual([told[0], ...new Set(told.slice(1))], ['no echo', 'words', 'echo', 'answer']);
});

test('Esc, an empty line and Ctrl-D go on without a key, and Ctrl-C leaves', async () => {
  for (const read of ['\x1b', '\r', 'half\x04'])
    assert.equal((await prompted(read)).answer, NO_CREDENTIALS, JSON.stringify(read));
  assert.equal((await prompted('half-a-key\x03')).answer, 'interrupted');
});

test('a key that no header carries is refused without being quoted, and asked for again', async () => {
  const { answer, said } = await prompted('canary 5f1c\r', 'wrong\x15\x1b[Dthe-keyx\x7f\rqqqq');
  assert.match(said, /character that no key has, at position 7 of 11/);
  assert.doesNotMatch(said, /canary|the-key/);
  // An arrow is no part of it, Ctrl-U starts again, and what comes behind the Enter is meant for something else.
  assert.equal(answer !== 'interrupted' && answer.accessKey?.reveal(), 'the-key');
});

test('the words lead with the token, offer the file of the CLI where it is, and fit 80 cells', async (t) => {
  const home = ownFolder(t);
  writeFileSync(join(home, '.bunnynet.json'), 'not read');
  const { said } = await promptedIn(home, '\r');
  assert.ok(said.indexOf('EDGESCOPE_TOKEN') < said.indexOf('EDGESCOPE_ACCESS_KEY'));
  assert.ok(said.includes(`--profile bunny:default, with the key in ${home}/.bunnynet.json\n`), said);
  assert.deepEqual(
    said.split('\n').filter((line) => line.length > 80 && !line.includes('bunnynet')),
    [],
  );
  assert.doesNotMatch((await prompted('\r')).said, /bunny/);
});

test('a token that is typed is one, and opens logs alone', async () => {
  const { answer } = await prompted('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl\r');
  assert.ok(answer !== 'interrupted' && answer.token !== null);
  assert.equal(answer.accessKey, null);
});
