import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addEntry, notebookPath } from '../../src/effects/notebook.ts';
import { NOON } from '../support/state.ts';

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'edgescope-notebook-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'state', 'edgescope');
}

test('the first entry of a day makes its notebook, and later ones follow in it', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, '## one\n\n', NOON);
  await addEntry(directory, '## two\n\n', NOON + 1000);
  await addEntry(directory, '## tomorrow\n\n', NOON + 86_400_000);
  assert.equal(path, notebookPath(directory, NOON));
  const text = readFileSync(path, 'utf8');
  assert.match(text, /^# Incident notebook, 2026-11-20 \(UTC\)\n\n[^#]*\n\n## one\n\n## two\n\n$/);
  assert.deepEqual(readdirSync(directory), [
    'edgescope-notebook-2026-11-20.md',
    'edgescope-notebook-2026-11-21.md',
  ]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
});

test('entries of several processes at once are all there', async (t) => {
  const directory = directoryOf(t);
  await addEntry(directory, '## 0\n', NOON);
  await Promise.all(Array.from({ length: 20 }, (_, n) => addEntry(directory, `## ${n + 1}\n`, NOON)));
  const titles = readFileSync(notebookPath(directory, NOON), 'utf8').match(/^## \d+$/gm) ?? [];
  assert.equal(new Set(titles).size, 21);
});

test('an entry that cannot be written whole is taken back', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, '## one\n\n', NOON);
  const before = readFileSync(path, 'utf8');
  const full = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const write = handle.write.bind(handle) as (b: Uint8Array, at: number, n: number) => Promise<unknown>;
    let isFirst = true;
    return Object.assign(handle, {
      async write(data: Uint8Array, at: number) {
        if (!isFirst) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        isFirst = false;
        return write(data, at, 3);
      },
    });
  };
  await assert.rejects(
    addEntry(directory, '## two\n\n', NOON, { mkdir, open: full as typeof open }),
    /no space/,
  );
  assert.equal(readFileSync(path, 'utf8'), before);
});

test('a link in the place of the notebook is not followed', async (t) => {
  const directory = directoryOf(t);
  await mkdir(directory, { recursive: true });
  symlinkSync(join(directory, 'elsewhere'), notebookPath(directory, NOON));
  await assert.rejects(addEntry(directory, '## one\n', NOON), /ELOOP/);
  assert.deepEqual(readdirSync(directory), ['edgescope-notebook-2026-11-20.md']);
});
