import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notification, notifierOf } from '../../src/text/notification.ts';
import hostile from '../data/hostile-strings.json' with { type: 'json' };
import { feed, newEmulator } from '../terminal/frames.ts';

const TEXT = 'shop: 5xx 41 % of 120 requests in 02:14-02:15Z is above 2 %';

test('each terminal is told in its own way, by what it sets in the environment', () => {
  const told = (env: Parameters<typeof notifierOf>[0]) => notification(TEXT, notifierOf(env));
  assert.equal(
    told({ TERM: 'xterm-kitty' }),
    `\x07\x1b]99;i=edgescope:d=0;edgescope\x1b\\\x1b]99;i=edgescope:p=body;${TEXT}\x1b\\`,
  );
  for (const env of [
    { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' },
    { TERM: 'xterm-256color', LC_TERMINAL: 'iTerm2' },
    { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' },
    { TERM: 'xterm-ghostty' },
  ])
    assert.equal(told(env), `\x07\x1b]9;edgescope: ${TEXT}\x1b\\`, JSON.stringify(env));
  for (const env of [{ TERM: 'rxvt-unicode-256color' }, { TERM: 'xterm-256color' }])
    assert.equal(told(env), `\x07\x1b]777;notify;edgescope;${TEXT}\x1b\\`);
  assert.equal(told({ TERM: 'linux' }), '\x07');
  assert.equal(
    told({ TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0', LC_TERMINAL: 'iTerm2' }),
    `\x07\x1bPtmux;\x1b\x1b]9;edgescope: ${TEXT}\x1b\x1b\\\x1b\\`,
  );
});

test('no text in a notification acts on a terminal or adds a part to it', async () => {
  for (const form of [9, 99, 777] as const)
    for (const { what, input, repeat } of [
      ...hostile,
      { what: 'parts', input: 'a;p=close;4;1', repeat: undefined },
    ]) {
      const emulator = newEmulator(40, 4);
      const text = input ?? `${repeat?.prefix}${repeat?.text.repeat(repeat.times)}`;
      const written = notification(text, { form, isInTmux: false });
      await feed(emulator, `before${written}after`);
      assert.equal(emulator.lines()[0], 'beforeafter', what);
      assert.equal(emulator.events.filter(({ kind }) => kind === 'bell').length, 1, what);
      assert.deepEqual(
        emulator.events.filter(({ kind }) => kind !== 'bell' && kind !== 'osc'),
        [],
        what,
      );
      const parts = written.split(';').length;
      assert.equal(parts, notification('plain', { form, isInTmux: false }).split(';').length, what);
      assert.ok(written.length < 320, what);
      emulator.dispose();
    }
});
