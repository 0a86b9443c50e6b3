import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import type { StorageZone, StorageZonePatch } from '../../src/domain/storage/storage.ts';
import { printStorage, type StoragePrinter } from '../../src/print/storage-command.ts';
import { systemClock } from '../../src/time/clock.ts';
import { wordsIn } from '../support/shells.ts';
import { storageZoneOf } from '../support/storage.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { cellsOf } from './support.ts';

const PACKAGE = { name: 'edgescope', version: '0', description: '' };

const HOSTILE_NAMES = [
  "it's",
  "x';touch ran;'",
  "\\';touch ran;\\'",
  '$(touch ran)',
  '`touch ran`',
  '--write',
  '-x y',
  '\x1b]0;owned\x07',
  '\u202egnp',
  'a\nedgescope: APPLIED',
  'Müller',
];

/** What standard error says while this zone is changed. */
async function changed(zone: StorageZone, words: readonly string[]): Promise<string> {
  const usage = readCommandLine(
    ['storage', zone.id, 'set', ...words, `--confirm=${zone.name}`, '--write'],
    import.meta,
    PACKAGE,
  );
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  let err = '';
  let now = zone;
  const client = {
    list: async () => ({ ok: true, value: { items: [zone], page: 1, total: 1, hasMore: false } }),
    takeTurns: async (count: number) => ({
      ok: true,
      value: Array.from({ length: count }, () => ({ release() {} })),
    }),
    storageZone: async () => ({ ok: true, value: now }),
    updateStorageZone: async (_id: string, patch: StorageZonePatch) => {
      const { Custom404FilePath = now.custom404FilePath, Rewrite404To200 = now.rewrite404To200 } = patch;
      now = { ...now, custom404FilePath: Custom404FilePath, rewrite404To200: Rewrite404To200 };
      return { ok: true, value: null };
    },
  };
  const journal = {
    openIntents: async () => [],
    intend: async () => ({ ok: true, value: { undoFile: '/undo' } }),
    close: async () => ({ ok: true, value: null }),
  };
  const printer = {
    format: 'ndjson',
    client,
    writing: { client, journal },
    clock: systemClock,
    onEnd() {},
    write: async () => {},
    stderr: {
      write: (text: string) => {
        err += text;
      },
    },
  } as unknown as StoragePrinter;
  await printStorage(printer, usage.value);
  return err;
}

for (const name of HOSTILE_NAMES) {
  test(`the printed undo of the zone ${JSON.stringify(name)} is one line that a shell and the program read back`, async () => {
    const zone = storageZoneOf({ name, custom404FilePath: `/${name}` });
    const err = await changed(zone, ['Custom404FilePath=/new']);
    assert.match(err, /^[^\p{Cc}\p{Cf}\p{M}]*$/mu);
    const [, undo = ''] = /^edgescope: to undo: (.*)$/m.exec(err) ?? [];
    const [[program, ...argv] = []] = wordsIn('sh', [undo]);
    assert.equal(program, 'edgescope', err);
    const usage = readCommandLine(argv, import.meta, PACKAGE);
    assert.ok(usage.ok, `${usage.ok ? '' : usage.message}: ${undo}`);
    assert.equal(usage.value.write, true);
    assert.deepEqual(usage.value.edit, { draft: { Custom404FilePath: `/${name}` }, confirm: name });
  });
}

test('an undo that no line can hold, or in which a secret would be masked, is left to the screen', async () => {
  for (const path of ['/old\n', '/old?token=CANARY']) {
    const err = await changed(storageZoneOf({ custom404FilePath: path }), ['Custom404FilePath=/new']);
    assert.match(err, /^edgescope: to undo: no command line can hold it; U on the zone takes it back$/m);
  }
});

test('an account without storage zones has the head of their table', async () => {
  const usage = readCommandLine(['storage'], import.meta, PACKAGE);
  assert.ok(usage.ok);
  let out = '';
  const printer = {
    format: 'csv',
    client: {
      list: async () => ({ ok: true, value: { items: [], page: 1, total: 0, hasMore: false } }),
    },
    writing: null,
    clock: new VirtualClock(),
    write: async (text: string) => {
      out += text;
    },
  } as unknown as StoragePrinter;
  assert.equal(await printStorage(printer, usage.value), 0);
  assert.deepEqual(cellsOf(out).slice(0, 3), ['Id', 'UserId', 'Name']);
});

test('whoever may only look changes nothing, whatever the words say, and nothing is asked', async () => {
  const words = ['storage', 'press', 'set', 'Rewrite404To200=true', '--confirm=press', '--write'];
  const usage = readCommandLine(words, import.meta, PACKAGE);
  assert.ok(usage.ok);
  const said: string[] = [];
  const stderr = { write: (text: string) => said.push(text) };
  const printer = { client: {}, writing: null, stderr } as unknown as StoragePrinter;
  assert.equal(await printStorage(printer, usage.value), 2);
  assert.deepEqual(said, ['edgescope: nothing can be changed here; nothing was sent\n']);
});
