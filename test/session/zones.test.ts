import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from './support.ts';

test('thousands of zones are read page by page, to the last', async (t) => {
  const { terminal } = await openSession({ t, simulator: { zones: 1200 } });
  await terminal.waitFor(/ of 1,?157 read /);
  for (const row of ['500', '1,?000', '1,?200']) {
    await terminal.type('G');
    await terminal.waitFor(new RegExp(` ${row}/1,?200 `));
    await terminal.settled();
  }
});

test('a picker whose figures stand still writes nothing at all', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor(/ Shield$/m);
  await terminal.type('<:follow>');
  await terminal.waitFor('figures stand still; :follow reads them');
  await terminal.settled(300);
  const written = terminal.output();
  await terminal.pass(60_000);
  assert.equal(terminal.output(), written);
});
