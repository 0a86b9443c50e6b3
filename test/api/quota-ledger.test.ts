import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SharedSlots } from '../../src/api/quota-ledger.ts';
import { logLimits, type Priority } from '../../src/api/quota-rule.ts';

const LIMITS = logLimits();
const LANE = 'logs.example 77';
const FILE = join('edgescope', 'quota-1.sqlite');

/** A runtime directory as a session has one, removed afterwards. */
async function inRuntime(work: (directory: string) => void | Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'edgescope-ledger-'));
  try {
    await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function takeAll(slots: SharedSlots, now: number, priority: Priority = 'user'): string[] {
  const taken: string[] = [];
  for (;;) {
    const next = slots.take(LANE, LIMITS, priority, now);
    if (!next.ok) return taken;
    taken.push(next.slot);
  }
}

test('two processes share one budget, and a file that only the user can read', async () => {
  await inRuntime((runtimeDirectory) => {
    const [mine, other] = [new SharedSlots({ runtimeDirectory }), new SharedSlots({ runtimeDirectory })];
    assert.equal(
      existsSync(join(runtimeDirectory, FILE)),
      false,
      'nothing is opened before the first request',
    );
    assert.equal(takeAll(mine, 1_000).length, 24);
    assert.equal(takeAll(other, 1_000).length, 0);
    assert.equal(other.view(LANE, 1_000).used, 24);
    assert.equal(statSync(join(runtimeDirectory, FILE)).mode & 0o777, 0o600);
    assert.equal(statSync(join(runtimeDirectory, 'edgescope')).mode & 0o777, 0o700);
    assert.equal(mine.degraded || other.degraded, false);
  });
});

test('slots are settled, dropped and, after a kill, freed by their lease', async () => {
  await inRuntime((runtimeDirectory) => {
    const [mine, other] = [new SharedSlots({ runtimeDirectory }), new SharedSlots({ runtimeDirectory })];
    const [first = '', second = ''] = takeAll(mine, 1_000);
    assert.equal(other.take(LANE, LIMITS, 'user', 1_000).ok, false);
    mine.settle(first, 5_000);
    mine.drop(second);
    assert.equal(other.view(LANE, 1_000).used, 23);
    assert.equal(other.view(LANE, 5_000).used, 22);
    assert.equal(other.view(LANE, 1_000 + LIMITS.lease).used, 0);
    assert.equal(LIMITS.lease, 30_000);
  });
});

test('a freeze reaches the other processes and is never shortened', async () => {
  await inRuntime((runtimeDirectory) => {
    const [mine, other] = [new SharedSlots({ runtimeDirectory }), new SharedSlots({ runtimeDirectory })];
    other.take(LANE, LIMITS, 'user', 0);
    mine.freeze(LANE, 9_000);
    mine.freeze(LANE, 4_000);
    assert.deepEqual(other.take(LANE, LIMITS, 'user', 5_000), { ok: false, retryAt: 9_000 });
    assert.equal(other.take(LANE, LIMITS, 'user', 9_000).ok, true);
  });
});

test('what another boot left behind does not count', async () => {
  await inRuntime((runtimeDirectory) => {
    const before = new SharedSlots({ runtimeDirectory });
    takeAll(before, 1_000);
    before.freeze(LANE, 60_000);
    before.close();
    const database = new DatabaseSync(join(runtimeDirectory, FILE));
    database.exec("UPDATE boot SET id = 'another boot'");
    database.close();
    const now = new SharedSlots({ runtimeDirectory });
    assert.equal(takeAll(now, 500).length, 24);
  });
});

test('times that no process of this boot can have written do not count either', async () => {
  await inRuntime((runtimeDirectory) => {
    const before = new SharedSlots({ runtimeDirectory });
    takeAll(before, 90_000_000);
    before.freeze(LANE, 90_060_000);
    before.close();
    assert.equal(takeAll(new SharedSlots({ runtimeDirectory }), 5_000).length, 24);
  });
});

const BROKEN: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  'a file of another kind': async (directory) => {
    await mkdir(join(directory, 'edgescope'), { mode: 0o700 });
    await writeFile(join(directory, FILE), 'not a database, but long enough to be looked at'.repeat(100));
  },
  'a directory in place of the file': async (directory) => {
    await mkdir(join(directory, FILE), { recursive: true, mode: 0o700 });
    await chmod(join(directory, 'edgescope'), 0o700);
  },
  'a link in place of the file': async (directory) => {
    await mkdir(join(directory, 'edgescope'), { mode: 0o700 });
    await symlink(join(directory, 'elsewhere'), join(directory, FILE));
  },
};

for (const [name, spoil] of Object.entries(BROKEN)) {
  test(`with ${name} a process keeps to a quarter and says so`, async () => {
    await inRuntime(async (runtimeDirectory) => {
      await spoil(runtimeDirectory);
      const slots = new SharedSlots({ runtimeDirectory });
      assert.equal(takeAll(slots, 1_000).length, 5, 'a sixth is kept for the background');
      assert.equal(slots.take(LANE, LIMITS, 'background', 1_000).ok, true);
      assert.equal(slots.degraded, true);
      assert.equal(slots.view(LANE, 1_000).used, 6);
    });
  });
}

test('a ledger that breaks midway leaves what was sent counted', async () => {
  await inRuntime(async (runtimeDirectory) => {
    const slots = new SharedSlots({ runtimeDirectory });
    for (let each = 0; each < 4; each += 1) slots.take(LANE, LIMITS, 'user', 1_000);
    const database = new DatabaseSync(join(runtimeDirectory, FILE));
    database.exec('DROP TABLE slot');
    database.close();
    assert.equal(takeAll(slots, 1_000).length, 1);
    assert.equal(slots.degraded, true);
  });
});

test('a runtime directory open to others is not trusted, and a fallback of somebody else refused', async () => {
  await inRuntime(async (temporary) => {
    const open = join(temporary, 'open');
    await mkdir(open, { mode: 0o755 });
    await chmod(open, 0o755);
    const slots = new SharedSlots({ runtimeDirectory: open, temporary });
    assert.equal(slots.take(LANE, LIMITS, 'user', 0).ok, true);
    assert.equal(slots.degraded, false);
    assert.equal(existsSync(join(open, 'edgescope')), false);
    const user = process.getuid?.() ?? 0;
    assert.equal(statSync(join(temporary, `edgescope-${user}`)).mode & 0o777, 0o700);
    await chmod(join(temporary, `edgescope-${user}`), 0o777);
    const again = new SharedSlots({ runtimeDirectory: null, temporary });
    again.take(LANE, LIMITS, 'user', 0);
    assert.equal(again.degraded, true);
  });
});
