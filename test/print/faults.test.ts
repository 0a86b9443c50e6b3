import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTrace } from '../../src/config/trace.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';
import type { Fault } from '../support/simulator/faults.ts';
import { bench, settledWindow, ZONE } from './support.ts';

const CANARY = 'canary-key-5f1c9b7d2e';

/** What can go wrong with every request, and the exit code that a script sees; null = whatever it comes to. */
const FAULTS: readonly (readonly [Fault, number | null])[] = [
  [{ kind: 'rateLimited', text: '1' }, 4],
  [{ kind: 'serverError' }, 1],
  [{ kind: 'html' }, 1],
  [{ kind: 'forbidden' }, 3],
  [{ kind: 'unauthorized' }, 3],
  [{ kind: 'redirect' }, 1],
  [{ kind: 'resetBody' }, 1],
  [{ kind: 'gzipGarbage' }, 1],
  [{ kind: 'okError', text: `key ${CANARY} is not welcome` }, 1],
  [{ kind: 'emptyWithMore' }, null],
  [{ kind: 'driftedRows', share: 0.5 }, 0],
  [{ kind: 'badUtf8' }, null],
  [{ kind: 'twins' }, 0],
];

/** Those that answer something else. */
const INSTEAD: readonly string[] = [
  'rateLimited',
  'serverError',
  'html',
  'forbidden',
  'unauthorized',
  'redirect',
  'okError',
];

const FORMATS = ['ndjson', 'csv', 'table'] as const;

test('every fault has its exit code in every command and format, and the key and the secrets are in no output', async (t) => {
  const { sim, printed } = bench({ rate: 5, accessKey: CANARY });
  const directory = ownFolder(t);
  const { args } = settledWindow(2);
  const day = new Date(sim.clock.now() - 1_800_000).toISOString().slice(0, 10);
  const trace = openTrace(join(directory, 'debug'), systemClock);
  assert.ok(trace);
  const commands: readonly { argv: string[]; isLogs: boolean }[] = [
    { argv: ['logs', ZONE, ...args], isLogs: true },
    { argv: ['logs', ZONE, ...args, 'by:ip'], isLogs: true },
    { argv: ['logs', ZONE, ...args, '--resume', join(directory, 'place')], isLogs: true },
    { argv: ['logs', ZONE, '--v1', '--day', day, '--limit', '20'], isLogs: true },
    { argv: ['shield', `shield:${sim.zones[0]?.shieldZoneId}`, 'last:20m', '--limit', '600'], isLogs: false },
    { argv: ['shield', `shield:${sim.zones[0]?.shieldZoneId}`, 'last:20m', 'by:rule'], isLogs: false },
  ];
  let everything = '';
  let runs = 0;
  for (const [fault, code] of [[null, 0], ...FAULTS] as const) {
    for (const { argv, isLogs } of commands) {
      // The simulator makes a whole day before it changes its bytes; what answers instead of them is enough here.
      if (argv.includes('--v1') && fault !== null && !INSTEAD.includes(fault.kind)) continue;
      const host = isLogs ? 'logging' : 'main';
      await sim.setFaults(fault === null ? [] : [{ match: { host }, fault }]);
      for (const format of fault === null ? FORMATS : [FORMATS[runs % FORMATS.length] ?? 'csv']) {
        if (argv.includes('--resume')) rmSync(join(directory, 'place'), { force: true });
        const ended = await printed([...argv, '--format', format]);
        runs += 1;
        if (code !== null) assert.equal(ended.code, code, `${fault?.kind} of ${argv}: ${ended.err}`);
        if (ended.code !== 0) assert.notEqual(ended.err, '', `${fault?.kind} of ${argv} says nothing`);
        for (const event of ended.requests) trace.write({ type: 'requestSeen', event });
        everything += `${ended.out}${ended.err}`;
      }
    }
  }
  trace.close();
  const files = ['debug', 'place'].map((name) => readFileSync(join(directory, name), 'utf8')).join('');
  assert.ok(runs >= 80 && everything.length > 1_000_000 && files.length > 10_000, `${runs} runs`);
  for (const secret of [CANARY, ...sim.secrets]) assert.ok(!(everything + files).includes(secret));
  assert.doesNotMatch(everything + files, /canary-/);
  assert.doesNotMatch(everything, /[?&](?:token|bcdn_token|X-Amz-Signature)=(?!\[masked\])[^&\s"]{3}/);
});

test('a zone that is not there, has no Shield or no logging is told apart', async () => {
  const { printed, sim } = bench();
  const unknown = await printed(['logs', 'shop-fronted']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /nearest: shop-frontend/);
  for (const argv of [
    ['logs', 'legacy-no-logs'],
    ['logs', 'legacy-no-logs', '--follow'],
    ['logs', 'legacy-no-logs', '--v1', '--day', new Date(sim.clock.now()).toISOString().slice(0, 10)],
  ]) {
    const off = await printed(argv);
    assert.equal(off.code, 1);
    assert.match(off.err, /Logging is switched off/);
  }
  for (const argv of [
    ['logs', ZONE, 'from:2099-01-01'],
    ['logs', ZONE, 'by:ip', '--follow'],
    ['logs', ZONE, 'last:1h', '--v1', '--day', '2026-01-01'],
  ]) {
    assert.equal((await printed(argv)).code, 2, String(argv));
  }
});
