import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadResumeState, type ResumeState, saveResumeState } from '../../../src/config/kept/resume-file.ts';
import { parseViews, viewStore } from '../../../src/config/kept/saved-views.ts';
import { findPlace, placeFile } from '../../../src/config/kept/session-places.ts';
import { openTrace } from '../../../src/config/trace.ts';
import { notebookEntry } from '../../../src/domain/handover/notebook.ts';
import { logSheet } from '../../../src/domain/handover/sheet.ts';
import { LogBook } from '../../../src/domain/logs/log-book.ts';
import { addEntry, exportFile, notebookPath } from '../../../src/effects/handover.ts';
import { openJournal } from '../../../src/effects/journal.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { NOON, rowsOf } from '../../support/state.ts';
import { storageZoneOf } from '../../support/storage.ts';
import { DISK_FAULTS, withNthWrite } from './failing-disk.ts';
import type { NthFigures } from './figures.ts';

/** Does its work in the folder, and says what has to hold afterwards however it went. */
type Work = (folder: string) => Promise<() => Promise<void> | void>;

const OWN_FILES = '/proc/self/fd';
const HOST = 'api.example.com';

/** Whatever of the program writes files, and what must hold when one of its writes fails. */
export const FILES: Readonly<Record<string, Work>> = {
  async debug(folder) {
    const trace = openTrace(join(folder, 'trace'), systemClock);
    assert.ok(trace);
    for (let n = 0; n < 6; n += 1) trace.write({ type: 'commanded', command: `c${n}` });
    const lost = trace.close();
    return () => {
      const lines = linesOf(join(folder, 'trace'));
      const whole = lines.filter((line) => isJson(line));
      assert.equal(whole.length + lost, 6, 'each line is there, or counted as lost');
      assert.ok(lines.length - whole.length <= 1);
    };
  },
  async resume(folder) {
    const path = join(folder, 'resume');
    let saved = -1;
    for (let n = 0; n < 3; n += 1) {
      try {
        saveResumeState(path, resumeState(n), true);
        saved = n;
      } catch (error) {
        assert.match(String(error), /ENOSPC|EIO/);
      }
    }
    return async () => {
      const read = await loadResumeState(path);
      assert.ok(read.ok, 'the file is whole');
      assert.equal(read.value?.rows ?? -1, saved);
      assert.deepEqual(readdirSync(folder), saved < 0 ? [] : ['resume']);
    };
  },
  async place(folder) {
    const file = placeFile(folder, HOST);
    let kept: number | null = null;
    for (let n = 0; n < 3; n += 1) {
      try {
        file.write(
          { words: ['logs', `zone-${n}`], utc: true, pausedAt: null, completeTo: n, highlights: [] },
          NOON + n,
        );
        kept = n;
      } catch (error) {
        assert.match(String(error), /ENOSPC|EIO/);
      }
    }
    return async () => {
      const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
      const texts = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
      assert.deepEqual(
        texts.map((each) => each.completeTo),
        kept === null ? [] : [kept],
      );
      assert.deepEqual((await findPlace(folder, NOON)).unusable, []);
    };
  },
  async journal(folder) {
    const journal = openJournal({ directory: folder, host: HOST, isAlive: () => false });
    const seen = storageZoneOf();
    const entry = (id: string) => ({
      id,
      at: NOON,
      zone: { id: seen.id, name: seen.name },
      before: seen,
      patch: { Rewrite404To200: true },
      inverse: { patch: { Rewrite404To200: false }, impossible: [] },
    });
    const [first, closed, second] = [
      await journal.intend(entry('one')),
      await journal.close('one', NOON, { verdict: 'applied' } as never),
      await journal.intend(entry('two')),
    ];
    return async () => {
      const undo = readdirSync(join(folder, 'undo'));
      const isThere = (id: string) => undo.some((name) => name.includes(`_${id}.json`));
      for (const name of undo) assert.ok(isJson(readFileSync(join(folder, 'undo', name), 'utf8')), name);
      assert.deepEqual([isThere('one'), isThere('two')], [first.ok, second.ok], 'no undo without its change');
      const open = (await journal.openIntents(NOON)).map(({ id }) => id);
      const audited = linesOf(join(folder, 'audit.ndjson')).filter(isJson);
      const isJudged = audited.some((line) => line.includes('"verdict"'));
      assert.ok(isJudged || !closed.ok, 'a verdict that was said to be written');
      if (first.ok) assert.equal(open.includes('one'), !isJudged, 'open until its verdict is written');
      if (second.ok) assert.ok(open.includes('two'));
    };
  },
  async notebook(folder) {
    const written: number[] = [];
    for (let n = 1; n <= 3; n += 1) {
      const head = {
        noted: `12:00:0${n}`,
        title: `\`finding ${n}\``,
        from: NOON,
        to: null,
        note: '',
        said: [],
      };
      const entry = notebookEntry(head, [`of 203.0.113.${n}`, '']);
      await addEntry(folder, entry, NOON, { isMasked: true, clock: systemClock }).then(
        () => written.push(n),
        (error) => assert.match(String(error), /ENOSPC|EIO/),
      );
    }
    return () => {
      const names = readdirSync(folder);
      assert.ok(!names.some((name) => /\.(new|tmp)/.test(name)), `left behind: ${names}`);
      const path = notebookPath(folder, NOON);
      const text = names.some((name) => path.endsWith(name)) ? readFileSync(path, 'utf8') : '';
      const found = [...text.matchAll(/^## 12:00:0\dZ `finding (\d)`/gm)].map(([, n]) => Number(n));
      // One whose name on the disk is in doubt is told as failed, and may be there.
      for (const n of written) assert.ok(found.includes(n), `${n} was said to be written`);
      assert.equal(text.split('<!-- timeline -->').length, found.length > 0 ? 2 : 1);
      assert.doesNotMatch(text, /203\.0\.113\.\d/);
    };
  },
  async export(folder) {
    const book = new LogBook({ capacity: 1_000 });
    book.append(rowsOf(0, 40));
    const source = { title: 'logs', command: 'edgescope logs', at: NOON, notes: [] };
    const sheet = logSheet(book, []);
    const job = {
      id: 1,
      path: 'out',
      format: 'csv',
      of: 'view',
      sheet,
      source,
      written: 0,
      since: NOON,
    } as const;
    const signal = new AbortController().signal;
    const outcome = await exportFile(
      job,
      { current: folder, home: folder },
      { clock: systemClock, signal, advanced() {} },
    );
    return () => {
      if (outcome.kind === 'written') assert.equal(linesOf(join(folder, 'out')).length, 41);
      else assert.equal(outcome.kind, 'failed');
      assert.deepEqual(readdirSync(folder), outcome.kind === 'written' ? ['out'] : []);
    };
  },
  async views(folder) {
    const store = viewStore(folder, { clock: systemClock });
    const saved: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const view = {
        name,
        screen: 'logs' as const,
        zone: '1',
        zoneName: 'shop',
        query: 'last:5m',
        rows: false,
      };
      const { failed } = await store.save({ ...view, savedAt: NOON });
      if (failed === null) saved.push(name);
    }
    return () => {
      const names = readdirSync(folder);
      const path = join(folder, 'views.json');
      const read = names.includes('views.json') ? parseViews(readFileSync(path, 'utf8'), path) : null;
      assert.equal(read?.trouble ?? null, null);
      const found = (read?.views ?? []).map(({ name }) => name);
      // One whose name on the disk is in doubt is told as failed, and may be there.
      for (const name of saved) assert.ok(found.includes(name), `${name} was said to be saved`);
      assert.deepEqual(
        names.filter((name) => name !== 'views.json'),
        ['views.lock'],
        'nothing else is left',
      );
    };
  },
};

/** Each write of each of them fails in each way; `every`: only each so many-th place, another first one for each way. */
export async function failNthFileWrites(every = 1): Promise<NthFigures> {
  const figures: NthFigures = { places: 0, failures: [] };
  for (const [name, work] of Object.entries(FILES)) {
    for (const [way, fault] of DISK_FAULTS.entries()) {
      for (let n = 1 + (way % every); ; n += every) {
        const folder = mkdtempSync(join(tmpdir(), 'edgescope-nth-'));
        let isHit = true;
        try {
          let check: () => Promise<void> | void = () => assert.fail('the work never ended');
          isHit = await withNthWrite(n, fault, async () => {
            check = await work(folder);
          });
          await check();
          assert.deepEqual(openIn(folder), [], 'a file is left open');
        } catch (error) {
          figures.failures.push(`${name}, write ${n}, ${fault}: ${String(error).slice(0, 600)}`);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
        if (!isHit) break;
        figures.places += 1;
      }
    }
  }
  return figures;
}

/** What this process holds open in the folder, as far as the system tells. */
function openIn(folder: string): string[] {
  if (!existsSync(OWN_FILES)) return [];
  return readdirSync(OWN_FILES)
    .map((name) => {
      try {
        return readlinkSync(join(OWN_FILES, name));
      } catch {
        return ''; // The listing itself was one of them.
      }
    })
    .filter((path) => path.startsWith(folder));
}

function resumeState(rows: number): ResumeState {
  const time = new Date(NOON + rows).toISOString();
  return {
    edgescope: 'resume',
    version: 2,
    question: { zone: '1', query: '', format: 'ndjson', limit: null },
    from: time,
    to: time,
    doneTo: time,
    rows,
    bytes: 0,
    output: null,
    pending: null,
    isFinished: false,
  };
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
