import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ledgerDirectory } from '../../src/api/quota/ledger-file.ts';
import { limitsOf, type Priority } from '../../src/api/quota/quota-rule.ts';
import { SharedSlots } from '../../src/api/quota/shared-slots.ts';

const LIMITS = limitsOf('log');
const LANE = 'logs.example 77';
const FOLDER = `edgescope-${process.getuid?.() ?? 0}`;
const FILE = join(FOLDER, 'quota-3.sqlite');
/** Longer ago than any slot lives. */
const LONG_AGO = -1_000_000;

/** A place for ledgers, removed afterwards. */
async function inPlace(work: (directories: [string]) => void | Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'edgescope-ledger-'));
  try {
    await work([directory]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A process that shares the ledger. `shift`: how far its clock is ahead of that of the others. */
function sharing(directories: readonly string[], shift = 0): SharedSlots {
  return new SharedSlots({ directories, ahead: () => -shift });
}

/** Makes the ledger, long enough ago that it knows of everybody. */
function age(directories: readonly string[]): void {
  const slots = sharing(directories);
  slots.take('another lane', LIMITS, 'user', LONG_AGO);
  slots.close();
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
  await inPlace((directories) => {
    sharing(directories).view(LANE, 0);
    assert.equal(existsSync(join(directories[0], FILE)), false, 'nothing is opened before the first request');
    age(directories);
    const [mine, other] = [sharing(directories), sharing(directories)];
    assert.equal(takeAll(mine, 1_000).length, 24);
    assert.equal(takeAll(other, 1_000).length, 0);
    assert.equal(other.view(LANE, 1_000).used, 24);
    assert.equal(statSync(join(directories[0], FILE)).mode & 0o777, 0o600);
    assert.equal(statSync(join(directories[0], FOLDER)).mode & 0o777, 0o700);
    assert.equal(mine.degraded || other.degraded, false);
  });
});

test('slots are settled, dropped and, after a kill, freed by their lease', async () => {
  await inPlace((directories) => {
    age(directories);
    const [mine, other] = [sharing(directories), sharing(directories)];
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

test('a slot whose lease was renewed is settled or dropped like any other', async () => {
  await inPlace((directories) => {
    age(directories);
    const [mine, other] = [sharing(directories), sharing(directories)];
    const [first = '', second = '', third = ''] = takeAll(mine, 1_000);
    assert.equal(other.take(LANE, LIMITS, 'user', 1_000).ok, false);
    for (const slot of [first, second, third]) mine.renew(slot, 50_000);
    assert.equal(other.view(LANE, 1_000 + LIMITS.lease).used, 3);
    mine.settle(first, 5_000);
    mine.drop(second);
    assert.equal(other.view(LANE, 1_000).used, 23);
    assert.equal(other.view(LANE, 1_000 + LIMITS.lease).used, 1);
  });
});

test('a freeze reaches the other processes and is never shortened', async () => {
  await inPlace((directories) => {
    age(directories);
    const [mine, other] = [sharing(directories), sharing(directories)];
    for (const slots of [mine, other]) slots.take(LANE, LIMITS, 'user', 0);
    mine.freeze(LANE, 9_000, 0);
    mine.freeze(LANE, 4_000, 0);
    assert.deepEqual(other.take(LANE, LIMITS, 'user', 5_000), { ok: false, retryAt: 9_000, isFrozen: true });
    assert.equal(other.take(LANE, LIMITS, 'user', 9_000).ok, true);
  });
});

test('what another boot left behind does not count', async () => {
  await inPlace((directories) => {
    age(directories);
    const before = sharing(directories);
    takeAll(before, 1_000);
    before.freeze(LANE, 60_000, 1_000);
    before.close();
    const database = new DatabaseSync(join(directories[0], FILE));
    database.exec("UPDATE boot SET id = 'another boot'");
    database.close();
    const now = sharing(directories);
    assert.equal(takeAll(now, 500).length, 24);
  });
});

test('times that no process of this boot can have written do not count either', async () => {
  await inPlace((directories) => {
    age(directories);
    const before = sharing(directories);
    takeAll(before, 90_000_000);
    before.freeze(LANE, 90_060_000, 90_000_000);
    before.close();
    assert.equal(takeAll(sharing(directories), 5_000).length, 24);
  });
});

/** By how much another clock is ahead of that of the others, ms. */
const SHIFTS = [5 * 3_600_000, -5 * 3_600_000, 20_000, -20_000];

for (const shift of SHIFTS)
  test(`a clock that is ${shift / 1000} s ahead frees no slot of others, and holds none of its own for longer`, async () => {
    await inPlace((directories) => {
      age(directories);
      const [mine, other] = [sharing(directories), sharing(directories, shift)];
      const slots = takeAll(mine, 100_100_000);
      assert.equal(slots.length, 24);
      // It opens the ledger, looks into it, and asks again and again.
      for (let at = 100_100_010; at < 100_100_500; at += 70) {
        assert.equal(takeAll(other, at + shift).length, 0);
        assert.equal(other.view(LANE, at + shift).used, 24);
        assert.equal(takeAll(mine, at).length, 0);
      }
      for (const slot of slots) mine.settle(slot, 100_111_000);
      assert.equal(takeAll(other, 100_110_999 + shift).length, 0);
      assert.equal(takeAll(other, 100_111_000 + shift).length, 24);
      assert.equal(takeAll(mine, 100_111_001).length, 0);
      // The lease of what a process left behind that was killed.
      assert.equal(takeAll(mine, 100_111_000 + LIMITS.lease).length, 24);
    });
  });

for (const shift of SHIFTS)
  test(`a freeze by a clock that is ${shift / 1000} s ahead ends when it ends, and nobody waits for ever`, async () => {
    await inPlace((directories) => {
      age(directories);
      const [mine, other] = [sharing(directories), sharing(directories, shift)];
      mine.take(LANE, LIMITS, 'user', 100_100_000);
      takeAll(other, 100_100_000 + shift);
      takeAll(other, 100_100_000 + shift, 'background');
      other.freeze(LANE, 100_160_000 + shift, 100_100_000 + shift);
      assert.deepEqual(mine.take(LANE, LIMITS, 'user', 100_100_001), {
        ok: false,
        retryAt: 100_160_000,
        isFrozen: true,
      });
      assert.equal(mine.view(LANE, 100_159_999).frozenUntil, 100_160_000);
      for (const priority of ['guest', 'background', 'user'] as const)
        assert.equal(mine.take(LANE, LIMITS, priority, 100_160_000).ok, true, priority);
    });
  });

test('setting the time of the system frees no slot and holds none', async () => {
  await inPlace((directories) => {
    age(directories);
    let set = 0;
    const [mine, other] = [0, 0].map(() => new SharedSlots({ directories, ahead: () => set }));
    assert.ok(mine !== undefined && other !== undefined);
    let at = 100_000_000;
    other.take('another lane', LIMITS, 'user', at);
    for (const by of [3_600_000, -7_200_000]) {
      at += 1_000_000;
      assert.equal(takeAll(mine, at).length, 24);
      set += by;
      assert.equal(takeAll(mine, at + 1).length, 0);
      assert.equal(takeAll(other, at + 1).length, 0);
      assert.equal(takeAll(other, at + LIMITS.lease).length, 24);
    }
  });
});

/** Everything that a process can take, in the order of the harm it does. */
function takeBoth(slots: SharedSlots, now: number): number {
  const users = takeAll(slots, now).length;
  // A pause between two background requests is not what is counted here.
  let background = 0;
  for (let at = now; slots.take(LANE, LIMITS, 'background', at).ok; at += LIMITS.spacing) background += 1;
  return users + background;
}

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'garbage in it': (path) =>
    writeFileSync(path, 'not a database, but long enough to be looked at'.repeat(100)),
  'half a head': (path) => writeFileSync(path, 'SQLite format 3\0 and then nothing'),
  'nothing in it': (path) => writeFileSync(path, ''),
  'the tables of another version': (path) => {
    for (const part of ['', '-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
    const database = new DatabaseSync(path);
    database.exec(
      'CREATE TABLE slot (id INTEGER); CREATE TABLE lane (id INTEGER); CREATE TABLE boot (id TEXT)',
    );
    database.close();
  },
  'tables missing': (path) => {
    const database = new DatabaseSync(path);
    database.exec('DROP TABLE slot');
    database.close();
  },
  'its end': (path) => {
    for (const part of ['', '-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
  },
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`a ledger that meets ${name} under eight processes is made anew, and what they sent still counts`, async () => {
    await inPlace((directories) => {
      age(directories);
      const processes = Array.from({ length: 7 }, () => sharing(directories));
      let sent = 0;
      for (const slots of processes)
        for (let each = 0; each < 3; each += 1) sent += slots.take(LANE, LIMITS, 'user', 1_000).ok ? 1 : 0;
      assert.equal(sent, 21);
      damage(join(directories[0], FILE));
      const late = sharing(directories);
      for (const slots of [late, ...processes, late]) sent += takeBoth(slots, 1_100);
      assert.ok(sent <= LIMITS.shown, `${sent} were sent within a window`);
      assert.ok([late, ...processes].every((slots) => !slots.degraded));
      // A window later it is an ordinary ledger again.
      for (const slots of [late, ...processes]) slots.take(LANE, LIMITS, 'user', 1_100 + LIMITS.lease);
      const used = late.view(LANE, 1_100 + LIMITS.lease).used;
      assert.ok(used >= 8, `${used} in one ledger`);
    });
  });
}

test('a slot that was taken in a file that is gone is settled in the one that came after it', async () => {
  await inPlace((directories) => {
    age(directories);
    const slots = sharing(directories);
    const [first, second] = takeAll(slots, 1_000);
    assert.ok(first !== undefined && second !== undefined);
    rmSync(join(directories[0], FILE));
    slots.take(LANE, LIMITS, 'background', 1_001);
    const other = sharing(directories);
    other.take('another lane', LIMITS, 'user', 1_001);
    const before = other.view(LANE, 1_001).used;
    assert.ok(before >= 24);
    slots.drop(first);
    slots.settle(second, 1_500);
    assert.equal(other.view(LANE, 1_001).used, before - 1);
    assert.equal(other.view(LANE, 1_500).used, before - 2);
  });
});

const UNUSABLE: Readonly<Record<string, (directory: string) => void>> = {
  'a directory in place of the file': (directory) => {
    mkdirSync(join(directory, FILE), { recursive: true });
    chmodSync(join(directory, FOLDER), 0o700);
  },
  'a link in place of the file': (directory) => {
    mkdirSync(join(directory, FOLDER), { mode: 0o700 });
    symlinkSync(join(directory, 'elsewhere'), join(directory, FILE));
  },
  'a directory that is open to others': (directory) => {
    mkdirSync(join(directory, FOLDER));
    chmodSync(join(directory, FOLDER), 0o777);
  },
};

for (const [name, spoil] of Object.entries(UNUSABLE)) {
  test(`with ${name} eight processes keep to an eighth each and say so, until it is mended`, async () => {
    await inPlace((directories) => {
      spoil(directories[0]);
      const processes = Array.from({ length: 8 }, () => sharing(directories));
      const sent = processes.reduce((sum, slots) => sum + takeBoth(slots, 1_000), 0);
      assert.ok(sent >= 8 && sent <= LIMITS.shown, `${sent} were sent within a window`);
      assert.ok(processes.every(({ degraded }) => degraded));
      rmSync(join(directories[0], FOLDER), { recursive: true });
      const [first] = processes;
      assert.ok(first);
      first.take(LANE, LIMITS, 'user', 12_000);
      assert.equal(first.degraded, false);
      assert.ok(first.view(LANE, 12_000).used >= 3, 'what it sent alone is in the ledger');
    });
  });
}

test('a place that somebody else took is passed over by all processes alike', async () => {
  await inPlace(async ([directory]) => {
    const [taken, free] = [join(directory, 'taken'), join(directory, 'free')];
    mkdirSync(join(taken, FOLDER), { recursive: true });
    chmodSync(join(taken, FOLDER), 0o755);
    mkdirSync(free);
    const slots = new SharedSlots({ directories: [taken, free], ahead: () => 0 });
    assert.equal(slots.take(LANE, LIMITS, 'user', 0).ok, true);
    assert.equal(slots.degraded, false);
    assert.equal(statSync(join(free, FOLDER)).mode & 0o777, 0o700);
    const stranger = (process.getuid?.() ?? 0) + 1;
    assert.throws(() => ledgerDirectory({ directories: [free], user: stranger }));
  });
});

test('no variable of the environment moves the ledger', () => {
  const usual = ledgerDirectory({});
  const before = { ...process.env };
  Object.assign(process.env, { XDG_RUNTIME_DIR: '/elsewhere', TMPDIR: '/elsewhere', HOME: '/elsewhere' });
  try {
    assert.equal(ledgerDirectory({}), usual);
  } finally {
    for (const name of ['XDG_RUNTIME_DIR', 'TMPDIR', 'HOME']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
});
