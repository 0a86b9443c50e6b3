import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { type Keyboard, promptForKey } from '../../src/config/settings/hidden-prompt.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('nothing is asked before the keyboard stopped to echo, and the echo is back before the answer is given', async () => {
  const told: string[] = [];
  const output = new PassThrough();
  output.on('data', () => told.push('words'));
  const keyboard = Object.assign(new EventEmitter(), {
    setRawMode: (isRaw: boolean) => void told.push(isRaw ? 'no echo' : 'echo'),
    resume: () => setImmediate(() => keyboard.emit('data', Buffer.from('some-key-of-an-account\r'))),
    pause: () => undefined,
  });
  const prompted = await promptForKey(keyboard as unknown as Keyboard, output, new VirtualClock());
  told.push('answer');
  assert.equal(prompted.kind, 'key');
  assert.deepEqual([told[0], ...new Set(told.slice(1))], ['no echo', 'words', 'echo', 'answer']);
});
