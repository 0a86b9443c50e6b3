// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text.
/** A guard that is taken out of a copy of the program, and the tests that must notice. */
export type PlantedDefect = {
  name: string;
  file: string;
  /** The exact text, which must stand in the file once. */
  find: string;
  put: string;
  tests: readonly string[];
  /** The tests run the program, which must be built first. */
  isBuilt?: true;
};

const TAIL = [
  'test/effects/tail.test.ts',
  'test/effects/tail-faults.test.ts',
  'test/effects/tail-model.test.ts',
];
const TAIL_MODEL = ['test/effects/tail-model.test.ts'];
const PIPE = [
  'test/print/follow.test.ts',
  'test/print/gap-lines.test.ts',
  'test/print/faults.test.ts',
  'test/print/followed.test.ts',
];
const FOLLOWED_ZONES = ['test/print/followed-zones.test.ts'];
const SEVERAL_ZONES = ['test/print/merged-parts.test.ts', 'test/print/several-zones.test.ts'];
const QUOTA = ['test/api/quota.test.ts', 'test/api/quota-ledger.test.ts', 'test/api/retry.test.ts'];
const LENGTHS = ['test/patterns.test.ts', 'test/api/long-texts.test.ts'];
const TEXT = ['test/text/sanitise.test.ts'];
const HOURS = ['test/causes/hours.test.ts'];
const EGRESS = ['test/terminal/styled-text.test.ts', 'test/terminal/egress.test.tsx'];
const HTTP = ['test/api/faults.test.ts', 'test/api/client.test.ts'];
const WRITER = [
  'test/terminal/screen.test.ts',
  'test/terminal/painter.test.ts',
  'test/terminal/stalled-reader.test.ts',
  'test/terminal/modes.test.ts',
];
const NTH = ['test/effects/nth.test.ts'];
const PACKER = ['test/effects/saved-packer.test.ts'];
const GROUPS = ['test/domain/log-group.test.ts'];
const CONTRACT = ['test/api/contract.test.ts', 'test/api/published-answers.test.ts'];
const SIM_CONTRACT = ['test/simulator/contract.test.ts', 'test/simulator/published-clients.test.ts'];
const FORWARDED = ['test/api/forwarded-log.test.ts'];
const SHAPES = ['test/domain/query/path-shape.test.ts'];
const FILTER = ['test/domain/log-filter.test.ts'];
const WORK = ['test/domain/log-work.test.ts'];
const SUMS = ['test/domain/log-stats.test.ts', 'test/domain/log-book-model.test.ts'];
const RENDERS = ['test/terminal/renders.test.ts'];
const DOCTOR = ['test/doctor/doctor.test.ts'];
const AGENTS = ['test/mcp/fence.test.ts', 'test/mcp/session.test.ts', 'test/mcp/tools.test.ts'];
const WRONG = ['test/domain/questions/ask-wrong.test.ts'];
const SPARKS = ['test/state/shield-histogram.test.ts', 'test/domain/shield/shield-buckets.test.ts'];
const CHANGE = ['test/effects/storage-write.test.ts'];
const CAUSES = [
  'test/domain/evidence/cause-field.test.ts',
  'test/state/log-causes.test.ts',
  'test/print/causes.test.ts',
];
const STORED = [
  'test/domain/log-parts.test.ts',
  'test/api/stored-logs.test.ts',
  'test/print/keep-stored.test.ts',
];
const EVIDENCE = [
  'test/domain/evidence/changes.test.ts',
  'test/domain/evidence/diff.test.ts',
  'test/domain/evidence/origin-errors.test.ts',
  'test/domain/questions/evidence.test.ts',
];

const HISTORY_SCREEN = ['test/session/history.test.ts'];
const STORE_SOURCE = ['test/store/log-history.test.ts'];
const STORE = ['test/store/coverage.test.ts', 'test/store/load.test.ts', 'test/store/sql.test.ts'];
const COUNTED = [
  'test/domain/questions/counted.test.ts',
  'test/domain/questions/counted-misses.test.ts',
  'test/domain/questions/counted-through.test.ts',
  'test/print/ask-history.test.ts',
];
const COUNT_ROWS = ['test/domain/count-rows.test.ts'];
const CLICKHOUSE = ['test/store/clickhouse.test.ts'];
const DUCKDB = ['test/store/duckdb.test.ts'];
const KEEP = ['test/print/keep.test.ts'];
const KEPT_STORE = ['test/print/kept-store.test.ts'];
const KEEP_METRICS = ['test/print/keep-metrics.test.ts'];
const SHARED = ['test/print/shared-zones.test.ts'];
const SERVICE = ['test/print/service-manager.test.ts'];
const HISTORY = ['test/print/history.test.ts'];
/** Engines themselves: `npm run test:engines` installs them. */
const ORACLE = ['test/engines/oracle-check.ts'];
const ENGINE_KEEP = ['test/engines/keep-check.ts'];
const ENGINE_SPANS = ['test/engines/spans-check.ts'];
const ENGINE_GRANTS = ['test/engines/grants-check.ts'];
const ENGINE_RETENTION = ['test/engines/retention-check.ts'];

function planted(
  file: string,
  tests: readonly string[],
  table: Readonly<Record<string, readonly [find: string, put: string]>>,
): PlantedDefect[] {
  return Object.entries(table).map(([name, [find, put]]) => ({ name, file, find, put, tests }));
}

export const PLANTED: readonly PlantedDefect[] = [
  ...planted('src/domain/storage/log-parts.ts', STORED, {
    'a stored part is passed over that was uploaded a while after it was closed': [
      'Math.min(...told) - LONGEST_PART - UPLOAD',
      'Math.min(...told) - LONGEST_PART',
    ],
    'a stored part is passed over whose lines came late': [
      '{ from: opened - TAIL_TUNING.lateness, to',
      '{ from: opened, to',
    ],
    'a stored part of the next month is passed over': [
      'const last = range.to + TAIL_TUNING.lateness;',
      'const last = range.to;',
    ],
    'the two hours are believed of a stored part with another name': [
      'const isRuled = RULED.test(file.name) && ',
      'const isRuled = ',
    ],
  }),
  ...planted('src/api/http/origin.ts', STORED, {
    'the password of a storage zone goes wherever the account says': [
      'isPlain && named.host.endsWith(STORAGE_DOMAIN) ? named.origin : null',
      'named?.origin ?? null',
    ],
    'the password of a storage zone goes where a name only ends like the platform': [
      "const STORAGE_DOMAIN = '.bunnycdn.com';",
      "const STORAGE_DOMAIN = 'bunnycdn.com';",
    ],
    'the key of the account goes to a server of files': [
      "if (host === 'storage') return door === undefined ? null : ['accesskey', door.password.reveal()];",
      '',
    ],
  }),
  ...planted('src/api/http/transport.ts', STORED, {
    'an echoed password of a storage zone is shown': [
      'scrub: request.door === undefined ? scrub : scrubberOf(request.door),',
      'scrub,',
    ],
  }),
  ...planted('src/effects/saved/stored-parts.ts', STORED, {
    'fewer bytes than were listed count as the whole part': [
      'const isShort = size < part.length;',
      'const isShort = false;',
    ],
  }),
  ...planted('src/effects/saved/saved-items.ts', STORED, {
    'half a line at the end of a stored part is a row': [
      'if (progress.trouble === null || progress.most === undefined) yield',
      'yield',
    ],
  }),
  ...planted('src/print/keep/keep-stored.ts', STORED, {
    'a stored part of something else than a log counts as read': ['timeless > 0', 'false'],
    'a stored part that has gone is passed over without a word': [
      "if (got.failure.kind !== 'cancelled') lost.push({ part, what: got.failure });",
      '',
    ],
  }),
  ...planted('src/screens/log/painting/log-body.ts', ['test/session/older-windows.test.ts'], {
    'nobody says which command loads what the platform stores': [
      'if (loadingCommand(session, gap) !== null)',
      'if (false)',
    ],
  }),
  ...planted('src/effects/tail/tail-head.ts', ['test/session/older-windows.test.ts'], {
    'a window that ended before what is kept is asked for again and again': ['&& end <= kept', '&& false'],
    'time that is kept no more is asked for when a log is opened': [
      'book.abandon(book.now(localTime(clock)));\n    const now',
      'const now',
    ],
  }),
  ...planted('src/screens/log/painting/log-painting.ts', ['test/session/older-windows.test.ts'], {
    'a window with a gap is called complete': ['report.gaps.length === 0', 'true'],
  }),
  ...planted('src/store/finished-parts.ts', ['test/print/keep-stored.test.ts'], {
    'a stored file that was dropped since counts as loaded': ['gone.mark >= mark &&', 'false &&'],
    'a stored file that has grown counts as loaded': ['missing === of.part.length &&', 'missing !== null &&'],
  }),
  ...planted('src/time/turns.ts', ['test/effects/saved-turns.test.ts'], {
    'a reader keeps the loop to itself': [
      '<= SLICE) return undefined',
      '<= Number.POSITIVE_INFINITY) return undefined',
    ],
  }),
  ...planted('src/effects/saved/saved-lines.ts', ['test/effects/saved-turns.test.ts'], {
    'a chunk of short lines is one piece of work': [
      'end = last - start <= this.#step ?',
      'end = last - start <= Number.POSITIVE_INFINITY ?',
    ],
  }),
  ...planted('src/effects/saved/saved-gzip.ts', ['test/effects/saved-logs.test.ts'], {
    'a stored part may unpack to any size': ['left -= value.length;', 'left -= 0;'],
    'rows before a wrong checksum go uncounted as damage': ['progress.trouble ??= WRONG_SUM;', ';'],
    'what stands behind a gzip stream is not told': ['progress.trouble ??= FOLLOWED;', ''],
    'a gzip file ends with its first member': ['if (isGzip(next)) continue;', 'if (isGzip(next)) return;'],
  }),
  ...planted('src/api/schemas/packed-v1.ts', PACKER, {
    'a secret in a URL is kept': [' || !isKept(start, last) ?', ' ?'],
    'a secret behind a known host is kept': [' || !isKept(start, coder.end()) ?', ' ?'],
    'a secret in a referrer is kept': ['!isClean(bytes, referer, at - 1)', 'false'],
    'what authorized a request may be anything': [' || coder.isOdd(at, last)', ''],
    'a number of any length is exact': [' && at - start <= MOST_DIGITS', ''],
  }),
  ...planted('src/domain/logs/columns/row-coder.ts', PACKER, {
    'what stands behind a short text counts': ['hash ^ (word & maskOf(more))', 'hash ^ word'],
    'a text that begins as another is that one': [' && ends[view.getUint8(at + length)] === 1', ''],
    'the end of a long text is not compared': [' ? length : last;', ' || true ? length : last;'],
    'a text of another batch is guessed': [' || number > (known[column] as number)', ''],
    'the texts of a line that was left stay': ['known[column] = last;', ''],
    'a row has what another batch had there': ['+ row] = number;', '+ row] ||= number;'],
  }),
  ...planted('src/domain/logs/sums/group-sums.ts', GROUPS, {
    'the first time of a group is that of its first row': [
      'if (time < (sums[at + FIRST] as number))',
      'if (sums[at + FIRST] === Number.POSITIVE_INFINITY)',
    ],
    'what missed is counted with what hit': [
      'misses: this.#countOf(group, ORIGIN)',
      'misses: this.#countOf(group, EDGE)',
    ],
    'groups that come when there is no room left lose the sums of the others': [
      '    sums.set(this.#sums);\n',
      '',
    ],
  }),
  ...planted('src/api/history-client.ts', STORE_SOURCE, {
    'a page of the platform and of the store at once': [
      'const rest = { from: stored.to, to: r.to };',
      'const rest = { from: r.from, to: r.to };',
    ],
    'an answer about a part says that it is about all': ['...(isPart ? { part: range } : {}),', ''],
    'a failing store counts as read': [
      'gaps: [gap], read: null, failure };',
      'gaps: [], read: null, failure };',
    ],
  }),
  ...planted('src/store/history-log.ts', STORE_SOURCE, {
    'a store drops its gaps': [
      'return { gaps, here, ...(await history.page(',
      'return { gaps: [], here, ...(await history.page(',
    ],
  }),
  ...planted('src/domain/logs/paged-log.ts', STORE_SOURCE, {
    'rows of the instant that a page of the platform ends in are there twice': [
      'const newer = records.filter(({ timestamp }) => timestamp > to);',
      'const newer = records;',
    ],
    'a page of a store is followed by its last instant again': [
      'after: answer.stored?.next ?? null,',
      'after: null,',
    ],
    'a log read by pages forgets what the store lacks': ['...(answer.stored?.gaps ?? []),', ''],
    'what a failed page was about counts as read': [
      'const done = { from: Math.max(window.from, paging.to), to: window.to };',
      'const done = window;',
    ],
  }),
  ...planted('src/domain/logs/groups/log-group.ts', ['test/domain/log-group.test.ts'], {
    'a group of a store loses the rows that are added to it': [
      'known === undefined ? group : sumOf(known, group)',
      'known ?? group',
    ],
  }),
  ...planted('src/domain/logs/columns/log-columns.ts', ['test/domain/log-group.test.ts'], {
    'rows that a store counted are counted again': ['>= since ? state | bit', '>= 0 ? state | bit'],
  }),
  ...planted('src/store/history-log.ts', STORE_SOURCE, {
    'time that a store alone has is left to the platform': [
      'Math.max(rows.sharedFrom, wholeTo(gaps.filter(isLacking), end))',
      'wholeTo(gaps.filter(isLacking), end)',
    ],
  }),
  ...planted('src/screens/log/group-commands.ts', HISTORY_SCREEN, {
    'rows are added to some of the groups of a store': [
      'const isAll = answer.value.total <= answer.value.groups.length;',
      'const isAll = true;',
    ],
    'the last page of a window is in no group': [
      'const isLast = hasEnded(state);',
      "const isLast = state.session?.report?.status === 'stopped';",
    ],
  }),
  ...planted('src/state/sessions/stored-groups.ts', HISTORY_SCREEN, {
    'a count of a store that lacks time is of the whole window': [
      '1 - timeShared(before, told.gaps.filter(isLacking))',
      '1 - 0 * timeShared(before, told.gaps.filter(isLacking))',
    ],
    'time that a store lacks is drawn as read': [
      '(rest, gap) => without(rest, gap), [before]',
      '(rest) => rest, [before]',
    ],
  }),
  ...planted('src/state/timeline/stored-steps.ts', HISTORY_SCREEN, {
    'the step in which a store ends loses what it counted': ['rows + (stored[part] ?? 0)', 'rows'],
  }),
  ...planted('src/state/sessions/paging.ts', HISTORY_SCREEN, {
    'pages are read though nobody looks at them': [
      'return isFirst || isNearOldest(state, session) || isAddedTo(state, session);',
      'return isFirst || true;',
    ],
    'the pages of a window without an end reach into its tail': [
      'const end = to ?? live?.origin ?? null;',
      'const end = to ?? live?.completeTo ?? null;',
    ],
  }),
  ...planted('src/effects/run.ts', ['test/effects/page.test.ts'], {
    'the platform is asked for all of a long window at once': [
      'Math.max(window.from, to - span)',
      'window.from',
    ],
  }),
  ...planted('src/screens/log/log-screens.ts', ['test/state/handover.test.ts'], {
    'a request is handed over that the platform refuses': [
      'from: Math.max(about.range.from, oldest)',
      'from: about.range.from',
    ],
  }),
  ...planted('src/state/sessions/zone-tails.ts', HISTORY_SCREEN, {
    'what is paged to is held back by a pause': ['book.append(rows, !isPage);', 'book.append(rows);'],
  }),
  ...planted('src/effects/read-window.ts', STORE_SOURCE, {
    'a window drops the gaps of a store': ['item.gaps = stored?.gaps ?? [];', 'item.gaps = [];'],
  }),
  ...planted('src/store/history-log.ts', COUNTED, {
    'what a store counted covers its gaps too': [
      'covered: but.reduce((left, gap) => without(left, gap), [rows.range])',
      'covered: [rows.range]',
    ],
    'rows of a gap are counted all the same': [
      'await history.count({ ...rows, but }, of, signal)',
      'await history.count(rows, of, signal)',
    ],
  }),
  ...planted('src/store/sql/statements.ts', [...STORE, ...COUNTED], {
    'what other functions derived is counted all the same': [
      'if (field === null || (id === STORED_FIELD && !derivedAsNow)) return null;',
      'if (field === null) return null;',
    ],
  }),
  ...planted('src/domain/questions/comparison/ask-comparison.ts', COUNTED, {
    'the rest of a cut list counts for nothing': [
      'unlisted += (total - listed) * weight;',
      'unlisted += (total - total) * weight;',
    ],
    'a field that a store has no column for is called one without values': [
      'lists.some(({ fields }) => !fields.has(id))',
      'false',
    ],
  }),
  ...planted('src/domain/logs/counted/join-counts.ts', COUNT_ROWS, {
    'a value that a cut list leaves out is counted by the others alone': [
      'if (!listed.has(value)) known.delete(value);',
      '',
    ],
    'query strings of two lots are as many as one has': [
      'own?.mostDistinct ?? own?.distinct ?? unlisted',
      'own?.mostDistinct ?? own?.distinct ?? 0',
    ],
    'a part that was given up is what the others have of it': [
      'return lost ?? joinedOnes',
      'return joinedOnes',
    ],
  }),
  ...planted('src/domain/logs/counted/count-rows.ts', COUNT_ROWS, {
    'a list without room for all is called whole': ['this.#isCut = true;', ''],
    'what was told of rows is told again when more came': ['this.#told = null;', ''],
  }),
  ...planted('src/domain/inquiry/held-log.ts', ['test/domain/questions/held-log.test.ts'], {
    'a few rows here stand beside what a store counts': [
      'need.rows !== undefined || need.counts !== undefined',
      'need.rows !== undefined',
    ],
  }),
  ...planted('src/state/sessions/stored-values.ts', ['test/session/stored-values.test.ts'], {
    'top values of a stored window are of the rows read': [
      "return kind === 'counting' || kind === 'store';",
      "return kind === 'counting' && kind === undefined;",
    ],
    'top values are counted though nobody looks at them': ['!areValuesShown(state) || ', ''],
    'a query line offers the values of the rows read': [
      'if (field !== null && offered',
      'if (field === null && offered',
    ],
  }),
  ...planted('src/domain/clients/traffic-profile.ts', COUNTED, {
    'values that are in no list are none': ['size: counts.size + Math.max(0, unlisted)', 'size: counts.size'],
    'rows without a value are among the rest': ['lines += all - field.blank;', 'lines += all;'],
  }),
  ...planted('src/domain/questions/clients/ask-bypass.ts', ['test/domain/questions/bypass-check.test.ts'], {
    'rows that say nothing of a client are none': ['? blank.rows : 0', '? 0 : 0'],
  }),
  ...planted('src/domain/questions/misses/miss-lens.ts', COUNTED, {
    'a page that the list of one window leaves out was not asked for in it': [
      'if (listed.has(value)) continue;',
      'continue;',
    ],
    'what a cut list leaves out of a field is lost': [
      'addCacheSums(others[side], sumOf(timesOf(zone[side])));',
      'addCacheSums(others[side], noCacheSums());',
    ],
  }),
  ...planted('src/domain/questions/misses/miss-lens.ts', COUNTED, {
    'query strings that were not counted are none': [
      "partOfCounts(each, 'queryStrings') !== null",
      "partOfCounts(each, 'values') !== null",
    ],
  }),
  ...planted('src/domain/questions/misses/lens-follow-up.ts', COUNTED, {
    'a value by name is one of the others all the same': [
      'withNamed(of.counts, wanted, met.counts)',
      'of.counts',
    ],
    'nobody is asked which parameter differs': [
      "need.side === 'now' ? exploded",
      "need.side !== 'now' ? exploded",
    ],
  }),
  ...planted('src/domain/inquiry/log-reading.ts', COUNTED, {
    'time that a store lacks counts as read': [
      'window.read.push(...covered);\n    const rows',
      'window.read.push(range);\n    const rows',
    ],
    'rows that a store cannot count are not asked for': ['this.#uncounted.add(zone);', ''],
  }),
  ...planted('src/store/sql/tallies.ts', ORACLE, {
    'the total of a list is that of what is listed': [
      'sum(n) OVER (${of}) AS total',
      'sum(n) OVER (${of} ORDER BY n DESC, v) AS total',
    ],
    'letters of a path are taken as they are': ['pattern.source}/i`', 'pattern.source}/`'],
    'a row on an edge of times is one of the time before': [
      "${column('timestamp')} < ${dialect.time(to)}",
      "${column('timestamp')} <= ${dialect.time(to)}",
    ],
  }),
  ...planted('src/store/sql/query-string-sql.ts', ORACLE, {
    'a page without a query string has one': ['sql`${path} <> ${page}`)} AS d', "sql`${path} <> ''`)} AS d"],
    'a value of a parameter counts each time': [
      'SELECT DISTINCT ${page}, ${dialect.partsOf',
      'SELECT ${page}, ${dialect.partsOf',
    ],
  }),
  ...planted('src/store/noted-coverage.ts', STORE, {
    'time of which nothing was noted counts as read': [
      "if (state === 'read') return [];",
      "if (state === 'read' || state === null) return [];",
    ],
    'a later failure hides what was read': ['return isHere(before) ? before : state;', 'return state;'],
    'what was dropped still counts as read': [
      "state === 'read' || state === 'retention'",
      "state === 'read'",
    ],
    'what goes on under another mark is one stretch': [
      'before?.mark === each.mark && ',
      'before !== undefined && ',
    ],
    'a stretch goes on over time of which nothing was said': [' && each.from <= before.to;', ';'],
    'the gaps of a reading are read': [
      '.reduce<TimeRange[]>(without, [read])',
      '.reduce<TimeRange[]>((all) => all, [read])',
    ],
  }),
  ...planted('src/store/noted-coverage.ts', ['test/print/keep-stored.test.ts'], {
    'notes are written that the engine takes for one': ['longest(notes).map(', 'notes.map('],
  }),
  ...planted('src/store/sql/retention-rules.ts', ['test/store/retention-rules.test.ts'], {
    'a rule that moves rows takes them': ['TO (?:DISK|VOLUME)|RECOMPRESS', 'NEVER'],
    'a rule that is not understood takes nothing': [
      'length === undefined ? now :',
      'length === undefined ? 0 :',
    ],
    'the last row of a day is kept as long as the first': [
      "'toDate(timestamp)': DAY",
      "'toDate(timestamp)': 0",
    ],
  }),
  ...planted('src/store/noted-coverage.ts', ENGINE_RETENTION, {
    'what the engine may have taken is not asked for': ['...taken.map(', '...taken.slice(Infinity).map('],
  }),
  ...planted('src/store/noted-coverage.ts', STORE, {
    'what the engine may have taken still counts as read': [
      'return isHere(before) ? state : before;',
      'return before;',
    ],
  }),
  ...planted('src/store/retention.ts', ENGINE_RETENTION, {
    'rules of a table are not looked at': ['Math.min(to, known ?? from)', 'from'],
    'a table that is not seen has no rules': ["definition === '' ? to : ", ''],
    'a day that has no row any more is whole': [
      'return from < before ? [{ from, to: before }, ...taken] : taken;',
      'return from < before ? [{ from, to: before }] : [];',
    ],
  }),
  ...planted('src/store/retention.ts', ENGINE_GRANTS, {
    'a reader asks what only an owner may see': [
      '(SELECT any(engine_full) FROM system.tables WHERE database',
      '(SELECT any(create_table_query) FROM system.tables WHERE (SELECT count() FROM system.users) > 0 AND database',
    ],
  }),
  ...planted('src/store/expire.ts', ENGINE_RETENTION, {
    'what a file keeps no longer stays read': [
      'await note(engine, underMark([expired], await nextMark(engine, signal)), signal);',
      '',
    ],
  }),
  ...planted('src/print/keep/kept-zone.ts', KEEP, {
    'what is kept no longer is read again and again': [
      "gaps.filter(({ reason }) => reason !== 'expired')",
      'gaps',
    ],
  }),
  ...planted('src/store/load.ts', STORE, {
    'rows are dropped while the store is away': [
      '      onWait(error, pause);',
      '      return undefined as never;',
    ],
  }),
  ...planted('src/store/load.ts', STORE, {
    'equal rows without an id are one': [
      'recent.set(key, (known ?? 0) + 1);',
      'recent.set(key, known ?? 0);',
    ],
    'equal rows without an id are one where they are far apart': [
      'const REMEMBERED = 1_000_000;',
      'const REMEMBERED = 20_000;',
    ],
    'what may count as one is not told': ['record.timestamp <= forgottenTo && ', 'record.timestamp < 0 && '],
  }),
  ...planted('src/print/keep/keep-import.ts', ['test/print/keep-import.test.ts'], {
    'a row that two files have is two': [
      '  for (const [at, { parts }] of streams.entries()) {\n    const numbered = createNumbering({ onForgotten });',
      '  const numbered = createNumbering({ onForgotten });\n  for (const [at, { parts }] of streams.entries()) {',
    ],
  }),
  ...planted('src/store/noted-coverage.ts', STORE, {
    'files that follow each other leave a gap between them': [
      'each.to - each.from < JOINT &&',
      'each.to - each.from < 0 &&',
    ],
    'time of which nothing is known is imported': ['each.to - each.from < JOINT &&', ''],
    'time between two readings is imported': ["beside.includes('imported')", 'true'],
  }),
  ...planted('src/store/engines/clickhouse.ts', CLICKHOUSE, {
    'a question that nobody waits for goes on at the server': ['if (ended.aborted) endAtServer(id);', ''],
    'a server that says nothing is waited for': ['limits.seconds * 1000 + GRACE', '100 * GRACE'],
    'a write that was not confirmed ends the program': [
      "failure instanceof StoreFailure && failure.kind === 'slow'",
      "failure instanceof StoreFailure && failure.kind === 'absent'",
    ],
    'a cluster confirms what is still on its way': [
      'distributed_foreground_insert: 1',
      'distributed_foreground_insert: 0',
    ],
    'whoever answers is taken for the server': [
      "if (said === undefined) return 'the answer names no query';",
      'if (said === undefined) return null;',
    ],
    'an answer to another query confirms a write': ['said === id ? null', "said !== '' ? null"],
    'fewer rows are confirmed than were sent': ['return rows >= sent ? null', 'return rows >= 0 ? null'],
    'a summary without rows confirms a write': [
      "if (rows === undefined) return 'the answer does not say what was written';",
      'if (rows === undefined) return null;',
    ],
    'an empty answer of anybody is one without rows': [
      'const doubt = doubtOf(headers, id);',
      'const doubt = null as string | null;',
    ],
    'a server takes a block for one that it had': [
      'insert_deduplication_token: id,',
      "insert_deduplication_token: 'always',",
    ],
    'a server gathers rows by itself': ['async_insert: 0,', ''],
    'a write counts before most replicas have it': ['...(access.quorum ? ON_QUORUM : {}),', ''],
    'a replica that lags answers': ['...(quorum ? AFTER_QUORUM : {}),', ''],
    'who closes waits until the server hears of it': [
      'clock.after(LONGEST_KILL, ',
      'clock.after(100 * GRACE, ',
    ],
  }),
  ...planted('src/store/engines/clickhouse.ts', CLICKHOUSE, {
    'a disk that fills up ends the program': ['NO_ROOM.test(error.message)', 'error.message === store'],
    'an error says the password': ['left.replaceAll(secret, MASK)', 'left'],
    'an error says the password as it was sent': [
      "return [secret, encodeURIComponent(secret), sent.toString('base64'), sent.toString('base64url')];",
      'return [secret, encodeURIComponent(secret)];',
    ],
  }),
  ...planted('src/store/engines/clickhouse.ts', CLICKHOUSE, {
    'an answer may take all memory': ['if (left >= 0) return push', 'if (left >= 0 || !isError) return push'],
    'an error may take all memory': ['if (left >= 0) return push', 'if (left >= 0 || isError) return push'],
    'an answer is unpacked to any size': [
      "headers['content-encoding'] !== undefined",
      "headers['x-none'] !== undefined",
    ],
  }),
  ...planted('src/files/changeable.ts', DUCKDB, {
    'what a group may write is trusted': ['const OTHERS_WRITE = 0o022;', 'const OTHERS_WRITE = 0o002;'],
    'what another user owns is trusted': ['uid !== user && uid !== 0', 'uid !== user && uid < 0'],
    'a folder with the sticky bit is trusted': [
      '(mode & OTHERS_WRITE) === 0 ?',
      '(mode & OTHERS_WRITE) === 0 || (mode & 0o1000) !== 0 ?',
    ],
    'a folder above is trusted': ['if (above !== null) return above;', ''],
    'a link is trusted': ['if (found.isSymbolicLink())', 'if (path === COMMANDS)'],
  }),
  ...planted('src/store/engines/duckdb-module.ts', DUCKDB, {
    'DuckDB is looked for in every folder above': [
      '  if (folder === undefined) return null;',
      "  if (folder === undefined) return createRequire(join(folders[0] ?? '', 'any.js'))(PACKAGE.join('/'));",
    ],
    'what others could have put there is run': [
      'if (detail !== null) throw',
      'if (detail === packages) throw',
    ],
  }),
  ...planted('src/store/engines/duckdb.ts', DUCKDB, {
    'everybody may read a file of DuckDB': ['process.umask(0o077);', ''],
    'everybody may still read a file of DuckDB': ['chmodSync(path, 0o600);', ''],
    'a file is opened that others could replace': [
      'if (detail !== null) throw',
      'if (detail === store) throw',
    ],
    'an answer of DuckDB may take all memory': ['if (bytes > MOST_ANSWER) throw', 'if (bytes < 0) throw'],
  }),
  ...planted('src/store/noted-coverage.ts', ENGINE_KEEP, {
    'a drop has a mark that others have': ['Number(rows[0]?.[0] ?? 0) + 1', 'Number(rows[0]?.[0] ?? 0) - 1'],
  }),
  ...planted('src/store/sql/spans.ts', ENGINE_SPANS, {
    'what is read at the moment of a drop outranks it': [
      "state IN ('retention', 'expired') THEN 1 ELSE 0",
      "state IN ('retention', 'expired') THEN 0 ELSE 1",
    ],
    'what was read before a drop is one with what was read since': [
      'PARTITION BY pullZoneId, era, kind',
      'PARTITION BY pullZoneId, kind',
    ],
    'reasons that another one parts are one': [
      "kind = '' THEN max(till) OVER one",
      "kind = '' THEN max(till) OVER earlier",
    ],
    'the rows of a gap are forgotten where another follows': ['    sql`max(missing) OVER one < 0`,\n', ''],
    'a shorter note takes the place of a longer one': ['greatest(till, excluded.till)', 'excluded.till'],
    'time goes on over what nobody noted': ['    sql`since <= CASE', '    sql`0 <= CASE'],
  }),
  ...planted('src/store/upgrade.ts', ENGINE_SPANS, {
    'what was dropped of all zones is not dropped of an upgraded one': ["['', ...zones]", 'zones'],
  }),
  ...planted('src/print/keep/store.ts', ENGINE_KEEP, {
    'what is loaded while days are dropped counts as read': [
      '  // And again, of what was loaded meanwhile.\n  await noteDropped();',
      '',
    ],
  }),
  ...planted('src/store/sql/schema.ts', ENGINE_KEEP, {
    'an upgraded store keeps the tables of an older version': [
      '...former.map(',
      '...former.slice(Infinity).map(',
    ],
  }),
  ...planted('src/store/engines/duckdb.ts', ['test/store/duckdb.test.ts'], {
    'a batch that found no room stays half': [
      'await execute(connection, sql`ROLLBACK`).catch(() => {});',
      '',
    ],
  }),
  ...planted('src/store/sql/sql.ts', STORE, {
    'a name stands in a statement as it came': [
      "if (!isName(of)) throw new RangeError('not a plain name');",
      '',
    ],
  }),
  ...planted('src/print/keep/kept-zone.ts', KEEP, {
    'time is noted before its late rows can be there': [
      'known?.watermark ?? notedTo',
      'known?.completeTo ?? notedTo',
    ],
    'the past is read up to now, where rows are still to come': [
      'Math.floor(this.#now()) - TAIL_TUNING.lateness)',
      'Math.floor(this.#now()))',
    ],
  }),
  ...planted('src/print/keep/kept-zone.ts', KEEP, {
    'old time counts as read while its rows can still come': [
      'to: Math.min(part.range.to, settledTo)',
      'to: part.range.to',
    ],
    'old time that could still get rows is not read again': [
      'if (this.#unsettledTo !== null && !signal.aborted)',
      'if (this.#unsettledTo === 0 && !signal.aborted)',
    ],
    'a suspended zone is asked as often for ever': ['Math.min(LONGEST_REST, this.#rest * 2)', 'REST'],
    'the tail goes on asking for a suspended zone': ['if (isOver) own.abort();\n        else this', 'this'],
    'each try in vain is told': ['if (length > NOTED && this.#failure === null)', 'if (length > NOTED)'],
  }),
  ...planted('src/print/keep/kept-store.ts', KEEP, {
    'time is noted without its rows': ['if (rows.count > 0) await engine.put(rows);', ''],
    'what each zone hands over is a write of its own': ['end < 0 ? handed.length : end', '1'],
  }),
  ...planted('src/print/keep/keep-follow.ts', KEEP, {
    'a keep has as few zones as a log that is read as one': ["'', Number.POSITIVE_INFINITY)", "'')"],
  }),
  ...planted('src/print/keep/kept-store.ts', KEPT_STORE, {
    'rows are written as often as they are handed over': [
      'if (rowsOf(handed) < ROWS_AT_ONCE)',
      'if (rowsOf(handed) > ROWS_AT_ONCE)',
    ],
    'any number of rows may wait for a slow store': [
      'while (waiting() > mostWaiting)',
      'while (waiting() < 0)',
    ],
    'rows that were handed over count as written': ['unwritten += countOf(rows.rows);', ''],
    'rows that are written wait for ever': ['unwritten -= rowsOf(batch);', ''],
    'the tail with fewest rows gives up': ['b.rows() - a.rows()', 'a.rows() - b.rows()'],
    'a slow store is told of each time': ['now - slowToldAt < SLOW_TOLD_EVERY', 'false'],
    'a zone is told what was noted of another': ["each.zone === '' || each.zone === zone", 'true'],
    'zones that wait for the store are told nothing where it fails': [
      '[...all, ...asked.splice(0)]) told.reject',
      '[]) told.reject',
    ],
  }),
  ...planted('src/print/keep/exposition.ts', KEEP_METRICS, {
    'a name ends the line of a sample': [".replaceAll('\\n', '\\\\n')", ''],
    'a name ends its quotes': [".replaceAll('\"', '\\\\\"')", ''],
  }),
  ...planted('src/print/keep/keep-follow.ts', KEEP_METRICS, {
    'a page in a browser reads the figures': ["!isOfMachine(headers.host ?? '')", 'false'],
  }),
  ...planted('src/print/keep/kept-figures.ts', KEEP_METRICS, {
    'a standby says that it reads nothing': ['isKept ? Number(isFollowed) : null', 'Number(isFollowed)'],
    'a zone that was never asked about has no lag': ['lag === null ? null', 'lag === null ? 0'],
  }),
  ...planted('src/print/keep/service-manager.ts', SERVICE, {
    'who tells systemd sees the key': ['env: { NOTIFY_SOCKET: socket }, ', ''],
    'a name is an assignment of its own': [".replaceAll('\\n', ' ')", ''],
  }),
  ...planted('src/print/keep/keep-follow.ts', SERVICE, {
    'a keep that hears nothing gives signs of life': [
      'if (o.clock.monotonic() - heardAt(kept) < SILENT_MOST)\n',
      'if (heardAt(kept) >= 0)\n',
    ],
    'a service is ready before its store answered': [
      'await store.check();\n    tellManager(o, kept, signal);',
      'tellManager(o, kept, signal);\n    await store.check();',
    ],
  }),
  ...planted('src/print/keep/kept-store.ts', SERVICE, {
    'a keep whose store is away gives no sign of life': [
      'onWait({ message, kind }) {\n            heardAt = o.clock.monotonic();',
      'onWait({ message, kind }) {',
    ],
  }),
  ...planted('src/print/keep/keep-follow.ts', SHARED, {
    'the zones of a keeper that is stopped stay its own until its leases end': [
      'await store.leave(lease).catch(() => {});',
      '',
    ],
  }),
  ...planted('src/store/leases.ts', SHARED, {
    'a lease outlives its owner by minutes': ['const HELD = 15_000;', 'const HELD = 150_000;'],
    'a claim is a lease at once': [
      'const isOwn = last?.owner === owner;',
      'const isOwn = last === null || last.owner === owner;',
    ],
    'whoever claims a zone has it': [
      'const isOwn = last?.owner === owner;',
      'const isOwn = leases.some((each) => each.zone === zone && each.owner === owner);',
    ],
  }),
  ...planted('src/print/keep/keep-follow.ts', SHARED, {
    'a zone that another has is read on': ['if (!isHeld) runs.get(zone.id)?.stop();', ''],
  }),
  ...planted('src/time/turns.ts', ['test/time/places.test.ts'], {
    'a place that is given back twice is two': ['if (isTaken) give();', 'give();'],
    'there is a place for everybody': ['if (free > 0) free -= 1;', 'if (free > -9) free -= 1;'],
  }),
  ...planted('src/domain/tail/tail-pace.ts', ['test/domain/tail-pace.test.ts'], {
    'a head that nobody looks at reads rows twice': ['if (!tuning.again) return 0;', ''],
    'rows gather to more than an answer holds': ['(o.page * GATHERED) / o.rate', 'tuning.gather'],
  }),
  ...planted('src/print/logs-command.ts', HISTORY, {
    'groups of a store are cut before those of the platform are added': [
      'const isAll = rest.from >= rest.to;',
      'const isAll = rest.from >= 0;',
    ],
  }),
  ...planted('src/print/logs/stored-window.ts', HISTORY, {
    'a store that does not count leaves no gap': [
      'gaps: reading.zones.map(({ zone }) => named(',
      'gaps: reading.zones.slice(Infinity).map(({ zone }) => named(',
    ],
    'a store that failed is no failure': ['return failures.code;', 'return 0;'],
  }),
  ...planted('src/print/logs/log-window.ts', HISTORY, {
    'a gap that goes on to the end is not told': ['if (held.length > 0) yield', 'if (held.length < 0) yield'],
    'gaps are told late where the reading may stop': [
      'stored?.isJoined ? joinedGaps(merged) : merged',
      'stored ? joinedGaps(merged) : merged',
    ],
  }),
  ...planted('src/store/sql/text-terms.ts', ORACLE, {
    'letters beyond ASCII that become ones of it are forgotten': [
      'wanted.some((each) => each.includes(letter)) ?',
      'wanted.length < 0 ?',
    ],
  }),
  ...planted('src/store/sql/dialect.ts', ORACLE, {
    'an underscore is any sign': ['/[\\\\%_]/g', '/[\\\\%]/g'],
    'words in the place of an address are one group in ClickHouse': [
      'CAST(sipHash128(${word}) AS IPv6)',
      '${bytes}',
    ],
    'words in the place of an address are one group in DuckDB': [
      "encode(concat(repeat(' ', 17), ${word}))",
      '${bytes}',
    ],
    'the last run of zeros of an address is left out': [
      'split_part(g, ${run}, 1)',
      'split_part(g, ${run}, 2)',
    ],
  }),
  ...planted('src/store/sql/addresses.ts', ORACLE, {
    'an address that lost its end is compared whole': [
      "anonymisation === 'lastOctet' ? keptNetwork(network) : network",
      'network',
    ],
    'a logged word is no address that is asked for': ['    sameSql(word, wanted),\n', ''],
    'all of IPv4 lies in the widest network of IPv6': ['return holdsV4 ?', 'return from === to ?'],
    'what a star stands for is no address': [
      'STARRED.filter((bits) => bits < each.prefix)',
      'STARRED.slice(Infinity)',
    ],
  }),
  ...planted('src/store/sql/stored-row.ts', STORE, {
    'an address comes back as another way to write it': [' && printNetwork(network) === logged', ''],
  }),
  ...planted('src/store/sql/stored-columns.ts', STORE, {
    'an id comes back as the digits of another': [
      'this.texts.requestId.codes[at] = this.texts.requestId.placeOf(id);',
      '',
    ],
    'a row that another batch has no room for is lost': [
      'column.codes[first + at] = places[taken[from + at]',
      'column.codes[first + at] = places[taken[at]',
    ],
  }),
  ...planted('src/store/engines/duckdb.ts', ORACLE, {
    'a text ends at its first zero': ["if (words.some((word) => word.includes('\\0')))", 'if (false)'],
    'rows of a time that has some are held against nothing': ['<= newest);', '< 0);'],
    'equal rows of a batch are two': [
      'if (known > 0 && !isSame(known - 1, row)) continue;',
      'if (known > 0) continue;',
    ],
  }),
  ...planted('src/store/upgrade.ts', ENGINE_KEEP, {
    'what the engine took by the rules of a former table is there': [
      '    await noteTaken(engine, signal);\n',
      '',
    ],
    'a store that is half upgraded is read': ['  await engine.run(upgradeBegun(place), signal);\n', ''],
  }),
  ...planted('src/store/sql/dialect.ts', ORACLE, {
    'copies of a row are counted': ['sql`${table} FINAL`', 'table'],
  }),
  ...planted('src/store/sql/statements.ts', ORACLE, {
    'rows of one instant are lost between two pages': [
      'sql`${time} <= ${first} AND (${sides[0]}) < (${sides[1]})`',
      'sql`${time} < ${first}`',
    ],
  }),
  ...planted('src/domain/logs/sums/traffic-meter.ts', SUMS, {
    'the last row of a run is not summed': ['row < from + count; row++', 'row < from + count - 1; row++'],
    'what is new is summed by what was known': [' || version !== this.#version', ''],
    'a code that is given away again keeps its meaning': [
      'a.size + a.freed + b.size + b.freed',
      'a.limit + a.freed + b.limit + b.freed',
    ],
  }),
  ...planted('src/domain/logs/filter/log-filter.ts', FILTER, {
    'rows that come are asked with values that nobody asked about': [
      'if (this.share !== null) this.#answerChunk(this.#columns.states.length - 1);',
      '',
    ],
    'the later half of a block that was split is never asked': [
      "this.#blocks = this.#order.blocks.filter((each) => each.decision !== 'made');",
      'this.#blocks = [];',
    ],
    'the rows before the reader are not there first': ['(this.#before === 0 || this.#isTurn)', 'true'],
  }),
  ...planted('src/domain/logs/order/log-order.ts', ['test/domain/packed-rows.test.ts'], {
    'a page of history stands before a row of the same time that was there': [
      'each < newest || each >= limit',
      'each < newest || each > limit',
    ],
    'the rest of a block that a page of history divides is lost': [
      'run.push(splitOff(block, position));',
      'splitOff(block, position);',
    ],
  }),
  ...planted('src/domain/logs/order/log-order.ts', FILTER, {
    'rows that matched the filter before match until they are asked': [
      'this.#columns.setState(slot, this.#columns.state(slot) & ~MATCHES);',
      '',
    ],
    'rows are summed before they are asked': ["if (block.decision === 'due') return sum;", ''],
    'rows are counted before they are asked': ["if (block.decision !== 'due') {", 'if (true) {'],
  }),
  ...planted('src/domain/logs/order/block.ts', FILTER, {
    'rows that stand apart are taken for neighbours': [
      'block.isRun &&= position',
      'block.isRun ||= position',
    ],
    'half of a block that nobody asked is taken for asked': ['  later.decision = block.decision;\n', ''],
  }),
  ...planted('src/domain/query/path-shape.ts', SHAPES, {
    'a shape is of any length': ['if (shape.length + end - done > LONGEST)', 'if (end < 0)'],
    'the cut stands behind the bound': ['LONGEST - CUT.length)', 'LONGEST)'],
    'a segment is read whatever its length': ['segment.length <= LONGEST_READ;', 'segment.length > 0;'],
    'the digits of an escape are a number': ['ESCAPE = /%[0-9a-f]{2}/iy;', 'ESCAPE = /%%/iy;'],
    'a file extension is folded': ['IS_EXTENSION.test(text.slice(dot + 1, dot + 7)) ? dot', 'dot < 0 ? dot'],
    'a version is folded': ['if (turns < 4 && VERSION.test(word)) return word;', ''],
    'the words of a shape are looked for in more parts than have them': [
      'parts >= SLUG_WORDS',
      'parts >= 2 * SLUG_WORDS - 1',
    ],
    'a query string that is all there is stays': ["if (page.startsWith('?')) return '?';", ''],
    'a pattern holds a piece of a placeholder': [
      "if (PLACEHOLDERS.some((each) => each.includes(small))) return '*';",
      '',
    ],
  }),
  ...planted('src/domain/query/path-shape.ts', SHAPES, {
    'what is folded makes an address of its rest': ['return isBeside ? null : at;', 'return at;'],
    'a picture of twice the size is an address': ['(?!\\d+x\\.)', ''],
  }),
  ...planted('src/domain/query/fields.ts', ['test/domain/shield/shield-question.test.ts'], {
    'Shield is asked for the placeholders of a shape': [
      'patternOfShape(urlPattern(value))',
      'urlPattern(value)',
    ],
    'Shield is asked for a text of a shape': ['widerText: (text) => patternOfShape(`*${text}*`),', ''],
  }),
  ...planted('src/domain/logs/groups/log-dimensions.ts', GROUPS, {
    'a value is folded for each row that has it': ['if ((folded[code] as number) < 0) {', 'if (code >= 0) {'],
    'folding values costs a step nothing': ['(FOLD_COST * foldedLast) / CHUNK_ROWS', '0'],
  }),
  ...planted('src/domain/questions/misses/miss-lens.ts', ['test/domain/questions/miss-lens.test.ts'], {
    'a shape takes the place of the page that it is all about': [
      '(extraMisses ?? 0) / 2,',
      'Number.POSITIVE_INFINITY,',
    ],
    'a shape and its pages are told': ["told.has(name ?? '') ? [] : ", ''],
  }),
  ...planted('src/domain/logs/groups/book-work.ts', WORK, {
    'work goes on over other rows': ['if (this.#began !== this.#epoch()) {', 'if (false) {'],
    'work begins again for ever': ['if (this.#isSecond) left = Number.POSITIVE_INFINITY;', ''],
  }),
  ...planted('src/domain/logs/groups/log-group.ts', WORK, {
    'rows that come while groups are counted are counted': [
      'const chunk = done === 0 ? last : first + done - 1;',
      'const chunk = first + done;',
    ],
  }),
  ...planted('src/effects/supervise.ts', ['test/effects/work.test.ts'], {
    'work leaves no turn for a frame': ['const TURNS_BETWEEN = 3;', 'const TURNS_BETWEEN = 1;'],
  }),
  ...planted('src/state/model.ts', ['test/state/remarks.test.ts'], {
    'a remark that waits behind an answer goes with the next key': [
      'const isRoom = notice === null && ',
      'const isRoom = ',
    ],
    'how an order ended takes the answer to a later key away': [
      'return state.notice === null ? noticed(state, tone, text) : remarked(state, { tone, remark: text });',
      'return noticed(state, tone, text);',
    ],
  }),
  ...planted('src/state/sessions/session.ts', ['test/state/work.test.ts'], {
    'a log is filtered from its end, wherever its reader is': [
      "shownLog(state)?.cursor ?? 'newest'",
      "'newest'",
    ],
  }),
  ...planted('src/effects/saved/saved-packer.ts', ['test/effects/saved-secrets.test.ts'], {
    'a batch of rows keeps what visitors wrote': [
      'rows: withoutSecrets(this.#coder.finished())',
      'rows: this.#coder.finished() ?? withoutSecrets',
    ],
  }),
  ...planted('src/print/health/health-command.ts', ['test/mcp/health.test.ts'], {
    'each call about all zones begins with the same ones': [
      'const unread = zones.filter(({ id }) => !before.has(id));',
      'const unread = zones.filter(({ id }) => !before.has(`${id}?`));',
    ],
    'the zones are read in the order of the list': ['(b.bandwidth ?? 0) - (a.bandwidth ?? 0)', '0'],
  }),
  ...planted(
    'src/domain/questions/rules/ask-blast-radius.ts',
    ['test/domain/questions/ask-blast-radius.test.ts'],
    {
      'requests of clients that Shield acted on are good ones': ['others: rows - suspect', 'others: rows'],
    },
  ),
  ...planted('src/mcp/serve.ts', ['test/mcp/tools.test.ts'], {
    'an argument that a tool does not have is passed over': ['z.catchall(takes, z.never())', 'takes'],
  }),
  ...planted('src/effects/saved/saved-packer.ts', PACKER, {
    'the lines after a full batch are left to the schema': ['        continue;\n', ''],
  }),
  ...planted('src/effects/tail/tail.ts', TAIL, {
    'what was late before an outage waits for its final read': [
      'const from = gap.from - overlapBefore(gap, ledger.segments, now);',
      'const { from } = gap;',
    ],
  }),
  ...planted('src/files/durable-files.ts', NTH, {
    'a short write is taken for the whole': [
      'for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);',
      'writeSync(file, bytes);',
    ],
  }),
  ...planted('src/config/trace.ts', NTH, {
    'a torn line takes the next with it': ["isTorn ? '\\n' : ''", "''"],
  }),
  ...planted('src/effects/handover.ts', NTH, {
    'a file that failed keeps its name': ['if (isNamed) removed(path);', ''],
  }),
  ...planted('src/files/file-lock.ts', ['test/files/file-lock.test.ts'], {
    'two programs hold a lock': ['OFF; BEGIN EXCLUSIVE;', 'OFF;'],
    'a lock is kept after the work': ['finally {\n    database.close();', 'finally {\n    database.isOpen;'],
  }),
  ...planted('src/files/processes.ts', ['test/files/file-lock.test.ts'], {
    'a process is known by its number alone': ['return born === 0 || bornAt(pid) === born;', 'return true;'],
  }),
  ...planted('src/config/kept/saved-views.ts', ['test/config/saved-views.test.ts'], {
    'a view is saved over those that others save': [
      "await underLock(join(directory, 'views.lock'), clock, async () => {",
      'await underLock(join(directory, `${process.pid}.lock`), clock, async () => {',
    ],
  }),
  ...planted('src/api/account-calls.ts', ['test/api/client.test.ts'], {
    'a list that cannot be read is an empty account': [
      'if (items.length === 0 && list.Items.length > 0) return null;',
      '',
    ],
  }),
  ...planted('src/ui/frames.ts', RENDERS, {
    'the cursor waits for the body': ['    o.placeCursor(painted);\n', ''],
  }),
  ...planted('src/ui/components/prompt-line.tsx', RENDERS, {
    'a letter lays out the screen twice': ['key={text}', ''],
    'a key that is refused lays out the screen twice': ['memo(TextInput)', 'TextInput'],
  }),
  ...planted('src/effects/tail/tail-book.ts', TAIL_MODEL, {
    'the first read is final': ['return sentAt - this.lateness;', 'return sentAt;'],
    'the newest row tells the time': [
      'return this.clock.earliest(local);',
      'return this.intake.newest ?? this.clock.earliest(local);',
    ],
    'what is given up counts as final': [
      "const cover: Cover = { state: 'gap', reason };",
      "const cover: Cover = { state: 'final' };",
    ],
  }),
  ...planted('src/effects/tail/tail-intake.ts', TAIL_MODEL, {
    'equal rows of one answer are one': [
      'const key = occurrenceKey(base, n);\n    const isKnown = this.#keys',
      'const key = occurrenceKey(base, 0);\n    const isKnown = this.#keys',
    ],
    'known rows are shown again': [
      'if (!isKnown) taken.fresh.push({ ...row',
      'if (true) taken.fresh.push({ ...row',
    ],
    'keys are forgotten before their time is final': [
      'isFinal(range) && range.to <= this.#forgottenBefore',
      'true',
    ],
  }),
  ...planted('src/effects/tail/tail.ts', TAIL_MODEL, {
    'read time is never final': ['!isDue) return null;', 'isDue || !isDue) return null;'],
  }),
  ...planted('src/effects/tail/tail-book.ts', TAIL, {
    'an answer that lacks rows is final': [
      'if (lacks || to <= range.from) return;',
      'if (to <= range.from) return;',
    ],
    'time beyond retention is promised': ["this.giveUp(gone, 'retention', ['unknown', 'read']);", ''],
    'keys without a bound': [
      'if (evicted !== null) this.#forget(evicted',
      'if (false) this.#forget(evicted ?? 0',
    ],
    'a ledger without a bound': ['if (tooMany) this.#collapse', 'if (false) this.#collapse'],
    'an overflow is not named': [
      "this.giveUp(slice, 'overflow', NOT_FINAL);",
      'this.settle(slice, slice.to, false);',
    ],
    'forgotten time may be read again': ['this.#floor = Math.max(this.#floor, before);', ''],
    'the bound of lateness is never raised': [
      'if (observed > this.lateness) this.lateness',
      'if (false) this.lateness',
    ],
  }),
  ...planted('src/domain/tail/tail-pace.ts', TAIL, {
    'rows of the second that has begun make the rate': [
      'Math.max(now, Math.min(newest, now + DATE_STEP))',
      'now',
    ],
  }),
  ...planted('src/domain/tail/server-time.ts', [...TAIL, 'test/domain/server-time.test.ts'], {
    'the Date alone tells the time': [
      ': Math.max(Math.min(date, own), Math.min(rows, Math.max(date, own)));',
      ': date;',
    ],
    'the last Date decides': ['const voters = dates.slice(-VOTERS);', 'const voters = dates.slice(-1);'],
    'no row tells the time': [
      'const rows = time.rows ?? Number.NEGATIVE_INFINITY;',
      'const rows = Number.NEGATIVE_INFINITY;',
    ],
    'what was told before a sleep still counts': [
      'const told = hasStepped(time, local) ? [] : time.dates;',
      'const told = time.dates;',
    ],
    'without a Date our own clock is the truth': [
      'Math.min(own - doubt.margin, Math.max(rows, own - doubt.most))',
      'own - doubt.margin',
    ],
  }),
  ...planted('src/print/logs-command.ts', ['test/print/present.test.ts'], {
    'a window goes by our own clock': [
      'const now = await presentOfLogs(o, zones);',
      'const now = Math.floor(o.clock.wall());',
    ],
  }),
  ...planted('src/print/follow/log-follow.ts', ['test/print/follow.test.ts'], {
    'a followed log asks no store': ['      stored,\n', ''],
  }),
  ...planted('src/print/logs/log-window.ts', ['test/print/present.test.ts'], {
    'what a window lost meanwhile is reckoned by our own clock': [
      "now: serverClock(o, 'logging'),",
      'now: () => o.clock.now(),',
    ],
  }),
  ...planted('src/domain/tail/server-time.ts', ['test/api/kept-call.test.ts'], {
    'one Date decides what is kept': ['const date = voted(dates);', 'const date = voted(dates.slice(-1));'],
  }),
  ...planted('src/effects/read-window.ts', ['test/effects/read-window.test.ts'], {
    'rows are printed as a server sorts them': [
      'isAscending(records) ? records : records.toSorted',
      'true ? records : records.toSorted',
    ],
    'the end of a slice is a part of it': [
      'records.every(isInside) ? records : records.filter(isInside)',
      'records',
    ],
  }),
  ...planted('src/domain/inquiry/inquiry.ts', ['test/domain/questions/inquiry.test.ts'], {
    'rows in no order count as all before the last': [
      'if (!isSorted) return { records: [], covered: null, left: range };',
      '',
    ],
  }),
  ...planted('src/effects/tail/tail-book.ts', TAIL, {
    'what was on its way at a sleep tells another reason': ["isAfterStep ? 'slept'", "hasStepped ? 'slept'"],
  }),
  ...planted('src/state/sessions/session.ts', ['test/state/wrong-clock.test.ts'], {
    'a clock that is wrong is not told': ['const told = isNews ? ', 'const told = false ? '],
  }),
  ...planted('src/print/present.ts', ['test/print/present.test.ts'], {
    'which clock is wrong is not said': ['  say(stderr, told);', ''],
  }),
  ...planted('src/effects/watch-minutes.ts', ['test/effects/watch-minutes.test.ts'], {
    'a minute is over when our own clock says so': [
      'const wait = to + SETTLED - now();',
      'const wait = to + SETTLED - clock.now();',
    ],
  }),
  ...planted('src/domain/clients/client-identity.ts', ['test/domain/questions/false-positives.test.ts'], {
    'what Shield let through makes a client clean': ['> passed.size', '> 0'],
  }),
  ...planted(
    'src/domain/questions/rules/ask-false-positives.ts',
    ['test/domain/questions/false-positives.test.ts'],
    {
      'addresses of one program are many senders': [
        'return asn && ja4 ? `${asn} ${ja4}` : client;',
        'return client;',
      ],
    },
  ),
  ...planted('src/domain/questions/misses/ask-misses.ts', ['test/domain/questions/ask-misses.test.ts'], {
    'an unread slice has figures': ['share === 0 ? null : sums', 'share < 0 ? null : sums'],
  }),
  ...planted('src/domain/inquiry/held-log.ts', ['test/domain/questions/held-log.test.ts'], {
    'rows under a filter answer a wider question': [
      'if (!isNarrower(need.filter, log.filter)) continue;',
      '',
    ],
    'rows that went meanwhile are said to be read': [
      'const [held] = range ? shared(range, task.log.ranges()) : [];',
      'const held = range;',
    ],
  }),
  ...planted('src/state/sessions/held.ts', ['test/state/from-memory.test.ts'], {
    'rows of the question before are held for the new one': ['if (replacing) return [];', ''],
    'rows that were dropped are still held': ['return keptFrom === null', 'return keptFrom !== Number.NaN'],
  }),
  ...planted('src/domain/inquiry/saved-inquiry.ts', ['test/state/from-memory.test.ts'], {
    'lines that a file lost are held': ['gaps.reduce((left, gap) => without(left, gap), [all])', '[all]'],
    'files that were not read to their end answer as if they were': [
      'if (missing.length === 0) return table;',
      'return table;',
    ],
  }),
  ...planted('src/domain/questions/clients/ask-bypass.ts', ['test/domain/questions/bypass-check.test.ts'], {
    'an address is read as the zone asked would keep it': [
      "const told = clientNetwork(value ?? '', seen);",
      "const told = clientNetwork(value ?? '', zone.anonymisation);",
    ],
  }),
  ...planted('src/domain/inquiry/log-reading.ts', ['test/domain/questions/several-zones.test.ts'], {
    'a zone that was read further weighs more': ['[id, share / each]', '[id, 1]'],
  }),
  ...planted('src/domain/inquiry/log-reading.ts', ['test/domain/questions/several-zones.test.ts'], {
    'a zone that was not read goes unnamed': ['unread.length > 0 ? `', 'unread.length > 99 ? `'],
  }),
  ...planted('src/domain/questions/incidents/ask-incidents.ts', ['test/domain/questions/incidents.test.ts'], {
    'what is over is told together with what goes on': [
      'mayBeOne(a.until, b.until) : a.until === b.until',
      'true : true',
    ],
  }),
  ...planted('src/domain/questions/incidents/zone-samples.ts', ['test/domain/questions/incidents.test.ts'], {
    'a few samples tell what is usual': ['samples < SAMPLES_TELLING ? [] : ', ''],
  }),
  ...planted('src/domain/questions/incidents/ask-incidents.ts', ['test/domain/questions/incidents.test.ts'], {
    'nothing stands out, though a zone was not read': ['isRead && !judged.isThin', '!judged.isThin'],
  }),
  ...planted('src/domain/deviation/stretch.ts', ['test/state/incidents.test.ts'], {
    'what comes again an hour later is one': ['score <= 0 || isOver', 'score <= 0'],
  }),
  ...planted('src/domain/deviation/usual.ts', ['test/state/incidents.test.ts'], {
    'rows of a filter stand out by their share alone': ['if (!isDense(part)) return;', 'return;'],
  }),
  ...planted('src/state/sessions/held.ts', ['test/state/several-zones-asked.test.ts'], {
    'rows of one zone in memory are those of another': ['if (tails.length < 2) return held;', 'return held;'],
  }),
  ...planted('src/effects/inquire.ts', ['test/effects/inquire.test.ts'], {
    'a slow zone takes all connections': ['(underWay.get(zoneOf(need)) ?? 0) < ofZone', 'true'],
  }),
  ...planted('src/domain/inquiry/log-reading.ts', ['test/domain/questions/log-reading.test.ts'], {
    'a half reading is called whole': [
      "if (reading.isWhole) return '';",
      "if (reading.shareOfAll >= 0) return '';",
    ],
  }),
  ...planted('src/effects/tail/tail-book.ts', TAIL, {
    'a page that is full counts as all': [
      'const { hasMore, rows } = value;',
      'const { rows } = value;\n    const hasMore = false;',
    ],
    'read up to the end of the question, not of the answer': [
      'const answered = { from: slice.from, to: Math.min(slice.to, sentAt) }',
      'const answered = { from: slice.from, to: slice.to }',
    ],
  }),
  ...planted('src/effects/tail/tail-head.ts', TAIL, {
    'what is so long ago is reckoned by our own clock': [
      'Math.abs(off) > tuning.clockMargin ? from + off : from',
      'from',
    ],
  }),
  ...planted('src/keymap/palette.ts', ['test/keymap/palette.test.ts'], {
    'the command line runs its best guess': [
      'const line = prompt.chosen ?? text;',
      'const line = prompt.chosen ?? (offers[0] ? lineWith(text, offers[0]) : text);',
    ],
  }),
  ...planted('src/keymap/line-words.ts', ['test/keymap/palette.test.ts'], {
    'the beginning of a name is a command': [
      'return WORDS.get(word.toLowerCase()) ?? null;',
      'return WORDS.get(word.toLowerCase()) ?? commandsBegun(word)[0] ?? null;',
    ],
  }),
  ...planted('src/across/input/ordered.ts', ['test/keymap/palette.test.ts'], {
    'a zone that nobody has is gone to': ["(isWhole || found.kind === 'ambiguous')", 'false'],
  }),
  ...planted('src/keymap/chord.ts', ['test/keymap/chord.test.ts'], {
    'an Esc before a key is lost': ['isAfterEsc(raw) ?', 'false ?'],
  }),
  ...planted('src/config/settings/hidden-prompt.ts', ['test/config/hidden-prompt.test.ts'], {
    'a key is asked for before the echo is off': [
      '  keyboard.setRawMode(true);\n  try {\n    output.write(wordsFor(cliFile(env)));',
      '  output.write(wordsFor(cliFile(env)));\n  keyboard.setRawMode(true);\n  try {',
    ],
  }),
  ...planted('src/effects/tail/tail-head.ts', TAIL, {
    'a failed read of the head is followed by one that its share does not allow': [
      'Math.max(pause, waitForShare(context, clock.now()))',
      'pause',
    ],
    'the head never jumps to the present': ['if (now - base > tuning.behindMost) {', 'if (false) {'],
    'a sleep is not noticed': ['if (hasLeapt && passedSince(local)', 'if (false && passedSince(local)'],
    'a refusal is not blamed': ['book.blame(reasonOf(failure), ', '(() => {})(reasonOf(failure), '],
  }),
  ...planted('src/effects/tail/tail-intake.ts', TAIL, {
    'a broken row is shown at each reading': ['this.#broken.add(key);', ''],
    'no row is late': ['row.late = isBehind && delay > bound;', 'row.late = false;'],
    'every row behind an answer is late': ['row.late = isBehind && delay > bound;', 'row.late = isBehind;'],
    'the clock of an edge that is ahead is believed': ['if (time <= ceiling && time >', 'if (time >'],
  }),
  ...planted('src/effects/tail/tail-head.ts', TAIL, {
    'the start claims what it did not read': [
      "if (from === null) book.giveUp(before, 'notRead', ['unknown']);",
      'if (from === null) book.settle(before, sentAt, false);',
    ],
  }),
  ...planted('src/effects/tail/tail-health.ts', TAIL, {
    'a rate limit does not hold the others': [
      "if (status === 'rateLimited') this.holdUntil = this.retryAt;",
      '',
    ],
  }),
  ...planted('src/print/follow/log-follow.ts', PIPE, {
    'what passes by itself ends a followed log': [
      "tailFaultOf(failure.kind).reason === 'refused'",
      "tailFaultOf(failure.kind).status === 'failed'",
    ],
  }),
  ...planted('src/print/follow/log-follow.ts', PIPE, {
    'gaps that were not told yet are never told': [
      'else for (const zone of zones) out.addGaps(zone.lastGaps());',
      '',
    ],
  }),
  ...planted('src/print/follow/log-follow.ts', FOLLOWED_ZONES, {
    'rows that wait for another zone are lost at the end': ['gathered.flush();', ''],
    'one refused zone ends those that are well': ['lost.length === zones.length', 'lost.length > 0'],
    'a watch over several zones is judged by the one that is furthest': [
      'const readTo = Math.min(...zones.map((zone) => zone.readTo));',
      'const readTo = Math.max(...zones.map((zone) => zone.readTo));',
    ],
  }),
  ...planted('src/print/follow/log-follow.ts', FOLLOWED_ZONES, {
    'rows of healthy zones wait for one that never answers': [
      'if (since > now - HELD_MOST) break;',
      'break;',
    ],
  }),
  ...planted('src/print/follow/log-follow.ts', FOLLOWED_ZONES, {
    'a zone that was never answered has no gap': ['return to > from ?', 'return to < from ?'],
    'a zone has its gaps told as those of another': ['ofZone(gap, this.#how.name)', 'gap'],
  }),
  ...planted('src/print/logs/merged-parts.ts', SEVERAL_ZONES, {
    'a slow zone is waited for at each part': [
      'for (const stream of late) stream.isBehind = stream.coming !== null;',
      '',
    ],
    'rows of several zones stand zone by zone': [
      'lists.flat().sort((a, b) => a.timestamp - b.timestamp)',
      'lists.flat()',
    ],
    'a failure does not say of which zone': [
      'failures.push({ zone: zone?.name ?? null, failure })',
      'failures.push({ zone: null, failure })',
    ],
  }),
  ...planted('src/print/logs/log-question.ts', SEVERAL_ZONES, {
    'an address is compared as the first zone has it': [
      'addressCutsOf(zones), causeOf',
      'zones[0].anonymisation, causeOf',
    ],
  }),
  ...planted('src/print/logs/log-window.ts', SEVERAL_ZONES, {
    'a print that is resumed has a gap where it stopped': [
      'isStopped ? { ...part, gaps: [] } : part',
      'part',
    ],
  }),
  ...planted('src/print/follow/followed-output.ts', PIPE, {
    'a gap is told again and again': ['else this.#told.push({ from, to });', ''],
  }),
  ...planted('src/api/log-calls.ts', ['test/api/json-in-turns.test.ts'], {
    'rows beyond what was asked for are read': ['page.rows.slice(0, r.limit)', 'page.rows'],
    'rows that were left out are not told': [' || page.rows.length > r.limit', ''],
  }),
  ...planted('src/api/http/json.ts', ['test/api/json-in-turns.test.ts'], {
    'a long list is parsed at once': ['if (at - rested >= TURN) await restNow();\n      }', '}'],
    'what is passed over is parsed': ['if (items.length < most) {', '{'],
    'an item is lost where a list is cut': ['        from = at + 1;\n', '        from = at + 3;\n'],
  }),
  ...planted('src/api/schemas/packed-page.ts', ['test/api/packed-page.test.ts'], {
    'a key that a server echoes passes in a batch': ['texts.every((text) => scrub(text) === text)', 'true'],
    'a list that comes twice is read from the first': [
      `if (text === null || text.indexOf('"data"') !== text.lastIndexOf('"data"')) return null;`,
      'if (text === null) return null;',
    ],
    'a row without a time is of the time of the whole answer': [
      'before = coder.rows.times[coder.rows.count - 1] as number;',
      '',
    ],
  }),
  ...planted('src/api/log-calls.ts', ['test/api/packed-page.test.ts'], {
    'rows of another zone pass in a batch': [
      'isBatch(row) && !isAllOf(row, r.pullZoneId, r) ? recordsIn(row) : [row]',
      '[row]',
    ],
  }),
  ...planted('src/effects/tail/tail-intake.ts', TAIL, {
    'all rows of a batch are new where one is': [
      'const isWhole = run.length === of.count &&',
      'const isWhole = run.length > 0 ||',
    ],
    'a row has another key in a batch': [
      'row * digits, (row + 1) * digits)',
      'row * digits, (row + 1) * digits - 1)',
    ],
  }),
  ...planted('src/state/log-zones.ts', ['test/session/log.test.ts'], {
    'moving in a window with an end holds its rows back': [
      "return source.kind === 'zones' && to === null;",
      "return source.kind === 'zones';",
    ],
  }),
  ...planted('src/domain/handover/notebook.ts', ['test/domain/handover/notebook.test.ts'], {
    'what somebody wrote behind the timeline of a notebook is lost': [
      " + notebook.slice(end).replace(/^\\n{1,2}/, '')",
      '',
    ],
    'a row of the timeline stands behind all others, whenever it was': [
      'later < 0 ? last + 1 : later',
      'last + 1',
    ],
    'what an editor left of a timeline takes a row that nobody finds': [
      "!timeline.includes('\\n|')",
      "timeline === ''",
    ],
  }),
  ...planted('src/domain/handover/notebook.ts', ['test/effects/notebook.test.ts'], {
    'bytes of a notebook that are no UTF-8 are lost': [
      "notebook.toString('latin1')",
      "Buffer.from(notebook.toString('utf8')).toString('latin1')",
    ],
  }),
  ...planted('src/effects/handover.ts', ['test/effects/notebook.test.ts'], {
    'the timeline of a notebook tells an address behind a pseudonym': [
      'return { lines, row };',
      'return { lines, row: entry.row };',
    ],
    'a notebook that is too large is read': ['found.size > LARGEST', 'false'],
  }),
  ...planted('src/across/input/prompts.ts', ['test/session/handover-files.test.ts'], {
    'text meant for another program is written into the notebook': ['isBurst(state.pace)', 'false'],
  }),
  ...planted('src/loop/update.ts', ['test/state/finding.test.ts'], {
    'keys before a line was opened make a paste into it look typed': [
      'isOpened ? { ...told, pace: begun(now) } : told',
      'told',
    ],
    'keys of the command line make a paste into what it opened look typed': [
      'told.prompt.kind !== state.prompt?.kind',
      'state.prompt === null',
    ],
  }),
  ...planted('src/state/list/value-filter.ts', ['test/state/groups.test.ts'], {
    'a group of what is kept opens as all that is kept': [
      'if (!term.negated) return kept.with(at, term);',
      '',
    ],
  }),
  ...planted('src/domain/query/match.ts', GROUPS, {
    'a text is found in the part of a column that is none of the derived field': [
      'isMatch(own(value)), needle: null }',
      'isMatch(own(value)), needle: needleOf(op, present) }',
    ],
  }),
  ...planted('src/domain/query/regex.ts', ['test/domain/query/regex.test.ts'], {
    'a state of a table that was begun anew is one of the table before': [
      'return stateOf(standing);',
      'return next;',
    ],
    'a text of one alternative is held by the others': [
      'texts: [commonText(parts.map(({ held }) => held.texts))]',
      'texts: parts[0]?.held.texts ?? []',
    ],
  }),
  ...planted('src/domain/query/regex.ts', ['test/domain/query/regex.test.ts'], {
    'a pattern may repeat as often as it says': ['regex.letters > MOST_LETTERS', 'regex.letters < 0'],
  }),
  ...planted('src/domain/query/query-lexer.ts', ['test/domain/query/regex.test.ts'], {
    'a path between slashes is a pattern': [
      "REGEX_SIGN.test(body.replace(QUERY_STRING, ''))",
      'body.length > 0',
    ],
    'a query string makes a pattern of a path': ["body.replace(QUERY_STRING, '')", 'body'],
    'a pattern reaches into the next term': ['!TERM_INSIDE.test(body)', 'body.length > 0'],
  }),
  ...planted('src/domain/shield/shield-question.ts', ['test/domain/query/regex.test.ts'], {
    'a text that a pattern holds stands for the pattern': ['held && { ...held, isExact: false }', 'held'],
  }),
  ...planted('src/domain/query/address.ts', ['test/domain/fields.test.ts'], {
    'what is left of an address passes for a network of it': ['network.prefix < bits ? null : ', ''],
  }),
  ...planted('src/domain/shield/shield-question.ts', ['test/domain/shield/shield-question.test.ts'], {
    'URLs that begin as a page does pass for it': [
      'term.values.map(pattern) }, isExact: false }',
      'term.values.map(pattern) }, isExact: true }',
    ],
  }),
  ...planted('src/domain/shield/shield-columns.ts', ['test/domain/shield/shield-explorer.test.ts'], {
    'columns of events stand behind the URL': [
      "Number(a.dimension === 'url') - Number(b.dimension === 'url')",
      '0',
    ],
  }),
  ...planted('src/screens/shield/shield-find.ts', ['test/state/shield.test.ts'], {
    'a search by rule leaves out the names of rules': ['!row?.isInFreeText && ', ''],
  }),
  ...planted('src/domain/shield/shield-rows.ts', ['test/domain/shield/shield-explorer.test.ts'], {
    'a day read does not tell a dimension': [
      "ja4: fields['ja4'] ?? header('cdn-ja4')",
      "ja4: fields['ja4'] ?? null",
    ],
  }),
  ...planted('src/domain/shield/shield-question.ts', ['test/domain/shield/shield-explorer.test.ts'], {
    'groups that are added up pass for those of the server': [
      'groupBy.some((dimension) => !dims.includes(dimension))',
      'groupBy.length > dims.length',
    ],
  }),
  ...planted('src/screens/shield/shield-histogram.ts', ['test/state/shield-histogram.test.ts'], {
    'a server that counts no steps is asked for them again': [
      'request }, knowsBuckets: false }',
      'request } }',
    ],
    'what else a server refuses passes for its age': ['isUnlearnt ? ', 'false ? '],
    'a window that is refused passes for an older server': ["failure.kind === 'invalidRequest' && ", ''],
    'counting that comes back asks for what was refused': [
      "histogram.by === 'one' && state.knowsBuckets === false",
      'false',
    ],
    'steps that add up to another number are believed': [
      'sparkline.reduce((sum, each) => sum + each, 0) === count',
      'count >= 0',
    ],
    'other steps than those asked for are believed': ['sparkline.length === kept.count && ', ''],
    'rows pass for groups that there are none of': ['events.length > 0 || ', ''],
    'times that were gone move all steps': [
      'stepsSince(steps, gone?.to ?? steps.from)',
      'stepsSince(steps, steps.from)',
    ],
    'groups that were not understood are left out unsaid': [' || answer.bad > 0', ''],
    'no groups tell that a server counts steps': [' && answer.groups.length > 0', ''],
  }),
  ...planted('src/domain/shield/shield-buckets.ts', ['test/domain/shield/shield-buckets.test.ts'], {
    'steps run past the end of the window': [
      'if (steps.step * steps.count === span) return steps;',
      'return steps;',
    ],
    'more steps are asked for than a server gives': [
      'Math.min(most, MOST_BUCKETS, span)',
      'Math.min(most, span)',
    ],
    'a search that begins later cuts its steps anew': ['buckets: kept.count', 'buckets'],
    'the last step is taken too': ['Math.min(count - 1, ', 'Math.min(count, '],
  }),
  ...planted('src/api/shield-calls.ts', ['test/api/kept-call.test.ts'], {
    'steps are cut anew when a search waited': ['searchSince(request, from)', '{ ...request, from }'],
  }),
  ...planted('src/api/shield-calls.ts', ['test/api/schemas.test.ts'], {
    'counts over time are taken unasked': [
      '!Array.isArray(value) || value.length !== buckets',
      '!Array.isArray(value)',
    ],
    'anything passes for a count': ['return counts.every(isCount) ?', 'return counts.length > 0 ?'],
    'events are counted below nothing': [' && (value as number) >= 0', ''],
  }),
  ...planted('src/domain/timeline/steps.ts', ['test/domain/timeline/fold.test.ts'], {
    'a step stands for time after the window': [
      'sizes.find((each) => steps.count % each === 0) ?? least',
      'least',
    ],
  }),
  ...planted('src/simulator/shield/search.ts', ['test/simulator/shield.test.ts'], {
    'steps of the simulator are not those of the window': [
      'const width = (to - from) / buckets;',
      'const width = (to - from) / (buckets + 1);',
    ],
  }),
  ...planted('src/simulator/shield/search-query.ts', ['test/simulator/shield.test.ts'], {
    'the simulator counts steps of rows': ['isAsked && dimensions.length === 0', 'false'],
  }),
  ...planted('src/screens/shield/painting/shield-painting.ts', ['test/ui/shield-lines.test.ts'], {
    'the price of an older server is not told before': ['if (knowsBuckets !== null) {', 'if (true) {'],
    'what is not counted yet stands there as none': [
      'if (!isAtHand && histogram?.counts.every((each) => each === null)) return left;',
      '',
    ],
  }),
  ...planted('src/screens/shield/painting/shield-body.ts', ['test/ui/shield-lines.test.ts'], {
    'a sum over a part of its groups looks whole': ["&& !reading.isWhole ? '+'", "&& !reading.isWhole ? ''"],
  }),
  ...planted('src/paint/path-cells.ts', ['test/ui/cells.test.ts'], {
    'a host is dropped that the title does not say': ['said.length <= room', 'room >= 0'],
  }),
  ...planted('src/screens/screens.ts', ['test/ui/chrome.test.ts'], {
    'what is said covers the row under the cursor': ['listHeight(next) < listHeight(before)', 'false'],
  }),
  ...planted('src/state/list/screen-layout.ts', ['test/ui/chrome.test.ts'], {
    'a remark that is cut looks whole': ["fitWords(`${last} ...`, columns, '...')", 'last'],
  }),
  ...planted('src/ui/frames.ts', ['test/ui/frames.test.ts'], {
    'what is said of a mistake stands over rows': ['isLaidOutAs(body, painted);', 'body !== null;'],
  }),
  ...planted('src/domain/shield/shield-groups.ts', ['test/ui/shield-lines.test.ts'], {
    'the country of one event is shown for all of a group': [
      "count === 1 || Boolean(key['ip'])",
      'count >= 1',
    ],
  }),
  ...planted('src/state/memoised.ts', ['test/ui/memoised.test.ts'], {
    'what is kept heeds a part of its key': [
      'if (!Object.is(inputs[name], known[name])) return false;',
      'return Object.is(inputs[name], known[name]);',
    ],
  }),
  ...planted('src/screens/log/painting/log-body.ts', ['test/ui/memoised.test.ts'], {
    'a line of a row depends on what its key lacks': ['isOlder: isLate,', 'isOlder: book.backlog > 0,'],
  }),
  ...planted('src/domain/handover/highlights.ts', ['test/state/marks.test.ts'], {
    'a secret is highlighted as it was pasted': ['return maskSecrets(', 'return String('],
  }),
  ...planted('src/across/handover/mark-list.ts', ['test/state/marks.test.ts'], {
    'any row of the same moment is gone to': ['if (rowKey(record) === key) return index;', 'return index;'],
    'a row that the filter hides is called lost': ['book.rowsInView === book.size', 'true'],
    'marks are kept without bound': ['marks.size >= MOST_MARKS', 'false'],
  }),
  ...planted('src/screens/log/painting/log-painting.ts', ['test/session/log.test.ts'], {
    'groups of a part pass for groups of the window': ["share < 1 ? `, ${percent(share)} read` : ''", "''"],
  }),
  ...planted('src/state/sessions/session.ts', ['test/state/log-bytes.test.ts'], {
    'rows are bounded by their number alone': ['if (over <= 0) break;', 'break;'],
  }),
  ...planted('src/domain/logs/dictionary/dictionary.ts', ['test/state/log-bytes.test.ts'], {
    'the bytes of a text that is gone still count': ['    this.#bytes -= bytesOnHeap(value);\n', ''],
  }),
  ...planted('src/domain/zone.ts', ['test/print/zones.test.ts'], {
    'a list that repeats itself is read for ever': [
      "items.every(({ id }) => known.has(id)) ? 'endless' : asked + 1",
      'asked + 1',
    ],
  }),
  ...planted('src/print/zones-command.ts', ['test/print/zones.test.ts'], {
    'a page is put on the stack': [
      'for (const item of answer.value.items) items.push(item);',
      'items.push(...answer.value.items);',
    ],
  }),
  ...planted('src/config/settings/credentials.ts', ['test/config/config.test.ts'], {
    'what a key_command left behind is waited for': [
      'clock.after(LAST_OUTPUT, () => ended(code, signal))',
      'clock.after(COMMAND_TIMEOUT, () => ended(code, signal))',
    ],
    'what is far more than a key is taken for one': [
      'if (output.length > MOST_OUTPUT) settle(failed(`printed far more than a ${what}`));',
      'if (output.length > MOST_OUTPUT) child.stdout.destroy();',
    ],
  }),
  ...planted('src/screens/storage/edit-commands.ts', ['test/state/storage.test.ts'], {
    'a name that came in one burst confirms': [
      'if (strokes < [...view.zone.name].length / 2) {',
      'if (false) {',
    ],
    'what was typed before a paste still counts': [
      "const emptied = { ...prompt, field: fieldOf('') };",
      'const emptied = prompt;',
    ],
  }),
  ...planted('src/api/shield-calls.ts', LENGTHS, {
    'the endings of a name are looked for at each of its letters': [
      'const ENDINGS = /(?:count|s|ed)$/',
      'const ENDINGS = /(?:count|s|ed)+$/',
    ],
  }),
  ...planted('src/text/fit.ts', ['test/api/long-texts.test.ts'], {
    'the width of what is left is taken for each line': ['part.length < rest.length;', 'width(rest) > room;'],
  }),
  ...planted('src/api/quota/quota.ts', QUOTA, {
    'a slot comes back at once': [
      'store.settle(slot, clock.monotonic() + limitsFor(lane).window + late);',
      'store.settle(slot, clock.monotonic() + late);',
    ],
    'an abandoned request counts as answered': ["outcome === 'abandoned' ? STRAGGLER * factor : 0", '0'],
    'a permit is released twice': ['if (!open) return;', ''],
    'background goes first': [
      "['user', 'background', 'guest'] as const",
      "['background', 'user', 'guest'] as const",
    ],
    'who leaves the queue stays in it': ['if (at >= 0) queue[priority].splice(at, 1);', ''],
  }),
  ...planted('src/api/quota/quota-rule.ts', QUOTA, {
    'a freeze is not kept': ['if (view.frozenUntil > now) return at(view.frozenUntil);', ''],
    'no cap': ['if (used >= cap) return', 'if (false) return'],
    'background takes all': ['if (usedBackground >= limits.background)', 'if (false)'],
    'background in one burst': ['return paced > now ?', 'return false ?'],
    'a user takes the floor of the background': [
      'return used - usedBackground < cap - limits.floor ?',
      'return true ?',
    ],
    'a guest takes what is left for people': [
      'return used < Math.min(cap, limits.guest) ?',
      'return used < cap ?',
    ],
    'a guest does not stand back': ['if (isUserWaiting) return at(view.userWaitingUntil);', ''],
    'the fallback takes all of the budget': [
      'cap: Math.floor(limits.cap / MOST_PROCESSES),',
      'cap: limits.cap,',
    ],
    'the fallback forgets that others fall back': ['MOST_PROCESSES = 8', 'MOST_PROCESSES = 4'],
    'a new ledger knows of everybody': [
      'const isUnknowing = view.unknowingUntil > now;',
      'const isUnknowing = false;',
    ],
  }),
  ...planted('src/mcp/budget.ts', AGENTS, {
    'a budget that is asked once lets through what waited': [
      '        if (isSpent()) return refused();\n        sent += 1;\n        return transport.send',
      '        sent += 1;\n        return transport.send',
    ],
    'a call may send what the session may': ['sent >= Math.min(most, callMost)', 'sent >= most'],
  }),
  ...planted('src/mcp/serve.ts', AGENTS, {
    'an agent goes before people': ["priority: 'guest',", "priority: 'user',"],
    'a cancelled call goes on': [
      'signal: c.signal === undefined ? signal : AbortSignal.any([signal, c.signal]),',
      '...(c.signal && { signal: c.signal }),',
    ],
  }),
  ...planted('src/mcp/fence.ts', AGENTS, {
    'remarks stand as they came': [
      '`"said": ${asciiJson(untrusted.said)},`',
      '`"said": ["${untrusted.said.join()}"],`',
    ],
    'a result has no end': ['if (length > MOST_TEXT) break;', ''],
  }),
  ...planted('src/mcp/untrusted.ts', AGENTS, {
    'names of fields are taken as they came': [
      'const shown = cleanText(name, mask, LONGEST_NAME);',
      'const shown = name;',
    ],
    'texts are masked after they are cut': ['const shown = mask(looked);', 'const shown = looked;'],
  }),
  ...planted('src/mcp/tool-call.ts', AGENTS, {
    'rows that were left out leave a result whole': ['isWhole: isWhole && rowsLeftOut === 0,', 'isWhole,'],
    'what the program says of its own stands among texts of strangers': [
      'remarked: (words) => void remarks.push(words),',
      '',
    ],
    'what is spent is asked for': [
      'if (budget.left === 0) return refusal(session, command, spentWords(budget));',
      'spentWords(budget);',
    ],
  }),
  ...planted('src/mcp/tools.ts', AGENTS, {
    'an operand may be an option': [".regex(/^[^-]/, 'must not begin with -')", ''],
  }),
  ...planted('src/text/mask.ts', ['test/print/credentials.test.ts'], {
    'a credential of a visitor is told': [
      'return secret === undefined ? [] : [{ from: to - secret.length, to }];',
      'return [];',
    ],
  }),
  ...planted('src/effects/handover.ts', ['test/effects/export-file.test.ts'], {
    'an export removes what another one writes': ['now - found.mtimeMs > ABANDONED', 'true'],
    'what a killed export left stays': ['now - found.mtimeMs > ABANDONED', 'false'],
  }),
  ...planted('src/print/printer.ts', ['test/mcp/fence.test.ts', 'test/mcp/tools.test.ts'], {
    'names that strangers gave are words of the program': [
      "o.remarked([first, ...more].join(' '));",
      "o.remarked([`${first}${quoted}`, ...more].join(' '));",
    ],
    'what a server says is a word of the program': [
      'remarkWith(o, said, own, ...more)',
      "remarkWith(o, '', what, ...more)",
    ],
  }),
  ...planted('src/print/ask/ask.ts', ['test/mcp/tools.test.ts'], {
    'a sample is called whole': ['table.isWhole && isSettled(range, now)', 'isSettled(range, now)'],
    'an answer into which rows still come is called whole': [
      'table.isWhole && isSettled(range, now)',
      'table.isWhole',
    ],
  }),
  ...planted('src/print/storage-command.ts', ['test/print/storage.test.ts'], {
    'whoever may only look changes': ['if (line.edit !== null && writing === null)', 'if (false)'],
  }),
  ...planted('src/api/quota/ledger-file.ts', QUOTA, {
    'slots of another boot count': ['if (stored !== boot) {', 'if (false) {'],
    'a freeze is shortened by a later one': [
      "Math.max(until, Number(state.get(lane)?.['frozenUntil'] ?? 0))",
      'until',
    ],
    'a ledger that lacks a table is filled up': ['if (isInPart(database))', 'if (false)'],
    'a damaged ledger stays': ['if (isDamage(error) && isInPlace()) removeBook(place);', ''],
  }),
  ...planted('src/api/quota/ledger-file.ts', QUOTA, {
    'times of another clock count as they stand': [
      'if (isStrangeTo(own)) translate(database, now, own);',
      '',
    ],
    'setting the time of the system frees slots': [
      'if (Math.abs(own - before) > APART) rename(database, before, own);',
      '',
    ],
  }),
  ...planted('src/api/quota/shared-slots.ts', QUOTA, {
    'a lease that is renewed ends when it was to end before': [
      '    if (name !== undefined) this.#insist(() => this.#book?.settle(name, freeAt));\n  }\n\n  settle',
      '  }\n\n  settle',
    ],
    'a ledger that was deleted is written on': [
      'if (this.#book?.isInPlace()) return this.#book;',
      'if (this.#book) return this.#book;',
    ],
    'what was sent is left behind with the old ledger': ['[id, book.put(slot)]', "[id, '']"],
    'a broken ledger is never tried again': [
      'this.#brokenUntil = now + RETRY;',
      'this.#brokenUntil = Infinity;',
    ],
  }),
  ...planted('src/api/quota/ledger-file.ts', QUOTA, {
    'the environment moves the ledger': [
      'place.directories ?? PLACES',
      "place.directories ?? [process.env['TMPDIR'] ?? '/tmp']",
    ],
    'a directory open to others is trusted': [
      'return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0;',
      'return found.isDirectory();',
    ],
  }),
  ...planted('src/api/http/response.ts', QUOTA, {
    'a wait without a bound': ['return Math.min(LONGEST, Math.max(SHORTEST, ms));', 'return ms;'],
  }),
  ...planted('src/api/caller.ts', [...QUOTA, ...HTTP], {
    'a write is tried again': [
      'const most = isWrite(call) ? 0 : Math.min(MOST_RETRIES, Math.max(0, wanted));',
      'const most = Math.min(MOST_RETRIES, Math.max(0, wanted));',
    ],
    'a 429 stops nobody else': ['o.quota.freeze(lane, until);', ''],
    'a wait is silent': ['event = { ...event, wait };', ''],
    'a wait is told at each look': ['if (isTold || ', 'if ('],
    'what only the user can change is asked again': [
      'tries === most || retry === undefined',
      'tries === most',
    ],
  }),
  ...planted('src/api/kept-call.ts', ['test/api/kept-call.test.ts'], {
    'a try asks for what was kept when the first one left': [
      'const later = kept === request ? null : make(kept);',
      'const later = null as ReturnType<typeof make>;',
    ],
    'rows that fell out before a try are missing without a word': [
      'value: { ...read.value, gone }',
      'value: read.value',
    ],
  }),
  ...planted('src/effects/tail/tail-context.ts', ['test/effects/tail.test.ts'], {
    'time that was too old when it was asked for is called read': [
      'if (gone === undefined) return part ?? slice;',
      'if (gone !== null) return part ?? slice;',
    ],
  }),
  ...planted('src/api/caller.ts', QUOTA, {
    'a host that is down is asked for ever': [
      'if (circuit.failures < TOLERATED) return true;',
      'return true;',
    ],
    'a cancelled request closes the circuit': ["if (blames === 'nothing') return", 'if (false) return'],
  }),
  ...planted('src/text/sanitise.ts', TEXT, {
    'escape passes': ['const NOT_PLAIN = /[^ -[\\]-~]/gu;', 'const NOT_PLAIN = /[^ -[\\]-~\\u001b]/gu;'],
    'a backslash is not escaped': ["['\\\\', '\\\\\\\\'],", ''],
    'letters from right to left pass': ["'[\\\\p{Script=Latin}", "'[\\\\p{Script=Arabic}\\\\p{Script=Latin}"],
    'letters join their neighbours': [
      "const JOINING = '\\\\u{e33}\\\\u{eb3}\\\\u{d4e}';",
      "const JOINING = '';",
    ],
    'a cut does not say how much is missing': ['...(+${s.length - end})`', '...`'],
    'a cut halves a pair': ['? asked - 1 : asked', '? asked : asked'],
    'long texts are not cut': ['if (maxLength !== undefined && s.length > maxLength)', 'if (false)'],
  }),
  ...planted('src/terminal/styled-text.ts', EGRESS, {
    'refused code points become cells': ['if (size === 0) return parseRefusedLine(line, columns);', ''],
    'other sequences than colours become cells': [
      'if (sgr === null) return parseRefusedLine(line, columns);',
      'if (sgr === null) { cells.push(packCell(code, style)); at += 1; continue; }',
    ],
    'clusters become cells': ['if (isSingle && size > 0) {', 'if (isSingle) {'],
    'a line without a bound': ['const MAX_CELLS = 2048;', 'const MAX_CELLS = 20_480_000;'],
  }),
  ...planted('src/terminal/styled-text.ts', EGRESS, {
    'what is drawn from right to left passes': ['\\u0590-\\u08ff', ''],
  }),
  ...planted('src/api/http/transport.ts', [...HTTP, 'test/api/tls.test.ts'], {
    'a write leaves a session that may only read': [
      "if (isWrite(request) && !o.allowWrites) return failureOf('readOnly', { host });",
      '',
    ],
    'the key leaves over plain http': [
      "if (!isSafe(url)) return failureOf('insecure', { host, detail: 'plain http to a server elsewhere' });",
      '',
    ],
    'no limit of the whole time': [
      'const cancel = o.clock.after(o.timeouts.total, () => over.abort());',
      'const cancel = () => {};',
    ],
    'loopback is proxied': ['isLoopback(url) ? direct : proxy', 'proxy'],
  }),
  ...planted('src/api/http/origin.ts', [...HTTP, 'test/api/origin.test.ts'], {
    // One of the three alone would be enough for every path that is known; all are gone here.
    'a path leads to another server': [
      "url !== null && url.origin === from.origin && url.username === '' && path.startsWith('/')",
      'url !== null',
    ],
    'an echoed key is shown': [
      'mayBeIn(rest) ? rest.replace(pattern(), mask) : rest',
      'mayBeIn(rest) ? rest : rest',
    ],
  }),
  ...planted('src/config/settings/settings.ts', [...HTTP, 'test/api/origin.test.ts'], {
    'localhost counts as loopback': ['const LOOPBACK = /^(?:127', 'const LOOPBACK = /^(?:localhost|127'],
  }),
  ...planted('src/api/http/connections.ts', ['test/api/connect-ahead.test.ts'], {
    'zones that hang take every connection': ['connections: 32,', 'connections: 8,'],
  }),
  ...planted('src/api/http/connections.ts', [...HTTP, 'test/api/tls.test.ts'], {
    'certificates as the environment says': ['const tls = { rejectUnauthorized: true };', 'const tls = {};'],
  }),
  ...planted('src/api/http/response-body.ts', HTTP, {
    'an announced length is not looked at': ['announced > cap ? null :', ''],
    'an error without a bound on its body': [
      'const LARGEST_ERROR = 256 * 1024;',
      'const LARGEST_ERROR = 2 ** 30;',
    ],
  }),
  ...planted('src/api/http/response-body.ts', HTTP, {
    'a body without a bound': ['if (size > cap) return null;', ''],
    'a bomb unpacks': ['{ maxOutputLength: cap }', '{}'],
  }),
  ...planted('src/api/http/response.ts', HTTP, {
    'bytes that are no text pass': ['{ fatal: true }', '{ fatal: false }'],
  }),
  ...planted('src/screens/log/painting/reading-words.ts', ['test/ui/chrome.test.ts'], {
    'a refusal that lasts is told as a server in trouble': [
      ".traits.tail === 'denied'",
      '.traits.exit === 3',
    ],
  }),
  ...planted('src/api/http/response.ts', ['test/api/failure.test.ts'], {
    'the wait that a 429 asks for is not heeded': [" || retry === 'freeze' ? retryAtOf", ' ? retryAtOf'],
  }),
  ...planted('src/api/http/response.ts', HTTP, {
    'redirects count as success': [
      "if (status < 400) return answerParts(answer, 'redirected'",
      "if (status < 300) return answerParts(answer, 'redirected'",
    ],
    'an error under 200 passes': ['if (inside !== null) return', 'if (false) return'],
    'any content type passes': ['if (type !== undefined && !JSON_TYPE.test(type))', 'if (false)'],
    'escapes of a server are shown': [
      "return sanitise(maskSecrets(answer.scrub(text).slice(0, 4 * DETAIL_LENGTH)), 'strict', DETAIL_LENGTH);",
      'return answer.scrub(text);',
    ],
  }),
  ...planted('src/time/clock.ts', ['test/support/virtual-clock.test.ts'], {
    'a sleep goes on after its signal': ["signal?.addEventListener('abort', wake, { once: true });", ''],
    'what was cancelled is called all the same': ['return () => clearTimeout(timer);', 'return () => {};'],
  }),
  ...planted('src/terminal/tty-output.ts', WRITER, {
    'writes block': ['    this.#setBlocking(false);\n  }\n\n  get isBusy', '  }\n\n  get isBusy'],
    'a terminal that is gone is reported each time': [
      '    if (this.#gone) return;\n    this.#gone = true;',
      '    this.#gone = true;',
    ],
    'waiting for a reader who stalls has no end': [
      'const cancel = this.#clock.after(ms, resolve);',
      'const cancel = this.#clock.after(ms, () => {});',
    ],
  }),
  ...planted('src/terminal/cell-screen.ts', WRITER, {
    'frames queue behind a reader who stalls': [
      'this.#isPreparing || this.#output.isBusy) return;',
      'this.#isPreparing) return;',
    ],
    'after a new size only differences are written': [
      '    this.#isUnknown = true;\n    this.#painter =',
      '    this.#painter =',
    ],
    'nothing paces data': [
      'const wait = this.#pace.earliest(this.#due) - this.#clock.monotonic();',
      'const wait = 0;',
    ],
    'pausing leaves a timer': [
      '    this.#cancelFrame?.();\n    this.#cancelFrame = null;\n  }\n\n  invalidate',
      '    this.#cancelFrame = null;\n  }\n\n  invalidate',
    ],
  }),
  ...planted('src/terminal/cell-screen.ts', WRITER, {
    'leaving restores nothing': ['this.#output.write(Buffer.from(LEAVE));', ''],
    'a window without a size': ['if (columns <= 0 || rows <= 0) return FALLBACK;', ''],
    'each size of a storm is painted': [
      'if (!this.#isEntered || this.#cancelResize !== null) return;',
      'if (!this.#isEntered) return;',
    ],
  }),
  ...planted('src/terminal/key-input.ts', ['test/terminal/key-input.test.ts'], {
    'a paste clicks': ['!this.#isPasting && index >= before', 'index >= before'],
    'the start of a paste is missed where a read is cut': ["this.#passed = MAYBE.exec(keys)?.[0] ?? '';", ''],
    'a key waits for the next one': [
      '/\\x1b\\[(?:<[\\d;]{0,14}|20?[01]?)$/',
      '/\\x1b(?:\\[(?:<[\\d;]{0,14}|20?[01]?)?)?$/',
    ],
  }),
  ...planted('src/ui/pointer.ts', ['test/ui/pointer.test.ts'], {
    'a click answers a dialog': ['(prompt !== null && !LISTING.includes(prompt.kind))', 'false'],
    "a click acts while the mouse is the terminal's": ['!state.hasMouse || ', ''],
  }),
  ...planted('src/keys/own-keys.ts', ['test/keymap/own-keys.test.ts'], {
    "a key of one's own takes Esc": [' || FIXED_CHORDS.includes(chord)', ''],
    "a key of one's own acts where its command does not": [
      'key.chord === chord && acts(key.command)',
      'key.chord === chord',
    ],
  }),
  ...planted('src/text/notification.ts', ['test/text/notification.test.ts'], {
    'a notification ends its own sequence': [".replace(/[^\\x20-\\x7e]/g, '?')", ''],
    'a notification has parts of others': [".replaceAll(';', ',')", ''],
  }),
  ...planted('src/effects/hand-finding.ts', ['test/effects/hand-finding.test.ts'], {
    'a finding stands in the arguments': ["['-c', command]", "['-c', command, line]"],
    'what a command starts outlives it': [
      "process.kill(-(child.pid ?? 0), 'SIGKILL')",
      "child.kill('SIGKILL')",
    ],
    'a command that reads nothing ends the program': ["child.stdin.on('error', () => {});", ''],
    'a command prints without an end': ['text.slice(0, left)', 'text'],
  }),
  {
    name: 'leaving lets the command of --exec run on',
    file: 'src/tui.ts',
    find: 'leaving.abort();',
    put: '',
    tests: ['test/pty/handover.test.ts'],
    isBuilt: true,
  },
  {
    name: 'a command of --exec fails in silence',
    file: 'src/tui.ts',
    find: 'if (trouble === null) return;',
    put: 'if (trouble !== null) return;',
    tests: ['test/pty/handover.test.ts'],
    isBuilt: true,
  },
  ...planted('src/domain/handover/panel.ts', ['test/state/panel.test.ts'], {
    'a name opens another page': ['encodeURIComponent(text.toWellFormed())', 'text'],
    'a name of dots leaves its folder': [
      'text === undefined || /^\\.*$/.test(text)',
      "text === undefined || text === ''",
    ],
    'a rule names the host': [
      '/^https:\\/\\/[\\w.-]+(?::\\d+)?\\/[\\x21-\\x7e]*$/.test(text)',
      "text.startsWith('https:')",
    ],
  }),
  ...planted('src/terminal/sgr.ts', ['test/terminal/painter.test.ts'], {
    'an address holds sequences': ['/^(?:https:\\/\\/[\\x21-\\x7e]+)?$/.test(url)', "url !== ' '"],
  }),
  ...planted('src/terminal/modes.ts', WRITER, {
    'the wheel is taken from the next program': [
      "leave: '\\x1b[?1007r', what",
      "leave: '\\x1b[?1007l', what",
    ],
    'paste mode stays': ["leave: '\\x1b[?2004l', what", "leave: '', what"],
    'the mouse goes on being reported': ['leave: MOUSE.off', "leave: ''"],
    'the last resort waits for ever': [
      'if (!isFull(error) || performance.now() >= end) return;',
      'if (!isFull(error)) return;',
    ],
    'a terminal is restored twice': ['if (!isEntered) return;', ''],
  }),
  ...planted('src/terminal/cell-screen.ts', ['test/terminal/suspend.test.ts'], {
    'nobody continues an orphan': [
      'const cancel = clock.after(NOT_STOPPED_MS, goOn);',
      'const cancel = () => {};',
    ],
  }),
  ...planted('src/terminal/cell-screen.ts', WRITER, {
    'a copy without a bound': ['sequence.length > LONGEST_SEQUENCE ? null :', ''],
  }),
  ...planted('src/effects/storage-write.ts', CHANGE, {
    'drift is not looked for': [
      "return differences.length > 0 ? { kind: 'drift', now, differences } : now;",
      'return now;',
    ],
    'a write without an undo on the disk': [
      "if (!intended.ok) return { kind: 'unrecorded', problem: intended.problem };",
      "if (!intended.ok) throw await client.updateStorageZone(before.id, patch, { priority: 'user' });",
    ],
    'a zone that could not be read is written': [
      "if (!fresh.ok) return { kind: 'unread', failure: fresh.failure };\n  const now = fresh.value;",
      'const now = fresh.ok ? fresh.value : change.zone;',
    ],
    'a cancelled change is sent': ["if (o.signal.aborted) return { kind: 'cancelled' };", ''],
  }),
  ...planted('src/effects/storage-write.ts', ['test/effects/storage-turns.test.ts'], {
    'the request waits for its slot after the read': [
      "{ priority: 'user', permit });\n  permit.release('unsent');",
      "{ priority: 'user' });\n  permit.release('unsent');",
    ],
    'a read of long ago is relied on': ['now - guard.readAt <= FRESH &&', ''],
  }),
  ...planted('src/domain/storage/storage-verdict.ts', CHANGE, {
    'a request under way counts as settled': ['isDone || now >= until ||', 'isDone || now > 0 ||'],
    'the answer of a gateway counts as that of the server': [' || failure.status > 500', ''],
  }),
  ...planted('src/files/durable-files.ts', CHANGE, {
    'a file is not fsynced': [
      'Buffer.from(content) : content);\n      await file.sync();',
      'Buffer.from(content) : content);',
    ],
    'a torn line takes the next one with it': ["${(await endsTorn(file, found.size)) ? '\\n' : ''}", ''],
  }),
  ...planted('src/files/durable-files.ts', ['test/print/output.test.ts', 'test/print/resumed.test.ts'], {
    'a write that is taken in part counts as whole': [
      'for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);',
      'writeSync(file, bytes);',
    ],
  }),
  ...planted('src/print/logs/resume.ts', ['test/print/resumed.test.ts'], {
    'an output is known by its length': [
      "hash.copy().digest('hex') !== before.digest",
      "hash.copy().digest('hex') === ''",
    ],
    'rows that went elsewhere are noted': ['return sizeOf(descriptor) === size;', 'return true;'],
  }),
  ...planted('src/config/private-file.ts', ['test/config/config.test.ts', 'test/config/check.test.ts'], {
    'a link to a key file is followed': ['| (isShared ? 0 : O_NOFOLLOW)', ''],
    'a key file that others read is taken': [
      'if (!isShared && (found.mode & 0o077) !== 0) {',
      'if (false) {',
    ],
  }),
  ...planted('src/text/shell-command.ts', ['test/text/shell-command.test.ts'], {
    'a quote in a name ends the word of a printed command': [
      "text.replace(/['\\\\]/g,",
      'text.replace(/[\\\\]/g,',
    ],
    'a backslash escapes the quote behind it in fish': ["text.replace(/['\\\\]/g,", "text.replace(/[']/g,"],
    'a control of a name is pasted as it is': [
      "const isShown = text.split('\\\\').every((part) => sanitise(part, 'text') === part);",
      'const isShown = true;',
    ],
  }),
  ...planted('src/print/storage-command.ts', ['test/print/storage.test.ts'], {
    'a printed undo is escaped after it was quoted': [
      '  say(o.stderr, `to undo: ${command',
      '  tell(o, `to undo: ${command',
    ],
  }),
  ...planted('src/text/say.ts', ['test/print/standard-error.test.ts'], {
    'controls reach standard error': ['lines.map(inScreenText)', 'lines'],
  }),
  ...planted('src/print/shield-command.ts', ['test/architecture.test.ts'], {
    'a writer goes round the door of standard error': [
      "say(o.stderr, `${sanitise(zone.name, 'text', 100)} has no",
      'o.stderr.write(`${zone.name} has no',
    ],
  }),
  ...planted('src/domain/handover/wire-request.ts', ['test/domain/crumb.test.ts'], {
    'a copied request has the key among its arguments': [
      "'-H', '@-'];",
      "'-H', `AccessKey: $${KEY_VARIABLE}`];",
    ],
  }),
  ...planted('src/config/trace.ts', ['test/config/strange-files.test.ts'], {
    'a trace follows a link': ['| O_CREAT | O_NOFOLLOW |', '| O_CREAT |'],
    'a trace goes to a file that others read': [' && (found.mode & 0o077) === 0', ''],
  }),
  ...planted('src/text/secret-values.ts', ['test/text/secret-values.test.ts'], {
    'a code that opens an account once is shown': [
      'OPENING.test(words) || areSecretWords(words)',
      'areSecretWords(words)',
    ],
    'a cookie is shown': ['isSecretName(name) || FIELDS.has', 'isSecretName(name) || new Set().has'],
  }),
  ...planted('src/text/secret-values.ts', ['test/text/secret-values.test.ts'], {
    'a password in XML is shown': ["endAt(text, from, '</')", 'from'],
    'a password in a part of a form is shown': ['([, name]) => name, partEnd', "() => '', partEnd"],
  }),
  ...planted('src/api/http/origin.ts', ['test/api/origin.test.ts'], {
    'our own key is shown where its characters are escaped': [
      "[...value].map(anyForm).join('')",
      'RegExp.escape(value)',
    ],
    'a key with one percent-encoded character is not looked for': ['if (isInRun(at)) return true;', ''],
    'a key with one character behind a backslash is not looked for': [
      'if (isOne && isInRun(at)) return true;',
      '',
    ],
  }),
  ...planted('src/domain/tail/tail-pace.ts', ['test/effects/tail.test.ts'], {
    'late rows of a slow zone wait for the final read': [
      'isLook ? Math.min(o.sinceLook, most / o.rate) : 0',
      '0',
    ],
    'a slow zone is read again and again': ['const LEAST_AGAIN = 2_000;', 'const LEAST_AGAIN = 12_000;'],
  }),
  ...planted('src/files/durable-files.ts', ['test/config/strange-files.test.ts'], {
    'a temporary file has a name that can be guessed, and a link there is followed': [
      "const file = openSync(temporary, 'wx', mode);",
      "const file = openSync((temporary = `${path}.${process.pid}.tmp`), 'w', PRIVATE_FILE);",
    ],
  }),
  ...planted('src/files/file-trouble.ts', ['test/config/strange-files.test.ts'], {
    'a file of another user is written': ["? 'it belongs to another user' : null", '? null : null'],
  }),
  ...planted('src/config/settings/credentials.ts', ['test/config/config.test.ts'], {
    'a key with any character': [
      'const NOT_IN_HEADERS = /[^\\x21-\\x7e]/;',
      'const NOT_IN_HEADERS = /(?!)/;',
    ],
  }),
  ...planted('src/text/secret.ts', ['test/text/secret.test.ts'], {
    'a secret prints as JSON': [
      '  toJSON(): string {\n    return this.toString();',
      '  toJSON(): string {\n    return this.#value;',
    ],
    'a secret prints when it is inspected': [
      '  [INSPECT](): string {\n    return this.toString();',
      '  [INSPECT](): string {\n    return this.#value;',
    ],
  }),
  ...planted('src/api/http/response.ts', CONTRACT, {
    'an empty errorResponse is an error': [
      "  return statusCode < 400 ? null : { code: '',",
      "  return success === null && statusCode < 400 ? null : { code: '',",
    ],
    'a status of failure inside is none': [
      'return statusCode < 400 ? null',
      'return statusCode < 4000 ? null',
    ],
  }),
  ...planted('src/api/shield-calls.ts', CONTRACT, {
    'accepted is no answer about Shield': ['answer.status === 202 && ', 'false && '],
    'damage is a zone without Shield': ["blames === 'content'", 'true'],
  }),
  ...planted('src/api/shield-calls.ts', CONTRACT, {
    'a day without a list is no day': [
      'logs: z.nullish(z.array(z.unknown())),',
      'logs: z.array(z.unknown()),',
    ],
    'an event needs its log': ['timestamp, log: z.optional(z.unknown())', 'timestamp, log: z.unknown()'],
    'a search without counts has one page': ['got < pageSize ? 1 : 2', 'got < pageSize ? 1 : 1'],
  }),
  ...planted('src/api/schemas/scalars.ts', CONTRACT, {
    'one odd item costs its list': [
      '    return parsed.success ? [parsed.data] : [];',
      '    return parsed.success ? [parsed.data] : item.parse(row) && [];',
    ],
  }),
  ...planted('src/api/account-calls.ts', CONTRACT, {
    'a list that does not say more has none': ['HasMoreItems ?? mayHaveMore(list)', 'HasMoreItems ?? false'],
  }),
  ...planted('src/api/account-calls.ts', CONTRACT, {
    'a storage zone needs all its fields': [
      "['Rewrite404To200', maybeFlag]",
      "['Rewrite404To200', flag(false)]",
    ],
  }),
  ...planted('src/api/schemas/log-row.ts', CONTRACT, {
    'an entry needs its host': [
      "values.unmasked(row.host) ?? '';",
      "values.unmasked(row.host) ?? values.odd('');",
    ],
    'an entry needs its path': [
      "values.unmasked(row.path) ?? '';",
      "values.unmasked(row.path) ?? values.odd('');",
    ],
  }),
  ...planted('src/api/schemas/log-row.ts', ['test/effects/saved-secrets.test.ts'], {
    'a row keeps what visitors wrote into its texts': [
      'return text === null ? null : maskUrlSecrets(text);',
      'return text;',
    ],
  }),
  ...planted('src/domain/evidence/diff.ts', ['test/domain/evidence/diff.test.ts'], {
    'a value is told whose name stands beside it': ['VALUE.test(key) ? path : name', 'name'],
  }),
  ...planted('src/api/masking.ts', ['test/text/secret-values.test.ts'], {
    'only a field called Value belongs to the name beside it': ['/value$/i', '/^value$/i'],
  }),
  ...planted('src/api/log-calls-v1.ts', CONTRACT, {
    'a v1 day is asked for by two names of its order': [
      '{ sort: order, start',
      '{ sort: order, order, start',
    ],
  }),
  ...planted('src/print/zones-command.ts', ['test/print/zones.test.ts'], {
    'zones are not printed without their join': [
      "if (mapping.failure.kind === 'cancelled') return",
      'if (!mapping.ok) return',
    ],
  }),
  ...planted('src/domain/health/health-plan.ts', ['test/domain/zone-health.test.ts'], {
    'the oldest millisecond of a cut answer counts as read whole': [
      'Math.min(least, time))) + 1;',
      'Math.min(least, time)));',
    ],
    'time that the server has not reached counts as read': [
      'serverNow === null ? asked : Math.min(asked, serverNow)',
      'asked',
    ],
    'what Shield refuses to tell is asked again at once': [
      "if (answer.kind === 'failed' && reading.kind === 'blocked') return withBlocked(health, reading, null);",
      "if (answer.kind === 'failed' && reading.kind === 'blocked') return health;",
    ],
  }),
  ...planted('src/domain/health/zone-health.ts', ['test/domain/zone-health.test.ts'], {
    'the beginning of an incident is what is usual': [
      '(past[0]?.from ?? newest) <= newest - PAST_LEAST ? past : []',
      'past',
    ],
  }),
  ...planted('src/domain/health/health-score.ts', ['test/domain/zone-health.test.ts'], {
    'errors that were always there stand for nothing': [
      "measure === 'errors' ? Math.max(rise, tooMany(here, share)) : rise",
      'rise',
    ],
  }),
  ...planted('src/domain/differing.ts', ['test/domain/zone-health.test.ts'], {
    'one error of few rows is as unlikely as many of many': [
      'sum + o * Math.log(o / e)',
      'sum + 100 * Math.log(o / e)',
    ],
  }),
  ...planted('src/domain/differing.ts', ['test/domain/differing.test.ts'], {
    'what is less while all else is still less is more frequent': ['excess * grown > 0 &&', ''],
    'what kept its number while all else fell is more frequent': [
      'changeOf(countNow, countUsual, scale) >= MORE.number',
      'true',
    ],
    'the most that a value can have been is called more': ['excess > 0 ? !isAtMostNow', 'excess > 0 ? true'],
  }),
  ...planted('src/state/list/screen-layout.ts', ['test/state/beside.test.ts'], {
    'top values are counted under the help': [
      '(state.overlay === null && hasValuesBeside(state))',
      'hasValuesBeside(state)',
    ],
  }),
  ...planted('src/across/beside/top-values.ts', ['test/state/beside.test.ts'], {
    'a field without a value takes lines': [
      'values.some(({ value }) => value !== null)',
      'values.length > 0',
    ],
    'values change under a cursor on them': ["if (overlay?.kind === 'topValues') return null;", ''],
    'all fields are counted again at once': ['now - newest >= TURN', 'now - newest >= 0'],
    'a field is counted again at each answer': ['now - oldest.at >= RECOUNT_AFTER', 'now - oldest.at >= 0'],
    'values of another filter stay': [
      'a.generation === b.generation && a.query === b.query',
      'a.generation === b.generation',
    ],
    'rows that a pause keeps back are counted': [
      'book.isFrozen ? book.rowsInView : book.version',
      'book.version',
    ],
    'a counting keeps the rows of a log that was left': [
      'work === null || work.of.generation === state.session?.generation',
      'work === null || state.session === null',
    ],
  }),
  ...planted('src/across/beside/detail.ts', ['test/state/beside.test.ts'], {
    'a held key tells every row on its way': ['`rest ${key}`', "'rest'"],
  }),
  ...planted('src/across/beside/painting/beside-lines.ts', ['test/ui/beside.test.ts'], {
    'the cursor of the top values leaves the screen': ['cursor - room + 1', 'cursor - room - 1'],
  }),
  ...planted('src/screens/zones/health-reading.ts', ['test/state/health.test.ts'], {
    'zones that do not answer take all the requests': [
      'underWay.filter(isSlow).length >= SLOW_UNDER_WAY',
      'underWay.filter(isSlow).length >= UNDER_WAY',
    ],
    'the picker is read on while a log is on screen': [
      "!leaving && topOf(state, 'zones') !== null",
      '!leaving',
    ],
    'the order changes under a cursor that was moved': [
      'if (isHeld(state)) return state;',
      'if (isHeld(state) && false) return state;',
    ],
    'lines change places with every answer': ['return wasFilled && state.now', 'return false && state.now'],
    'our own clock says which rows are the newest': ['now: state.now - clockAhead,', 'now: state.now,'],
  }),
  ...planted('src/domain/handover/health-shapes.ts', ['test/print/health.test.ts'], {
    'the health of an account begins with the best': [
      '(b.score ?? -1) - (a.score ?? -1)',
      '(a.score ?? -1) - (b.score ?? -1)',
    ],
    'no reason is told of a zone whose log was not read': [
      'scored === null && said.length === 0 ? unreadWhy(zone)',
      "scored === null && said.length === 0 ? ''",
    ],
  }),
  ...planted('src/effects/read-health.ts', ['test/print/health.test.ts'], {
    'a zone that never answers is waited for': ['() => late.abort()', '() => {}'],
  }),
  ...planted('src/print/health/health-command.ts', ['test/print/health.test.ts'], {
    'the newest rows are those before the clock of another server': [
      'if (first !== undefined) await presentOfLogs(o, [first, ...others]);',
      '',
    ],
    'slow zones hold up those behind them': ['clock.sleep(PATIENCE, ended.signal)', 'working'],
  }),
  ...planted('src/print/health/health-command.ts', ['test/print/health-watch.test.ts'], {
    'an account is asked without pauses': ['n < first ? pace : round / turns.length', 'pace'],
    'a refused zone is asked again and again': ['turns.filter((each) => each !== watched)', '[...turns]'],
  }),
  ...planted('src/domain/watch/watch.ts', ['test/domain/account-watch.test.ts'], {
    'the rate of samples counts the time between them': [
      'counted, figures.covered)',
      'counted, figures.to - figures.from)',
    ],
  }),
  ...planted('src/domain/tail/merged-report.ts', ['test/domain/merged-report.test.ts'], {
    'a log is complete before every zone has answered': [
      'completeTo: isWhole ? least(',
      'completeTo: told.length > 0 ? least(',
    ],
    'a window is read as far as its zones are read on their own': [
      '(report.readShare * lengthOf(read)) / lengthOf(report.read)',
      'report.readShare',
    ],
    'the history of a zone that answers late is late': [
      'const from = readTo(before) ?? opened;',
      'const from = readTo(before) ?? Number.NEGATIVE_INFINITY;',
    ],
  }),
  ...planted('src/state/sessions/zone-tails.ts', ['test/state/several-zones.test.ts'], {
    'a zone whose logging is off is asked': ['.filter(({ logging }) => logging)', '.filter(() => true)'],
    'each first answer to a changed question drops the rows of the others': [
      'const book = session.replacing\n',
      'const book = session.replacing || tail.report === null\n',
    ],
    'a name in the query is compared with ids': [
      'book.setFilter(withZoneIds(query.terms, zones)',
      'book.setFilter(query.terms',
    ],
  }),
  ...planted('src/state/sessions/paging.ts', ['test/state/several-zones.test.ts'], {
    'a gap of one zone is read in all of them': ['gap.zone === undefined || gap.zone === zone.id', 'true'],
  }),
  ...planted('src/effects/run.ts', ['test/session/several-zones.test.ts'], {
    'an order to the tail of one zone goes to all': [
      'zone === undefined || tail.zone === zone',
      'zone === undefined || zone !== null',
    ],
  }),
  ...planted('src/effects/run.ts', ['test/effects/tail-turns.test.ts'], {
    'what an ended tail told is handed on': ['if (places.has(place)) pass()', 'pass()'],
    'each answer about each zone is a frame of its own': [
      'if (isAlone && waiting.length === 0)',
      'if (clock)',
    ],
  }),
  ...planted('src/domain/logs/filter/row-test.ts', ['test/state/several-zones.test.ts'], {
    'all zones of a log cut addresses alike': ["cuts.get(pullZoneId.value(slot) ?? '') ?? 'none'", "'none'"],
  }),
  ...planted('src/domain/timeline/steps.ts', ['test/domain/timeline/steps.test.ts'], {
    'steps that move on flip between two lengths': [
      'isMoving ? Math.ceil((to - from) / step) + anchor <= most :',
      'isMoving && most < 0 ? false :',
    ],
    'steps that move on begin anew with each row': [
      'const anchor = isMoving ? ANCHOR : 1;',
      'const anchor = 1;',
    ],
    'what one of several zones has read counts as read': ['isRead &&= time >=', 'isRead ||= time >='],
    'a step that is read in part is read': [
      'isRead &&= time >= asked.to - asked.from',
      'isRead &&= time > 0',
    ],
    'a step that still goes on is read': ["else if (asked.to > end) covers.push('open');", ''],
    'gaps that overlap take from each other': [
      'Math.max(0, Math.min(to, range.to) - Math.max(from, range.from))',
      'Math.min(to, range.to) - Math.max(from, range.from)',
    ],
  }),
  ...planted('src/domain/timeline/scale.ts', ['test/domain/timeline/scale.test.ts'], {
    'one peak flattens the rest': ['most > PEAK * high', 'most < 0'],
    'a lasting rise is a peak': ['const ORDINARY = 0.9;', 'const ORDINARY = 0.5;'],
  }),
  ...planted('src/domain/timeline/stack.ts', ['test/domain/timeline/stack.test.ts'], {
    'a little is nothing': ['Math.max(1, Math.round(level * height * 8))', 'Math.round(level * height * 8)'],
    'the smallest part gives way to a larger one': [
      'const chosen = [largest, ...present.filter((part) => part !== largest)].slice(0, cells);',
      'const chosen = [largest];',
    ],
  }),
  ...planted('src/domain/logs/order/log-order.ts', ['test/domain/log-timeline.test.ts'], {
    'a late row is not counted in a step that was': [
      'const time = this.#columns.time(slot);\n    this.#came(time);',
      'const time = this.#columns.time(slot);',
    ],
    'a row that went is counted on': ['this.changed.timeline.went(time);', ''],
  }),
  ...planted('src/domain/logs/log-book.ts', ['test/domain/log-timeline.test.ts'], {
    'rates stay as they were when a late row comes': ['|| rates.touch(range))', ')'],
  }),
  ...planted('src/domain/logs/sums/timeline-counts.ts', ['test/domain/log-timeline.test.ts'], {
    'blocks keep the counts of another series': [
      'for (const block of this.#order.blocks) block.mix = null;',
      '',
    ],
    'steps of another length are known': ['last.steps.step !== step ||', 'step < 0 ||'],
  }),
  ...planted('src/domain/logs/sums/timeline-counts.ts', ['test/domain/log-timeline.test.ts'], {
    'rows that the filter hides are counted': ['isAll || ((own[row]', 'limit > 0 || ((own[row]'],
    'many statuses share a counter': ['isAll && limit <= FEW', 'isAll'],
  }),
  ...planted('src/domain/logs/order/log-arrivals.ts', ['test/domain/log-timeline.test.ts'], {
    'more rows at once than are kept take the place of none': ['over > size || ', ''],
    'a second pause moves the first': ['this.frozenAt ??= this', 'this.frozenAt = this'],
  }),
  ...planted('src/state/sessions/log-times.ts', ['test/state/timeline.test.ts'], {
    'a paused timeline goes on': [
      '(book.frozenAt ?? Number.POSITIVE_INFINITY) + 1',
      'Number.POSITIVE_INFINITY',
    ],
    'a file with one wrong time is fifty years': ['bulk.from - all.from > far ?', 'bulk.from < 0 ?'],
    'the window of a file is lost in all of it': ['asked === null ?', 'asked !== undefined ?'],
    'files are complete while they are read': ["isOfFiles && source.report.status === 'reading'", 'false'],
    'a zone without a log leaves all unread': ['tails.map(({ zone }) => zone)', 'source.zones'],
    'a zone that fails ends the timeline': ['Math.min(Math.max(...ends)', 'Math.min(Math.min(...ends)'],
    'a window that has not come is empty': ['end: Math.min(to, now)', 'end: to'],
  }),
  ...planted('src/state/timeline/timeline.ts', ['test/state/timeline.test.ts'], {
    'rows are hidden behind a hatch': ["isCounted(each) || totals[at] === 0 ? each : 'part'", 'each'],
  }),
  ...planted('src/keys/bindings.ts', ['test/keymap/answered-keys.test.ts'], {
    'a toggle changes the state and nothing on screen': [
      "where: OF_ONE_ROW,\n      does: 'times in UTC",
      "where: VIEWS,\n      does: 'times in UTC",
    ],
  }),
  ...planted('src/screens/shield/shield-ask.ts', ['test/state/shield-histogram.test.ts'], {
    'a search for events is taken for one that asks for steps': [
      'groupBy.length === 0 || knowsBuckets',
      'knowsBuckets',
    ],
  }),
  ...planted('src/screens/log/painting/log-body.ts', ['test/ui/log-cells.test.ts'], {
    'a cache status is looked up where every object has members': [
      'CACHE_SLOTS.get(record.cacheStatus)',
      '(Object.fromEntries(CACHE_SLOTS) as Record<string, ThemeSlot>)[record.cacheStatus]',
    ],
  }),
  ...planted('src/across/timeline/brush.ts', ['test/state/brush.test.ts'], {
    'the window selected goes beyond what has come': [
      'Math.min(range.to, stepAt(steps, Math.max(one, other)).to)',
      'stepAt(steps, Math.max(one, other)).to',
    ],
    'the cursor goes where nothing has come': ['0, lastCome(timeline));', '0, steps.count - 1);'],
    'a cursor stays that nobody sees': [
      "state.overlay?.kind === 'timeline' && timelineRows(state) === 0",
      'timelineRows(state) < 0',
    ],
    'times are compared with such that have not come': [
      'of: timeline.range',
      'of: { ...timeline.range, to: range.to }',
    ],
    'groups of other rows are chosen where a window cannot be made': [
      'if (isDrilled(state)) return WINDOW_BELOW;',
      '',
    ],
    'Esc leaves with the selection': ['brush.anchor === null ? null : { ...brush, anchor: null }', 'null'],
  }),
  ...planted('src/domain/inquiry/log-reading.ts', ['test/domain/questions/log-reading.test.ts'], {
    'a window in two parts is half as dear again': ['slicesLeft -= own;', ''],
    'a part of a window counts as all of it': [
      'const asked = windows.length * lengthOf(parts);',
      'const asked = windows.length * lengthOf(parts.slice(0, 1));',
    ],
  }),
  ...planted('src/across/timeline/painting/timeline-cells.ts', ['test/ui/timeline-lines.test.ts'], {
    'the number of a peak covers columns': [
      "[...words].every((_, i) => (cells[first + i] ?? BLANK).sign === ' ')",
      'words.length > 0',
    ],
    'time that is not read looks empty': ["cover === 'unread' || cover === 'part' ?", 'false ?'],
    'what went wrong is lost under a large column': ['if (worst === 0 ||', 'if (worst >= 0 ||'],
    'a mark hides a digit of a time': [
      'isText ? { sign: cell.sign, slot: over } : { sign, slot }',
      '{ sign, slot }',
    ],
    'a few hatched cells are covered by words': [
      'if (room < 2 * BESIDE_NAME) continue;',
      'if (room < -99) continue;',
    ],
  }),
  ...planted('src/across/timeline/painting/timeline-cells.ts', ['test/ui/timeline-lines.test.ts'], {
    'a column stays as it was drawn, whatever rows came': ['parts === same.#timeline.counts[at] && ', ''],
    'columns keep the height of another scale': ['this.#timeline.top === other.#timeline.top', 'true'],
  }),
  ...planted('src/across/timeline/painting/timeline-cells.ts', ['test/ui/cells.test.ts'], {
    'days begin at one after the clock was set': [
      'time = local - clockShift(near, zone);',
      'time = local - clockShift(from, zone);',
    ],
  }),
  ...planted('src/across/timeline/painting/brush-words.ts', ['test/ui/timeline-lines.test.ts'], {
    'a part of the rows is told as all': ["isPart ? 'at least ' : ''", "''"],
    'a gap is time that nobody read': ["known.includes('gap')", 'known.length < 0'],
    'the keys of the timeline give way to its words': ['head - timeline > 1', 'head < timeline'],
  }),
  ...planted('src/keymap/resolve.ts', ['test/state/brush.test.ts'], {
    'an arrow with Shift is no arrow': ["press.replace(/^Shift-(?=Left$|Right$)/, '')", 'press'],
  }),
  ...planted('src/screens/log/painting/log-body.ts', ['test/ui/several-zones.test.ts'], {
    'names that are cut become one': ['if (isDifferent(labels)) return labels;', 'return labels;'],
  }),
  ...planted('src/simulator/http/answers.ts', SIM_CONTRACT, {
    'a list without a page is one': ['const isBare = Number(', 'const isBare = 1 === Number('],
  }),
  ...planted('src/simulator/traffic/incidents.ts', ['test/simulator/shared-origin.test.ts'], {
    'an origin fails at another time in each of its zones': [
      '(mix(mix(seed, 0x0412), n) % jitter)',
      '(mix(mix(zone.salt, 0x0412), n) % jitter)',
    ],
    'half of an origin fails like all of it': [
      "make(seed, zone, 'originFailure', from, 2000 + n, { minutes, extent })",
      "make(seed, zone, 'originFailure', from, 2000 + n, { minutes, extent: 1 })",
    ],
  }),
  ...planted('src/simulator/account/pull-zones.ts', SIM_CONTRACT, {
    'an enum is a word': ['    Type: 0,', "    Type: 'Premium',"],
  }),
  ...planted('src/api/schemas/log-v1.ts', FORWARDED, {
    'a head passes for a cache status': ["    !cacheStatus.includes(' ') &&\n", ''],
  }),
  ...planted('src/api/schemas/saved-log.ts', FORWARDED, {
    'a bracket in quotes ends the data of a head': [
      "if (line[at] === '\"') isQuoted = !isQuoted;",
      "if (line[at] === '\"') isQuoted = false;",
    ],
  }),
  ...planted('src/api/schemas/packed-v1.ts', FORWARDED, {
    'the fast way takes a line with a head': ['view.getUint8(at) <= SPACE', 'view.getUint8(at) < SPACE'],
  }),
  ...planted('src/domain/query/query-time.ts', ['test/domain/window-text.test.ts'], {
    'a typed window ends on a day that has not begun': [
      "return isAhead || (from.kind !== 'clock' && end - start > DAY / 2);",
      'return false;',
    ],
    'a typed window takes a day that is not for the one after it': [
      'return isThatDay ? midnight : null;',
      'return midnight;',
    ],
  }),
  ...planted('src/domain/query/query-text.ts', ['test/domain/window-text.test.ts'], {
    'a typed window that a space tore apart is searched for': ['if (apart) return failed(apart);', ''],
  }),
  ...planted('src/screens/log/placed-columns.ts', ['test/ui/dates.test.ts'], {
    'a row of another day has no date where the newest is of today': ['timeAt(book, 0, 1), ', ''],
  }),
  ...planted('src/config/command/usage.ts', ['test/config/command-line.test.ts'], {
    'the help takes a word of the language for a command': [
      'Object.hasOwn(PROGRAM_COMMANDS, word)',
      'word in PROGRAM_COMMANDS',
    ],
  }),
  {
    name: 'signals do not restore the terminal',
    file: 'src/terminal/modes.ts',
    find: 'const handler = () => leave(code);',
    put: 'const handler = () => process.abort();',
    tests: ['test/pty/screen.test.ts'],
    isBuilt: true,
  },
  ...planted('src/state/list/list-screen.ts', ['test/state/zones.test.ts'], {
    'a page of a list that was cancelled is listed': ['if (request !== list.request) return null;', ''],
  }),
  ...planted('src/screens/screens.ts', ['test/session/stories.test.ts'], {
    'a list is placed as if nothing lay beneath it': ['views: views.slice(0, at + 1)', 'views: [view]'],
  }),
  ...planted('src/screens/explorer.ts', ['test/state/same-value.test.ts'], {
    'a value is searched for as a text anywhere': ['{ needle, field }, direction', '{ needle }, direction'],
  }),
  ...planted('src/state/list/list-screen.ts', ['test/state/sideways.test.ts'], {
    'other columns are shown scrolled': ['sideways.among === columnsOf(state, view, ids())', 'true'],
  }),
  ...planted('src/loop/global-commands.ts', ['test/state/sideways.test.ts'], {
    'a column scrolls past its longest text': [
      'Math.min(from + half, lastCell(column, from + half))',
      'from + half',
    ],
  }),
  ...planted('src/domain/logs/columns/column-needs.ts', ['test/domain/column-needs.test.ts'], {
    'a column shrinks while it is read': [
      'Math.max(before.usual, lengths.within(USUAL))',
      'lengths.within(USUAL)',
    ],
    'a host goes with the rows of the other': ['known.hasHosts || coded', 'coded'],
    'one client widens a column for all': ['const USUAL = 0.9;', 'const USUAL = 1;'],
  }),
  ...planted('src/domain/logs/dictionary/dictionary.ts', ['test/domain/column-needs.test.ts'], {
    'a column is as wide as the text that came last': [
      'const STEPS = [8, 16,',
      'const STEPS = [8, 10, 12, 14, 16,',
    ],
  }),
  ...planted('src/domain/logs/pane-columns.ts', ['test/domain/column-needs.test.ts'], {
    'a host that all rows have takes room from the path': ["(id !== 'host' || needs.hasHosts)", 'true'],
    'an empty column takes room from the path': [
      ".filter((id) => id !== 'ip' || hasAddresses)",
      '.filter(() => true)',
    ],
    'the client comes before the path': ["    ['path', Math.max(PATH_LEAST, path.usual)],\n", ''],
  }),
  ...planted('src/domain/logs/client-name.ts', ['test/domain/client-name.test.ts'], {
    'all of a hostile user agent is looked at': ['userAgent.slice(0, LOOKED_AT)', 'userAgent'],
    'a phone is taken for a robot': [' && name.toLowerCase() !== PHONE', ''],
    'the address of a robot is its name': [" || name.includes('@')", ''],
  }),
  ...planted('src/domain/query/directory.ts', ['test/domain/directory.test.ts'], {
    'a part of a segment is left out': ["head.lastIndexOf('/', at - 1) + 1", 'at'],
    'a directory that the query hides is left out': ['term.negated || ', ''],
  }),
  ...planted('src/paint/path-cells.ts', ['test/ui/log-cells.test.ts'], {
    'a path of another directory loses its beginning': ['!path.startsWith(directory) || ', ''],
    'a path that fits loses its beginning': ['path.length <= columns || ', ''],
    'what is found in a directory is left out': ['at >= 0 && at < directory.length', 'false'],
  }),
  ...planted('src/screens/log/painting/log-body.ts', ['test/ui/log-cells.test.ts'], {
    'a row is found by a text that it does not show': [
      'if (finds.length === 0) return null;',
      'return null;',
    ],
  }),
  ...planted('src/domain/logs/groups/group-shape.ts', ['test/domain/group-shape.test.ts'], {
    'a table of groups moves back and forth': [
      'inSteps(text?.length ?? 0)), cells)',
      'inSteps(text?.length ?? 0)), 0)',
    ],
    'a shared directory comes back': ['before === undefined ? texts : [before, ...texts]', 'texts'],
  }),
  ...planted('src/screens/log/group-commands.ts', ['test/ui/group-lines.test.ts'], {
    'groups of other rows keep the columns of those before': [
      '...before, query, ...uncounted',
      '...before, query, ...uncounted, shape: before.shape',
    ],
  }),
  ...planted('src/screens/answer/painting/answer-body.ts', ['test/ui/cells.test.ts'], {
    'figures stand at the far edge': ['isLast ? rest : ', 'isLast || true ? rest : '],
    'a long name pushes its figures out of sight': ['Math.min(rest, NAME_MOST, ', 'Math.min(rest, '],
  }),
  ...planted('src/screens/zones/painting/zones-painting.ts', ['test/ui/cells.test.ts'], {
    'the column that the list is sorted by goes': ['sort !== null && each.sort === sort', 'false'],
  }),
  ...planted('src/screens/answer/answer-screen.ts', ['test/state/answer.test.ts'], {
    'rows that come take the cursor from where it was put': [
      "isMoved: view.stage.kind !== 'priced'",
      'isMoved: false',
    ],
  }),
  ...planted('src/build/loader.js', ['test/cli/launcher.test.ts'], {
    'compiled code of a folder that others can replace is run': [
      'isOurs && isBelowTrusted(folder)',
      'isOurs',
    ],
    'what the program starts finds the libraries of its Node': ['delete process.env.LD_LIBRARY_PATH;', ';'],
    'a program that another user put beside the launcher is run': ['found.uid === uid ?', 'true ?'],
    'a program of another build is run': ['if (!program.startsWith(`/*${hash}*/`)) {', 'if (false) {'],
    'rows that went pile up in memory': ['--heap-growing-percent=20', '--heap-growing-percent=0'],
    'compiled code of anybody is run': [
      'found.isFile() && found.nlink === 1 && isOwn(found)',
      'found.isFile()',
    ],
  }),
  ...planted('src/build/launcher.sh', ['test/cli/launcher.test.ts'], {
    'a crash dumps the memory with the key in it': ['ulimit -c 0\n', ''],
    'a dump that is piped to a program holds the key': ['echo 0 >"/proc/$$/coredump_filter"', ':'],
    'Node keeps and runs compiled code where the environment says': ['unset NODE_COMPILE_CACHE\n', ''],
    'a Node that anybody put beside the program is run': [' && came_together; then', '; then'],
  }),
  ...planted('src/build/packages/pinned.ts', ['test/build/packages.test.ts'], {
    'any library goes into a package': ["hash('sha256', readFileSync(file)) !== sha256", "sha256 === ''"],
    'any Node goes into a package': [
      "integrity !== `sha512-${hash('sha512', content, 'base64')}`",
      "integrity === ''",
    ],
  }),
  ...planted('src/screens/zones/zones-screen.ts', ['test/state/zones.test.ts'], {
    'a logging token opens nothing on screen': [
      "const isOfLog = failure.kind === 'noKey' &&",
      'const isOfLog = false &&',
    ],
  }),
  ...planted('src/config/settings/least-key.ts', ['test/config/config.test.ts'], {
    'a key for one API goes to another': ['found.api_url !== undefined && baseUrl === undefined', 'false'],
  }),
  ...planted('src/print/logs/log-window.ts', ['test/print/logs.test.ts'], {
    'newest first, what a failure leaves unread is no gap': ['[...part.gaps, ...older]', 'part.gaps'],
  }),
  ...planted('src/build/packages/archive.ts', ['test/build/archives.test.ts'], {
    'a package tells the mask of who made it': ['process.umask(MASK)', 'process.umask()'],
  }),
  ...planted('src/build/packages/install.sh', ['test/build/install.test.ts'], {
    'what is not what SHA256SUMS names is installed': [
      '[ "$(sum "$folder/archive")" = "$wanted" ] ||',
      '[ -n "$(sum "$folder/archive")" ] ||',
    ],
  }),
  ...planted('src/build/packages/build.ts', ['test/build/packages.test.ts'], {
    'a portable package does not run on a bare Linux': ['besideNode(node.library)', '[]'],
    'a package of the bundle is in no bill of materials': [
      'return [...once].sort(',
      'return [...once].slice(1).sort(',
    ],
  }),
  ...planted('src/build/node/link.mjs', ['test/build/install.test.ts'], {
    'an install passes where its Node cannot start': ['.status !== 0', '.status === undefined'],
  }),
  ...planted('src/doctor/doctor.ts', DOCTOR, {
    'a clock that is off is fine': ['Math.abs(furthest) <= SAME_TIME', 'told.length > 0'],
    'a request that fails is fine': ['failure === null || isOfTheRequest(failure)', 'failure !== undefined'],
  }),
  ...planted('src/doctor/doctor.ts', DOCTOR, {
    'a trouble ends with 0': ['?.exit ?? 0;', '?.exit && 0;'],
    '--offline asks': ['const servers = o.offline', 'const servers = o.offline && !hasKey'],
  }),
  ...planted('package-lock.json', ['test/architecture.test.ts'], {
    'the binary of Node is installed whatever it is': [
      '      "integrity": "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",\n',
      '',
    ],
  }),
  ...planted('src/config/settings/settings.ts', ['test/config/config.test.ts'], {
    'the key of another platform goes to the usual server of origin errors': [
      'baseUrl.value === SERVERS.baseUrl.usual && loggingUrl.value === SERVERS.loggingUrl.usual',
      'true',
    ],
  }),
  ...planted('src/domain/evidence/diff.ts', EVIDENCE, {
    'a secret is told where its name stands in another field': [
      "pathOf(name, typeof named === 'string' ? named : '')",
      'name',
    ],
    'a secret behind its name in plain text is told': ['maskedText(upToSecret(text))', 'maskedText(text)'],
    'a value that only looks like a key is told': ['(isOpaque(run) ? MASK : run)', 'run'],
  }),
  ...planted('src/domain/evidence/told-causes.ts', EVIDENCE, {
    'an error without a time is a cause': ['error.raw === null && ', ''],
    'another edge is as near': ['(isSameEdge ? 0 : OTHER_EDGE)', '0'],
    'an error a minute away is the cause whatever it is': [
      "error.code === 'http_timeout' ? TIMEOUT_REACH : REACH",
      'TIMEOUT_REACH',
    ],
  }),
  ...planted('src/domain/questions/evidence/causes-beside.ts', ['test/domain/questions/incidents.test.ts'], {
    'each zone is told the causes of all': ['zoneId === zone', 'zoneId !== null'],
    'origins are asked about again and again': [
      'this.#isAsked || failing.length === 0',
      'failing.length === 0',
    ],
  }),
  ...planted('src/domain/evidence/origin-tally.ts', EVIDENCE, {
    'a few errors a day are a beginning': ['own.length <= most * SHARE', 'own.length <= 0'],
  }),
  ...planted('src/domain/evidence/change.ts', EVIDENCE, {
    'a change of another zone is blamed': ['const mayBe = isOwn && (', 'const mayBe = ('],
    'a change long before is near': ['by <= NEAR_START', 'by <= 100 * NEAR_START'],
    'a storage zone with the id of the zone is the zone': ['storage|dns', 'dns'],
  }),
  ...planted('src/domain/questions/evidence/ask-causes.ts', EVIDENCE, {
    'no origin error is good news': ["cause === null ? 'unknown'", "cause === null ? 'calm'"],
  }),
  {
    name: 'what was changed right before the window is not looked at',
    file: 'src/domain/questions/evidence/ask-causes.ts',
    find: 'from: from - NEAR_START, to',
    put: 'from, to',
    tests: ['test/session/stories.test.ts'],
  },
  ...planted('src/api/evidence-calls.ts', ['test/api/evidence.test.ts', 'test/api/contract.test.ts'], {
    'one bad origin error costs all': [
      'errorOf(item) ?? { error: salvaged(item, start), zone: null }',
      'errorOf(item) as { error: OriginError; zone: string | null }',
    ],
    'a token leaves an origin error': ['maskUrlSecrets(log.RequestUrl)', 'log.RequestUrl'],
  }),
  ...planted('src/state/evidence/row-cause.ts', ['test/state/evidence.test.ts'], {
    'origin errors that were refused are asked for again and again': [
      " || state.evidence.refused.has('originErrors')",
      '',
    ],
    'every row asks for origin errors': [
      'return isServerError(record.statusCode) ? record : null;',
      'return record;',
    ],
  }),
  ...planted('src/print/ask/ask.ts', ['test/print/ask.test.ts'], {
    'something wrong that was found ends as nothing found': [
      "line['fail-if-found'] && table.verdict === 'wrong'",
      "line['fail-if-found'] && table.verdict === 'calm'",
    ],
    'requests that failed are in no coverage': ['...(failures > 0 ?', '...(failures < 0 ?'],
    'requests that failed end as answered': [
      'asking.failure === null ? 0 : exitCodeOf(asking.failure)',
      'asking.failure === null ? 0 : 0',
    ],
  }),
  ...planted('src/domain/handover/answer-formats.ts', ['test/domain/answer-formats.test.ts'], {
    'a sentence of an answer acts on the terminal': ["return sanitise(text, 'strict');", 'return text;'],
    'findings that are left out are not counted': ['left: all - findings.length', 'left: 0'],
    'a limit is a limit of each list': ['    room -= taken;\n', ''],
    'a list that a limit cut off is called empty': ['findings.all === 0', 'rows.length === 0'],
    'facts in a sheet are no JSON': ['},${csvObject(facts)}`', '},${csvLine([ndjsonLine(facts)])}`'],
  }),
  ...planted('src/text/units.ts', ['test/domain/answer-formats.test.ts'], {
    'a time that is none breaks an answer': [' || !(Math.abs(t) <= FURTHEST_TIME) ? null', ' ? null'],
  }),
  ...planted('src/effects/read-inquiry.ts', ['test/effects/read-inquiry.test.ts'], {
    'an answer costs more requests than were allowed': [
      '(most ?? Number.POSITIVE_INFINITY) - asking.asked',
      'Number.POSITIVE_INFINITY',
    ],
  }),
  ...planted('src/domain/inquiry/inquiry.ts', ['test/effects/read-inquiry.test.ts'], {
    'what failed is asked for until the bound is spent': ['.filter(({ kind }) => !o.failed.has(kind))', ''],
  }),
  ...planted('src/domain/questions/asked/asked.ts', ['test/state/asked-command.test.ts'], {
    'a copied command forgets what it compares with': ["...(back === null ? [] : ['--against', back]),", ''],
  }),
  ...planted('src/domain/questions/wrong/ask-wrong.ts', WRONG, {
    'calm before all is read': ['!isBad && isRead', '!isBad'],
  }),
  ...planted('src/domain/questions/wrong/verdict.ts', WRONG, {
    'what pauses began in its last pause': [
      'timeRead(population, quiet) < quiet.to - quiet.from',
      'quiet.to === 0',
    ],
    'a change after a beginning is blamed': ['at <= before && at', 'at'],
    'any change is blamed': [' && canBring(change, brought)', ''],
    'an edge of what was read is a beginning': [
      'brought === undefined || after === null',
      'brought === undefined',
    ],
    'samples that are unread make nothing less sure': [
      "unread > 0 ? `${counted(unread, 'sample is', 'samples are')} unread` : '',",
      '',
    ],
  }),
  ...planted('src/domain/logs/order/log-arrivals.ts', ['test/domain/packed-rows.test.ts'], {
    'rows that take the place of others may be older': [
      ' || leastOf(times) < this.#order.timeAt(over - 1)',
      '',
    ],
  }),
  ...planted('src/domain/logs/columns/log-columns.ts', ['test/domain/packed-rows.test.ts'], {
    'rows of a batch take freed places over the end of a chunk': [' && (slot & CHUNK_MASK) !== 0', ''],
    'a row in the place of another has its number': [
      'generations[row + i - from] = (generations[row + i - from] as number) + 1;',
      'generations[row + i - from] = 1;',
    ],
  }),
  ...planted('src/domain/deviation/standing.ts', HOURS, {
    'more of what always misses is misses': [
      'if (isMoreAsked && (share < PAGE.factor * base || ',
      'if (share < 0 && (share < PAGE.factor * base || ',
    ],
    'nothing that is asked for more loads an origin': ['now >= LOADED * usual', 'now < 0'],
    'a new version brings requests': [' && !isGrown(known, segment)', ' && false'],
    'whatever an app asks for is a loop': ['>= MOST_OF_PAGE * own.length', '>= 0 * own.length'],
    'how well an answer is says how many there may be': [
      '...SENDER_FIELDS.flatMap((field) =>',
      '...SENDER_FIELDS.slice(0, 3).flatMap((field) =>',
    ],
    'what one scanner asks for in vain is a cause': [
      'return share < SENT.least ? share : 0;',
      'return 0 * share;',
    ],
    'a section is no more than its pages': ["['page', 'shape', 'below', 'path']", "['page']"],
    'what comes in bursts is news': ['segment.score < BURST *', 'segment.score < 0 *'],
    'who reads is a sender': ['if (own.isOne) return isSteady(', 'if (own.isOne) return true || isSteady('],
  }),
  ...planted('src/domain/deviation/deviations.ts', HOURS, {
    'what is usual at any time comes by the day': ['return most - usual >= LIKE', 'return most >= LIKE'],
    'what comes by the day is wrong': [
      'return most - usual >= LIKE_DAY_BEFORE * (share - usual) ? most : null;',
      'return null;',
    ],
  }),
  ...planted('src/domain/deviation/sampled-rows.ts', HOURS, {
    'systems tell versions apart': ['return app === undefined ? null : `${app} *`;', 'return null;'],
    'a folder is no deeper than two': [
      "return folder.split('/').length > 4 ? folder : null;",
      'return null;',
    ],
  }),
  ...planted('src/domain/deviation/failing-pages.ts', HOURS, {
    'what fails of few requests is nothing': [
      'if (worst === undefined) return null;',
      'if (rows.size > 0) return null;',
    ],
  }),
  ...planted('src/domain/questions/wrong/cause-table.ts', HOURS, {
    'a star in the name of a cause is a letter': ["{ ...term, op: 'wildcard' }", '{ ...term }'],
  }),
  ...planted('src/domain/questions/wrong/verdict.ts', HOURS, {
    'what is on and off began when it was seen': [
      'if (after === null || longest < OUTBREAK.quiet) return null;',
      'if (longest >= 0) return null;',
    ],
  }),
  ...planted('src/domain/deviation/standing.ts', WRONG, {
    'what fails as usual is well': ['isAbsolute && !isFiltered ? floor', 'isAbsolute && isFiltered ? floor'],
    'what stayed while all else fell has risen': ['const RISEN = 1.25;', 'const RISEN = 0;'],
  }),
  ...planted('src/domain/deviation/deviations.ts', WRONG, {
    'rows without a name tell when that paused': [
      'return share * all <= hits * MANY_MORE ? rows : null;',
      'return null;',
    ],
  }),
  ...planted('src/domain/deviation/volume.ts', WRONG, {
    'a quiet day is a fall': ['= after !== null && ', '= after === null || '],
    'requests come again and nobody says so': ['> range.to - OVER_AFTER ? null', '> 0 ? null'],
    'half of the requests are enough': ['const FALLEN = { least: 0.55,', 'const FALLEN = { least: 0.25,'],
    'as many come as usual': ['return isFar ? rate', 'return isFar && rate < 0 ? rate'],
  }),
  ...planted('src/domain/deviation/volume.ts', HOURS, {
    'what pauses on the minute has fallen': ['score < BURST * pause.score', 'score < 0 * pause.score'],
  }),
  ...planted('src/domain/deviation/failing-pages.ts', WRONG, {
    'errors of a bad level have nothing in common': ['failed * 2 < own.length ? null', 'failed > 0 ? null'],
    'a page that is answered otherwise was in the cache': [
      'isWell: (marks) => (marks & MARKS.edge) !== 0,',
      'isWell: (marks) => (marks & MARKS.misses) === 0,',
    ],
  }),
  ...planted('src/domain/deviation/stretch.ts', HOURS, {
    'what fades pauses': ['return due < PAUSED.due ? null :', 'return'],
  }),
  ...planted('src/domain/deviation/stretch.ts', WRONG, {
    'what rises begins when it stands out': ['most < RISE.told ? null', 'most > 0 ? null'],
  }),
  ...planted('src/domain/deviation/deviations.ts', WRONG, {
    'rows of one cause are those of another': [
      'of best.taken) known.taken[place] = 1;',
      'of best.taken) known.taken[place] = 0;',
    ],
  }),
  ...planted('src/domain/questions/wrong/sample-times.ts', WRONG, {
    'the newest minute is in no sample': ['[200_000, 80_000, 25_000]', '[200_000]'],
  }),
  ...planted('src/domain/shield/shield-buckets.ts', SPARKS, {
    'steps that do not add up are drawn': ['most === 0 || !isWhole', 'most === 0'],
    'steps that decorate cut the beginning of a window': [
      'sparks === undefined || from > search.from',
      'sparks === undefined',
    ],
  }),
  ...planted('src/screens/shield/shield-reading.ts', SPARKS, {
    'a server that refuses steps refuses its groups': [
      "if (typeof sparks === 'number' && isRefused)",
      "if (typeof sparks === 'string' && isRefused)",
    ],
  }),
  {
    name: 'the launcher restores nothing',
    file: 'src/build/launcher.sh',
    find: '  if [ -n "$before" ]; then settings "$before"; fi\n',
    put: '',
    tests: ['test/cli/launcher.test.ts'],
  },
  {
    name: 'the launcher lets memory stay that was taken for a moment',
    file: 'src/build/launcher.sh',
    find: '="${MALLOC_MMAP_THRESHOLD_:-131072}"',
    put: '="${MALLOC_MMAP_THRESHOLD_:-33554432}"',
    tests: ['test/cli/launcher.test.ts'],
  },
  {
    name: 'a full disk ends with 0',
    file: 'src/headless.ts',
    find: 'ended.resolve(fault === null ? 0 : FAILED);',
    put: 'ended.resolve(0);',
    tests: ['test/cli/full-disk.test.ts'],
    isBuilt: true,
  },
  {
    name: 'Node writes to a file in our place',
    file: 'src/print/output.ts',
    find: 'return found.isFIFO() || found.isSocket() ? null : fd;',
    put: 'return found.isFile() ? null : fd;',
    tests: ['test/print/output.test.ts'],
  },
  ...planted('src/domain/strays.ts', ['test/print/logs.test.ts', 'test/print/shield.test.ts'], {
    'rows of another zone count': ['if (own !== null && own !== zone)', 'if (false)'],
    'rows of another time count': ['time < from - EDGE ||', 'false ||'],
    'what was left out is not told': ['return { kept, ...someStrays(strays) };', 'return { kept };'],
  }),
  ...planted('src/api/shield-calls.ts', ['test/print/shield.test.ts'], {
    'groups of another time count': ['lastSeen !== null && lastSeen < from', 'false'],
  }),
  ...planted('src/api/evidence-calls.ts', ['test/api/evidence.test.ts'], {
    'changes of another day count': ['    changes: kept,', '    changes,'],
  }),
  ...planted('src/domain/strays.ts', ['test/print/causes.test.ts'], {
    'evidence with strays is whole': ['return strays === null ? [] : [`', 'return true ? [] : [`'],
  }),
  ...planted('src/domain/health/health-plan.ts', ['test/print/health.test.ts'], {
    'figures beside strays are whole': [
      'const strayed = straysIn(answer) !== null;',
      'const strayed = false;',
    ],
  }),
  ...planted('src/effects/read-window.ts', ['test/print/logs.test.ts'], {
    'a window with rows that nobody asked for is whole': [
      "plan.read(item.range, records.length);\n      done(item, records, answer.strays ? 'strays' : null);",
      'plan.read(item.range, records.length);\n      done(item, records, null);',
    ],
  }),
  ...planted('src/effects/tail/tail-book.ts', ['test/session/log.test.ts'], {
    'a slice with rows that nobody asked for is read': ['else if (value.strays)', 'else if (false)'],
  }),
  ...planted('src/print/request-notices.ts', ['test/print/output.test.ts'], {
    'a pipe is told of a wait again and again': ['wait.until - toldUntil < TOLD_FROM', 'false'],
    'a notice stands behind a line of progress': ['eraseProgress();', ''],
  }),
  {
    name: 'SIGUSR1 opens a debugger',
    file: 'src/cli.ts',
    find: "process.on('SIGUSR1', () => {});",
    put: '',
    tests: ['test/cli/full-disk.test.ts'],
    isBuilt: true,
  },
  {
    name: 'the causes of groups are remembered from before the evidence came',
    file: 'src/screens/log/group-commands.ts',
    find: 'return told !== evidence.told && asksCause({ terms: [], groupBy: by });',
    put: 'return told === null && asksCause({ terms: [], groupBy: by });',
    tests: CAUSES,
  },
  {
    name: 'a filter by cause is remembered from before the evidence came',
    file: 'src/state/sessions/session.ts',
    find: 'session.told === evidence.told) return false;',
    put: 'session.told !== null) return false;',
    tests: CAUSES,
  },
  {
    name: 'a new book is taken for filtered by what was told before',
    file: 'src/state/sessions/zone-tails.ts',
    find: 'told: book === session.book ? session.told : null,',
    put: 'told: session.told,',
    tests: CAUSES,
  },
  {
    name: 'a row without 5xx gets the cause of another',
    file: 'src/domain/evidence/told-causes.ts',
    find: 'if (!isServerError(status)) return null;',
    put: '',
    tests: CAUSES,
  },
  {
    name: 'a cause leads to all rows of its time',
    file: 'src/domain/questions/evidence/ask-causes.ts',
    find: "isOf5xx ? termForValue('logs', 'cause'",
    put: "isOf5xx && null ? termForValue('logs', 'cause'",
    tests: ['test/domain/questions/evidence.test.ts'],
  },
  {
    name: 'an error of no 5xx leads to rows of which none can have it',
    file: 'src/domain/evidence/origin-tally.ts',
    find: 'status === null || isServerError(status)',
    put: 'true',
    tests: ['test/domain/questions/evidence.test.ts'],
  },
  {
    name: 'what a lost stored file may hold is called imported',
    file: 'src/print/keep/keep-stored.ts',
    find: 'spans.reduce(without, [time])',
    put: '[time]',
    tests: ['test/print/keep-stored.test.ts'],
  },
  {
    name: 'clients that a store counted look like nothing',
    file: 'src/screens/log/placed-columns.ts',
    find: ' && isCountedHere(view)',
    put: '',
    tests: ['test/session/history.test.ts'],
  },
  {
    name: 'imported time is called complete',
    file: 'src/domain/tail/coverage.ts',
    find: "return reason !== 'imported';",
    put: 'return true;',
    tests: ['test/store/log-history.test.ts'],
  },
  {
    name: 'what failed later makes imported time a gap',
    file: 'src/store/noted-coverage.ts',
    find: "state === 'read' || state === 'imported';",
    put: "state === 'read';",
    tests: ['test/store/coverage.test.ts'],
  },
  {
    name: 'an answer about imported files does not say so',
    file: 'src/domain/inquiry/saved-inquiry.ts',
    find: 'if (time === 0) return table;',
    put: 'return table;',
    tests: ['test/domain/questions/counted.test.ts'],
  },
  {
    name: 'a gap that a file names is called imported',
    file: 'src/print/keep/keep-import.ts',
    find: 'told[at]?.addGap(part.gap)',
    put: 'void part',
    tests: ['test/print/keep-import.test.ts'],
  },
  {
    name: 'rows whose cause was not told stand as rows that have none',
    file: 'src/screens/log/painting/groups-body.ts',
    find: "'(not known)'",
    put: "'(none)'",
    tests: ['test/session/stories.test.ts'],
  },
  {
    name: 'a far origin error is taken because a nearer one is of another edge',
    file: 'src/domain/evidence/told-causes.ts',
    find: '(best !== null && distance >= best.cost)) break;',
    put: 'best !== null) break;',
    tests: CAUSES,
  },
  {
    name: 'rows without a cause are not asked of the server',
    file: 'src/domain/query/push-down.ts',
    find: "!term.negated && !term.values.includes('') && isCauseTerm(term)",
    put: 'isCauseTerm(term)',
    tests: CAUSES,
  },
  {
    name: 'a server is asked for rows with the mask of a secret',
    file: 'src/domain/query/push-down.ts',
    find: 'return text.split(MASKS).map(trimmedOfMask);',
    put: 'return [text];',
    tests: ['test/domain/query/url-part.test.ts'],
  },
  {
    name: 'of several values a text is asked for that is in one of them',
    file: 'src/domain/query/regex.ts',
    find: 'small.every((texts) => texts.some(',
    put: 'small.length === 0 || small.some((texts) => texts.some(',
    tests: ['test/domain/query/url-part.test.ts'],
  },
  {
    name: 'rows of time that was not read count into a rate',
    file: 'src/domain/logs/sums/traffic-read.ts',
    find: 'sums: sumOf(known.map(trafficIn))',
    put: 'sums: trafficIn({ from: edge(at), to: edge(at + 1) })',
    tests: ['test/domain/traffic-read.test.ts'],
  },
  {
    name: 'a rate is told of two rows within a few milliseconds',
    file: 'src/domain/logs/sums/traffic-read.ts',
    find: 'read <= 0 || (read < LEAST.read && rows < LEAST.rows)',
    put: 'read <= 0',
    tests: ['test/domain/traffic-read.test.ts', 'test/ui/zones.test.ts'],
  },
  {
    name: 'refused origin errors are asked for again and again',
    file: 'src/state/sessions/log-causes.ts',
    find: "if (state.evidence.refused.has('originErrors')) return [];",
    put: '',
    tests: CAUSES,
  },
  {
    name: 'a key of the table that no view answers',
    file: 'src/loop/global-commands.ts',
    find: '  note: findingOpened,\n',
    put: '',
    tests: ['test/keymap/answered-keys.test.ts'],
  },
  {
    name: 'a case of a view that no key reaches',
    file: 'src/keys/places.ts',
    find: "{ title: 'the groups', takes: ['open', 'sort', 'refresh',",
    put: "{ title: 'the groups', takes: ['open', 'refresh',",
    tests: ['test/keymap/answered-keys.test.ts'],
  },
  {
    name: 'one field that a store lacks takes the counts of all others with it',
    file: 'src/store/history-log.ts',
    find: ', sums: false, mayLack: true }',
    put: ', sums: false }',
    tests: ['test/store/log-history.test.ts'],
  },
  {
    name: 'an accent counts as a letter of its own in the bundle',
    file: 'src/build/lazy-segmenter.ts',
    find: '/^[\\x1b -~\\u00b7',
    put: '/^[\\x1b -\\u036f\\u00b7',
    tests: ['test/build/lazy-segmenter.test.ts'],
  },
  {
    name: '--help ends as a failure',
    file: 'src/cli.ts',
    find: 'return answer.ok ? written(answer.text, 0)',
    put: 'return answer.ok ? written(answer.text, FAILED)',
    tests: ['test/cli/usage.test.ts'],
    isBuilt: true,
  },
  {
    name: 'a port that is taken is a crash of the simulator',
    file: 'src/sim.ts',
    find: '(error: { code?: string }) => error.code ?? Promise.reject(error),',
    put: '(error) => Promise.reject(error),',
    tests: ['test/cli/usage.test.ts'],
    isBuilt: true,
  },
  {
    name: 'an interrupt waits for a reader that takes nothing',
    file: 'src/headless.ts',
    find: 'await Promise.race([running, o.clock.sleep(GRACE)]);',
    put: 'await running;',
    tests: ['test/cli/pipe-bounds.test.ts'],
    isBuilt: true,
  },
  {
    name: 'rows that were printed stay in memory',
    file: 'src/print/logs/log-window.ts',
    find: '    printedTo = to;\n',
    put: '    printedTo = to;\n    ((globalThis as { printed?: string[] }).printed ??= []).push(text);\n',
    tests: ['test/cli/pipe-bounds.test.ts'],
    isBuilt: true,
  },
  {
    name: 'a network without its length holds every address',
    file: 'src/domain/query/address.ts',
    find: 'if (!address || !/^\\d{1,3}$/.test(digits)) return null;',
    put: 'if (!address) return null;',
    tests: ['test/domain/address.test.ts'],
  },
  {
    name: 'a network of IPv6 is compared by too few bits',
    file: 'src/domain/query/address.ts',
    find: 'const shift = left >= 32 ? 0 : 32 - left;',
    put: 'const shift = 32 - left;',
    tests: ['test/domain/address.test.ts'],
  },
  {
    name: 'rows that were seen in the first second of a range are not counted',
    file: 'src/domain/tail/coverage-keys.ts',
    find: 'index >= first && index <= last',
    put: 'index > first && index <= last',
    tests: ['test/domain/coverage-keys.test.ts'],
  },
  {
    name: 'two parts of a gap that was read in its middle are one',
    file: 'src/domain/tail/coverage.ts',
    find: "segment.state === 'gap' && segment.from === from ? segment.id",
    put: "segment.state === 'gap' ? segment.id",
    tests: ['test/domain/coverage.test.ts'],
  },
  {
    name: 'a quota that is frozen is shown as the one with the most left',
    file: 'src/domain/request-event.ts',
    find: '(frozenUntil === null ? 1 - used / cap : -1)',
    put: '1 - used / cap',
    tests: ['test/domain/request-event.test.ts'],
  },
  {
    name: 'a rule of two features is told to be of the last',
    file: 'src/domain/shield/shield-rows.ts',
    find: 'before === undefined ? feature : null',
    put: 'feature',
    tests: ['test/domain/shield/shield-rows.test.ts'],
  },
  {
    name: 'a password in the URL of an origin is sent and kept',
    file: 'src/domain/storage/storage-edit.ts',
    find: "if (url.username !== '' || url.password !== '') return 'a user name or password does not belong here';",
    put: '',
    tests: ['test/domain/storage/storage-edit.test.ts'],
  },
  {
    name: 'a region is added by a list that lacks the others',
    file: 'src/domain/storage/storage-edit.ts',
    find: 'ReplicationZones: [...zone.replicationRegions, ...added]',
    put: 'ReplicationZones: added',
    tests: ['test/domain/storage/storage-edit.test.ts'],
  },
  {
    name: 'an origin is called applied although the answer was lost',
    file: 'src/domain/storage/storage-verdict.ts',
    find: 'if (failure === null && isStamped) {',
    put: 'if (isStamped) {',
    tests: ['test/domain/storage/storage-verdict.test.ts'],
  },
  {
    name: 'a change that happened in part is called applied',
    file: 'src/domain/storage/storage-verdict.ts',
    find: 'if (done.length < seen.length) {',
    put: 'if (false) {',
    tests: ['test/domain/storage/storage-verdict.test.ts'],
  },
  {
    name: 'the line that was being written is lost in the history',
    file: 'src/domain/query/text-field.ts',
    find: 'const draft = field.recalled === null ? field.text : field.draft;',
    put: 'const { draft } = field;',
    tests: ['test/domain/text-field.test.ts'],
  },
  {
    name: 'a status that is none counts as 5xx',
    file: 'src/domain/timeline/series.ts',
    find: 'hundreds >= 2 && hundreds <= 5 ? 5 - hundreds : 4',
    put: 'Math.max(0, 5 - hundreds)',
    tests: ['test/domain/timeline/series.test.ts'],
  },
  {
    name: 'a star is looked for in ids before names',
    file: 'src/domain/query/zone-search.ts',
    find: '[byName, byHost, byId] : [byId, byName, byHost]',
    put: '[byId, byName, byHost] : [byId, byName, byHost]',
    tests: ['test/domain/zone-search.test.ts'],
  },
  {
    name: 'any zone is none of those that are not known',
    file: 'src/domain/query/zone-terms.ts',
    find: "if (value === '*' || (!isPattern && value.includes('*'))) return [value];",
    put: "if (!isPattern && value.includes('*')) return [value];",
    tests: ['test/domain/zone-terms.test.ts'],
  },
  {
    name: 'a zone that is not known is any zone',
    file: 'src/domain/query/zone-terms.ts',
    find: 'return ids.length > 0 ? ids : [value];',
    put: 'return ids;',
    tests: ['test/domain/zone-terms.test.ts'],
  },
  {
    name: 'a measure is rounded onto the limit that it passed',
    file: 'src/domain/watch/watch.ts',
    find: 'if (Math.sign(Number(text) - limit) === side) return',
    put: 'return',
    tests: ['test/domain/watch.test.ts'],
  },
  {
    name: 'a watch waits for what can never be',
    file: 'src/domain/watch/watch.ts',
    find: "return sign === '>' ? value < 100 : value <= 100;",
    put: 'return true;',
    tests: ['test/domain/watch.test.ts'],
  },
  {
    name: 'a rule goes by the status of the answer',
    file: 'src/domain/questions/rules/ask-blast-radius.ts',
    find: "  'statusCode',\n",
    put: '',
    tests: ['test/domain/questions/ask-blast-radius.test.ts'],
  },
  {
    name: 'a rule hits nobody good where a part was not read',
    file: 'src/domain/questions/rules/ask-blast-radius.ts',
    find: "goodHit > 0 ? 'wrong' : isWhole && good > 0 ? 'calm' : 'unknown'",
    put: "goodHit > 0 ? 'wrong' : good > 0 ? 'calm' : 'unknown'",
    tests: ['test/domain/questions/verdicts.test.ts'],
  },
  ...planted('src/mcp/skill.ts', ['test/mcp/skill.test.ts'], {
    'the description of the skill begins a mapping': ['platform. Use it when', 'platform. Use it: when'],
    'the skill names a tool without its command': ['       ${commandOf(name)}`', '       edgescope ${name}`'],
  }),
  ...planted('src/text/units.ts', ['test/text/units.test.ts'], {
    'nearly all is told as all': ["if (ratio > 0.999 && ratio < 1) return '99.9%';", ''],
    'one in a million is told as none': ["if (ratio > 0 && ratio < 0.001) return '<0.1%';", ''],
  }),
  ...planted('src/text/fit.ts', ['test/text/fit.test.ts'], {
    'a letter of Hangul is taken for one cell': ['\\uac00-\\ud7a3', ''],
    'a wide letter that is cut moves what stands behind it': [
      "' '.repeat(Math.max(0, cells - cell - 1))",
      "''",
    ],
  }),
  ...planted('src/text/mask.ts', ['test/text/mask.test.ts'], {
    'a sign that is encoded more deeply ends a secret': [
      '((levels[at] ?? 0) > depth || !ends.includes',
      '(!ends.includes',
    ],
    'a password is masked up to its first @': [
      "if (character === '@') sign = at;",
      "if (character === '@' && sign < 0) sign = at;",
    ],
  }),
  ...planted('src/time/turns.ts', ['test/time/sequence.test.ts'], {
    'a piece of work that fails ends all behind it': ['last = turn.catch(() => {});', 'last = turn;'],
  }),
  ...planted('src/state/list.ts', ['test/state/list.test.ts'], {
    'lines scroll beyond their last': [
      'return next === null ? null : clamp(next, 0, most);',
      'return next === null ? null : Math.max(0, next);',
    ],
  }),
  ...planted('src/state/watching.ts', ['test/state/watching.test.ts'], {
    'a watch rings for each minute that meets it': [
      "if (verdict.kind !== 'met' || !isNew || zones === null)",
      "if (verdict.kind !== 'met' || zones === null)",
    ],
    'a minute that could not be judged takes away why a watch failed': [
      "verdict.kind === 'waiting' ? watching.failure : null;",
      'null;',
    ],
  }),
  ...planted('src/screens/keys/keys-screen.ts', ['test/state/keys.test.ts'], {
    'a value that is shown stays when its view is left': [
      "return isOver || topOf(state, 'keys') === null ? hidden(state) : state;",
      'return isOver ? hidden(state) : state;',
    ],
    'a value that is shown stays': [
      'const isOver = shown !== null && state.now >= shown.until;',
      'const isOver = false;',
    ],
  }),
  ...planted('src/effects/requests.ts', ['test/session/keys.test.ts'], {
    'a key is shown that could not be recorded': [
      ".then((recorded) => dispatch({ type: 'revealRecorded', request, recorded }));",
      ".then(() => dispatch({ type: 'revealRecorded', request, recorded: { ok: true, value: null } }));",
    ],
  }),
  ...planted('src/state/request-log.ts', ['test/state/request-log.test.ts'], {
    'a request that was cancelled is counted as failed': [
      "outcome === 'ok' || outcome === 'cancelled' ?",
      "outcome === 'ok' ?",
    ],
    'a request is counted for each of its events': [
      "if (phase !== 'done' || wasDone)",
      "if (phase !== 'done')",
    ],
  }),
  ...planted('src/print/storage-command.ts', ['test/print/storage-set.test.ts'], {
    'any name confirms a change in a pipe': ['if (confirm !== zone.name) {', "if (confirm === '') {"],
    'a change is sent with a value that cannot be': [
      "if (hasErrors(issues)) return wrongUsage(o, 'nothing was sent');",
      '',
    ],
  }),
  ...planted('src/print/shield-command.ts', ['test/print/watch.test.ts'], {
    'a watch of Shield has an end that it never reaches': [
      "if (query.window?.kind === 'absolute' && query.window.to !== null)\n      return wrongUsage(o, '--until has no end; leave out to:');",
      '',
    ],
  }),
  ...planted('src/print/watch-command.ts', ['test/print/watch.test.ts'], {
    'a watch of Shield that is met ends as a read': [
      'stop(metBy(o, end.signal, found, watch, verdict));',
      'stop(0);',
    ],
  }),
  ...planted('src/screens/zones/health-reading.ts', ['test/session/health.test.ts'], {
    'each calm zone is read at once': ['if (isCalm && !isDue(state, zone)) calmAt = state.now;', ''],
  }),
  ...planted('src/screens/zones/health-reading.ts', ['test/session/zones.test.ts'], {
    'zones of a later page do not come to a list whose cursor was moved': [
      'const shown = [...held, ...zones.items.filter(({ id }) => !listed.has(id))];',
      'const shown = held;',
    ],
  }),
  ...planted('src/ui/pointer.ts', ['test/session/reflexes.test.ts'], {
    'a click presses a hint beside it': [
      'if (x >= from && x < from + text.length) return',
      'if (x > from + text.length) return',
    ],
  }),
  ...planted('src/tui.ts', ['test/session/reflexes.test.ts'], {
    'a watch that is met does not ring': ['screen.notify(notification(text, notifierOf(o.env)));', ''],
  }),
  ...planted('src/domain/handover/marks.ts', ['test/state/marks.test.ts'], {
    'a marked row is missing in the file': [
      'parts.slice(from, to)',
      'parts.slice(from, (to ?? parts.length) - 1)',
    ],
  }),
  ...planted('src/shell/manual.ts', ['test/shell/manual.test.ts'], {
    'the manual names variables without what they mean': [
      "tagged(name, meaning)),\n    heading('exit status')",
      "tagged(name, name)),\n    heading('exit status')",
    ],
  }),
  ...planted('src/shell/offers.ts', ['test/shell/completion.test.ts'], {
    'the value of an option is taken for the command': ['else if (takesValue(word)) pending = word;', ''],
  }),
  ...planted('src/simulator/account/account.ts', ['test/simulator/main-api.test.ts'], {
    'the simulator takes any token': [
      'return at > 0 && isSame(token.slice(at + 1), sign(token.slice(0, at), signingKey));',
      'return at > 0;',
    ],
  }),
  ...planted('src/simulator/logs/gate.ts', ['test/simulator/limits.test.ts'], {
    'refused credentials use up the limit of the simulator': [
      '    if (refusal !== null) return refusal;\n    const id = call.params.at(-1) as string;\n    const limited = world.limiter.refusal(id);',
      '    const id = call.params.at(-1) as string;\n    const limited = world.limiter.refusal(id);\n    if (refusal !== null) return refusal;',
    ],
  }),
  ...planted('src/simulator/logs/logs-v2.ts', ['test/simulator/logs-v2.test.ts'], {
    'the simulator reads what is no longer kept': [
      'if (from < call.now - RETENTION || to < call.now - RETENTION)',
      'if (to < call.now - RETENTION)',
    ],
  }),
  {
    name: 'a list with a comma in a value is split by the server',
    file: 'src/domain/query/push-down.ts',
    find: "if (field?.server?.list && value.includes(',')) return 'the server would split it at the comma';",
    put: '',
    tests: ['test/domain/match.test.ts'],
  },
  {
    name: 'an edge in capitals is found in small letters',
    file: 'src/domain/query/match.ts',
    find: 'values.filter((each) => isLower(each) === isSmall),',
    put: 'values,',
    tests: ['test/domain/match.test.ts'],
  },
  {
    name: 'lines of one address are of one client however far apart',
    file: 'src/domain/clients/client-identity.ts',
    find: 'if (Math.abs(a.at - b.at) > SAME_CLIENT_SECONDS * 1000) return null;',
    put: '',
    tests: ['test/domain/questions/timeline.test.ts'],
  },
  {
    name: 'a request that both logs know stands twice in its timeline',
    file: 'src/domain/clients/client-identity.ts',
    find: "if (twin?.lines.every(({ log }) => log === 'shield'))",
    put: 'if (twin === null)',
    tests: ['test/domain/questions/timeline.test.ts'],
  },
  {
    name: 'many clients that are let through are a botnet',
    file: 'src/domain/clients/traffic-profile.ts',
    find: '{ requests: least(200), ips: least(50), ...ONE_PROGRAM, refused: least(0.5) }',
    put: '{ requests: least(200), ips: least(50), ...ONE_PROGRAM }',
    tests: ['test/domain/questions/traffic-profile.test.ts'],
  },
  {
    name: 'whoever reads many pages is a crawler',
    file: 'src/domain/clients/traffic-profile.ts',
    find: '{ ...SEEN, botNamed: least(0.9), paths: least(20), fine: least(0.7) }',
    put: '{ ...SEEN, paths: least(20), fine: least(0.7) }',
    tests: ['test/domain/questions/traffic-profile.test.ts'],
  },
  {
    name: 'a window is compared with a time that it overlaps',
    file: 'src/domain/questions/comparison/lenses.ts',
    find: 'if (length > by)',
    put: 'if (false)',
    tests: ['test/domain/questions/baseline.test.ts'],
  },
  {
    name: 'errors of a few requests are told before most of the traffic',
    file: 'src/domain/questions/comparison/ask-comparison.ts',
    find: 'row.excess < least ? 3 : isTrouble',
    put: 'isTrouble',
    tests: ['test/domain/questions/ask-comparison.test.ts'],
  },
  {
    name: 'a client is not said to look like a botnet',
    file: 'src/domain/questions/clients/ask-bypass.ts',
    find: "sections: [...table.sections, ...profileSections('this client', evidence, read)],",
    put: 'sections: table.sections,',
    tests: ['test/domain/questions/ask-bypass.test.ts'],
  },
  {
    name: 'events that are all read are told as a part',
    file: 'src/domain/questions/rules/ask-false-positives.ts',
    find: 'sampled || events.isWhole || !events',
    put: 'sampled || !events',
    tests: ['test/domain/questions/ask-false-positives.test.ts'],
  },
  {
    name: 'a column of many values tells some of them apart no more',
    file: 'src/domain/logs/columns/value-columns.ts',
    find: 'this.#top = code > 0xffff ? 0xffffffff : 0xffff;',
    put: 'this.#top = 0xffff;',
    tests: ['test/domain/log-columns.test.ts'],
  },
  {
    name: 'the cursor of a row that went jumps to the end',
    file: 'src/domain/logs/log-book.ts',
    find: 'const rank = slot < 0 ? 0 :',
    put: 'const rank = slot < 0 ? this.size :',
    tests: ['test/domain/log-book.test.ts'],
  },
  {
    name: 'the memory of texts that went is never used again',
    file: 'src/domain/logs/dictionary/arena-dictionary.ts',
    find: 'if (this.#usedWords > this.#liveWords * MOST_USED + PAGE_WORDS * 4) this.#emptyOne();',
    put: '',
    tests: ['test/domain/dictionary-arena.test.ts'],
  },
  {
    name: 'what is left of an address that was cut is shown to others',
    file: 'src/domain/handover/pseudonyms.ts',
    find: 'return isCut ? `ip-',
    put: 'return false ? `ip-',
    tests: ['test/domain/handover/pseudonyms.test.ts'],
  },
  {
    name: 'a command with pseudonyms is not told from one that runs',
    file: 'src/domain/handover/pseudonyms.ts',
    find: 'isCommand || !wasMasked ? [line]',
    put: 'isCommand || !wasMasked || true ? [line]',
    tests: ['test/domain/handover/pseudonyms.test.ts'],
  },
  {
    name: 'the token of a page is a step up in the path',
    file: 'src/domain/handover/wire-request.ts',
    find: "token === '.' || token === '..' || !token",
    put: '!token',
    tests: ['test/domain/handover/wire-request.test.ts'],
  },
  {
    name: 'nothing is offered while a quote is open',
    file: 'src/domain/query/complete.ts',
    find: "    if (last && ending === '\"' && last.end === text.length + 1) return last;\n",
    put: '',
    tests: ['test/domain/complete.test.ts'],
  },
  {
    name: 'the rest of a line at the end of a chunk is lost',
    file: 'src/api/log-calls-v1.ts',
    find: "rest = (parts.pop() ?? '').slice(0, LONGEST_LINE);",
    put: "parts.pop();\n      rest = '';",
    tests: ['test/api/logs-v1.test.ts'],
  },
  {
    name: 'a place of another machine is gone on with',
    file: 'src/config/kept/session-places.ts',
    find: 'else if (place.machine !== hostname()) unusable',
    put: 'else if (false) unusable',
    tests: ['test/config/session-places.test.ts'],
  },
  {
    name: 'the place of a session that may still be resumed is removed',
    file: 'src/config/kept/session-places.ts',
    find: 'now - statSync(path).mtimeMs > LOG_RETENTION.logs',
    put: 'now - statSync(path).mtimeMs > 0',
    tests: ['test/config/session-places.test.ts'],
  },
  {
    name: 'a store in memory is taken for one that is kept',
    file: 'src/config/settings/configured-stores.ts',
    find: "if (store.file.startsWith(':memory:'))",
    put: 'if (false)',
    tests: ['test/config/stores.test.ts'],
  },
  {
    name: 'figures are served wherever a name leads',
    file: 'src/config/command/listen-address.ts',
    find: 'return isIP(plain) === 4 ? { host: plain, port } : null;',
    put: 'return { host: plain, port };',
    tests: ['test/config/stores.test.ts'],
  },
  {
    name: 'a log that goes on writes its place every two seconds',
    file: 'src/effects/keep-place.ts',
    find: "words: rest.words.map((word) => word.replace(/^from:\\S+Z(?= (?!to:)|$)/, '')),",
    put: 'words: rest.words,',
    tests: ['test/effects/keep-place.test.ts'],
  },
  {
    name: 'a session that was left is offered again',
    file: 'src/effects/keep-place.ts',
    find: 'if (isLost) return;\n',
    put: 'return;\n',
    tests: ['test/effects/keep-place.test.ts'],
  },
  {
    name: 'what is kept of a demo stands among what is real',
    file: 'src/config/directories.ts',
    find: "demo ? 'demo' : ''",
    put: "''",
    tests: ['test/config/account-flags.test.ts'],
  },
  {
    name: 'a copied command of a demo shows other incidents',
    file: 'src/config/command/command-line.ts',
    find: "'--epoch', printMoment(epoch), ...rate]",
    put: '...rate]',
    tests: ['test/config/account-flags.test.ts'],
  },
  {
    name: 'a comment in the configuration is told as no JSON without a reason',
    file: 'src/config/settings/config-file.ts',
    find: '{ disallowComments: true }',
    put: '{ disallowComments: false }',
    tests: ['test/config/check.test.ts'],
  },
  {
    name: 'a quote that a chat program has prettied is a letter',
    file: 'src/domain/query/query-lexer.ts',
    find: "const QUOTES = '\"\\u201c\\u201d';",
    put: "const QUOTES = '\"';",
    tests: ['test/domain/query-text.test.ts'],
  },
  {
    name: 'a time of day that has not come is one of today',
    file: 'src/domain/query/query-time.ts',
    find: 'return sameDay <= now ? sameDay : sameDay - DAY;',
    put: 'return sameDay;',
    tests: ['test/domain/query-text.test.ts'],
  },
  {
    name: 'of a field that stands twice in a line the first is read',
    file: 'src/api/schemas/packed-log.ts',
    find: 'if ((seen & (1 << field)) !== 0) return NOT_PLAIN;',
    put: '',
    tests: ['test/api/packed-log.test.ts'],
  },
  {
    name: 'rows of a file are put over the end of a chunk',
    file: 'src/domain/logs/columns/log-columns.ts',
    find: 'CHUNK_ROWS - (this.limit & CHUNK_MASK))',
    put: 'CHUNK_ROWS)',
    tests: ['test/domain/packed-rows.test.ts'],
  },
  {
    name: 'a gap is no line of a sheet in CSV',
    file: 'src/domain/handover/sheet-formats.ts',
    find: "line.kind === 'gap' ? stated(gapLine(line.gap)) : csvLine",
    put: "line.kind === 'gap' ? '' : csvLine",
    tests: ['test/domain/handover/sheet-formats.test.ts'],
  },
  {
    name: 'the help finds no command by the words that people have for it',
    file: 'src/keymap/help.ts',
    find: "${group} ${BINDINGS[command].found ?? ''}`",
    put: '${group}`',
    tests: ['test/keymap/resolve.test.ts'],
  },
  {
    name: 'a key of similar programs is refused without the word for it',
    file: 'src/keymap/resolve.ts',
    find: "{ type: 'refused', why: whyUnbound(place, chord) }",
    put: "{ type: 'refused', why: '' }",
    tests: ['test/keymap/resolve.test.ts'],
  },
  {
    name: 'a filter of a range of time alone hides nothing',
    file: 'src/domain/logs/log-book.ts',
    find: 'const isAll = terms.length === 0 && range === null;',
    put: 'const isAll = terms.length === 0;',
    tests: ['test/domain/packed-rows.test.ts'],
  },
  {
    name: 'a pasted URL names no zone',
    file: 'src/domain/query/zone-search.ts',
    find: "    .replace(/[/?#].*$/, '')\n",
    put: '',
    tests: ['test/domain/zone-search.test.ts'],
  },
  {
    name: 'lnav does not know how much was sent',
    file: 'src/interop/edgescope.lnav.json',
    find: '      "bytesSent": { "kind": "integer" },\n',
    put: '',
    tests: ['test/interop/stream.test.ts'],
  },
  ...planted('src/effects/run.ts', ['test/session/storage.test.ts'], {
    'a change that was cut short is not told': [
      ".then((intents) => dispatch({ type: 'intentsFound', intents }))",
      '',
    ],
  }),
  {
    name: 'a terminal without UTF-8 gets signs beyond ASCII',
    file: 'src/cli.ts',
    find: 'ascii: line.ascii || isAsciiLocale(process.env),',
    put: 'ascii: line.ascii,',
    tests: ['test/pty/start.test.ts'],
    isBuilt: true,
  },
  {
    name: 'keys are read of the pipe that brings rows',
    file: 'src/cli.ts',
    find: "stdin: process.stdin.isTTY ? process.stdin : new ReadStream(openSync('/dev/tty', 'r')),",
    put: 'stdin: process.stdin,',
    tests: ['test/pty/open.test.ts'],
    isBuilt: true,
  },
  {
    name: 'the first screen waits for React',
    file: 'src/tui.ts',
    find: 'void Promise.race([frames.answered.then(() => screen.nextFrame()), keyWaiting(keys)]).then(async () => {',
    put: 'void screen.nextFrame().then(async () => {',
    tests: ['test/pty/start-cost.test.ts'],
    isBuilt: true,
  },
  {
    name: 'a session that was lost is said to be resumed already',
    file: 'src/cli.ts',
    find: '!claimPlace(places, lost.path)',
    put: 'claimPlace(places, lost.path)',
    tests: ['test/pty/resume.test.ts'],
    isBuilt: true,
  },
  {
    name: 'Enter at the prompt is taken for an interrupt',
    file: 'src/connect.ts',
    find: "prompted === 'interrupted' ? null : prompted",
    put: "prompted !== 'interrupted' ? null : credentials",
    tests: ['test/pty/key-prompt.test.ts'],
    isBuilt: true,
  },
  ...planted('src/simulator/evidence/statistics.ts', ['test/simulator/evidence.test.ts'], {
    'the statistics of the simulator count what its log does not show': [
      ' || row.isOriginShield) continue;',
      ') continue;',
    ],
  }),
  ...planted('src/simulator/evidence/changes.ts', ['test/simulator/evidence.test.ts'], {
    'an origin of the simulator comes back without a change of it': [
      "change(from - lead, 'deploy', old, other), change(to - 1_000, 'ops', other, old)];",
      "change(from - lead, 'deploy', old, other)];",
    ],
  }),
  ...planted('src/simulator/shield/search-query.ts', ['test/simulator/shield.test.ts'], {
    'a sign of a pattern stands for others': ['.map((part) => RegExp.escape(part))', ''],
  }),
  ...planted('src/screens/log/painting/log-body.ts', ['test/session/economy.test.ts'], {
    'the whole row under the cursor is painted anew': [
      "if (chosen === column.id) return look.paint('cursor', text);",
      "if (chosen !== null) return look.paint('cursor', text);",
    ],
  }),
  ...planted('src/screens/log/painting/log-body.ts', ['test/build/key-cost.test.ts'], {
    'each key paints all rows anew': ['if (before !== undefined) return before;', ''],
  }),
  ...planted('src/screens/shield/shield-find.ts', ['test/ui/shield-speed.test.ts'], {
    'each key searches all events': [
      '  const matches = matchesOf(state, view);\n  const after',
      '  const matches = view.reading\n    ? linesWith(listOf(view).lines(view), view.needle, state.shield?.rules ?? null)\n    : matchesOf(state, view);\n  const after',
    ],
  }),
  ...planted('src/simulator/traffic/traffic-source.ts', ['test/simulator/speed.test.ts'], {
    'an hour of the simulator is made for each search': ['      hours.set(zone.index, hour, events);\n', ''],
  }),
  ...planted('src/simulator/traffic/traffic-source.ts', ['test/simulator/same-data.test.ts'], {
    'two incidents at a time have their rows twice in the simulator': [
      'next = Math.max(next, incident.from / 1000);',
      'next = incident.from / 1000;',
    ],
  }),
  ...planted('src/simulator/traffic/slice-maker.ts', ['test/simulator/traffic.test.ts'], {
    'rows of the simulator come later than any of the platform': [
      'least: 90_000, most: 240_000',
      'least: 90_000, most: 340_000',
    ],
  }),
  ...planted('src/simulator/traffic/incidents.ts', ['test/simulator/traffic.test.ts'], {
    'the busiest zone of the demo has a quiet quarter of an hour': [
      '{ zone: 0, every: 10 * MINUTE, shift: 0 },',
      '{ zone: 0, every: 25 * MINUTE, shift: 0 },',
    ],
  }),
  ...planted('src/across/handover/view-list.ts', ['test/state/keeping.test.ts'], {
    'an x typed ahead deletes a view': [
      "if (waited < CONFIRMS.from) return noticed(state, 'info', `not so fast: x again deletes ${name}`);",
      '',
    ],
  }),
  ...planted('src/across/input/pickers.ts', ['test/state/choices.test.ts'], {
    'what a narrowed list does not show is no longer chosen': [
      'ids.filter((id) => chosen.includes(id)) },',
      'items.filter((id) => chosen.includes(id)) },',
    ],
  }),
  ...planted('src/simulator/account/storage-zones.ts', ['test/simulator/storage.test.ts'], {
    'the simulator takes the main region for a replica': [
      'if (replicas.includes(zone.read.Region)) {',
      "if (replicas.includes('')) {",
    ],
  }),
  ...planted('src/state/sessions/paging.ts', ['test/state/log.test.ts'], {
    'a gap of saved logs is asked of the platform': [
      "  if (session.source.kind === 'files') {\n    const text = 'this was missing",
      "  if (session.source.kind === 'files' && gap.from > gap.to) {\n    const text = 'this was missing",
    ],
  }),
  ...planted('src/screens/log/log-commands.ts', ['test/state/log.test.ts'], {
    'the queries ahead are lost by a step to the first of them': [
      '{ past: [...past, here], future: future.slice(1) };',
      '{ past: [...past, here], future: [] };',
    ],
  }),
  ...planted('src/across/handover/view-list.ts', ['test/state/keeping.test.ts'], {
    'a view is saved over a file that cannot be read': [
      'if (trouble !== null) return `nothing can be saved: ${trouble}`;',
      '',
    ],
  }),
  ...planted('src/across/handover/session-place.ts', ['test/state/session-place.test.ts'], {
    'a session that is being resumed writes over its place': [
      'if (state.zones.wanted !== null || state.resuming !== null) return null;',
      'if (state.zones.wanted !== null) return null;',
    ],
    'a resumed log is paused before the gap is read': [
      "const isRead = status === 'stopped' || (completeTo !== null && completeTo >= until);",
      'const isRead = true;',
    ],
  }),
  ...planted('src/loop/oldest-evidence.ts', ['test/ui/evidence-line.test.ts'], {
    'the clock of evidence that is gone ticks on': [
      "if (clock === null || clock.severity === 'gone') return [];",
      'if (clock === null) return [];',
    ],
  }),
  ...planted('src/loop/figures.ts', ['test/ui/how.test.ts'], {
    'a figure is explained by another name than it has': [
      "['MISS', 'share that the origin had to serve'],",
      "['MISSES', 'share that the origin had to serve'],",
    ],
  }),
  ...planted('src/screens/log/painting/log-painting.ts', ['test/ui/words.test.ts'], {
    'a log does not say of when it is': [": window || 'newest rows';", ': window;'],
  }),
  ...planted('src/domain/questions/rules/rule-sampling.ts', ['test/state/rule-questions.test.ts'], {
    'of each rule only the newest events are read': ['Math.floor(((n + 0.5) * all) / pages)', 'n'],
  }),
  ...planted('src/screens/shield/shield-ask.ts', ['test/session/shield-economy.test.ts'], {
    'going back asks again what was read': [
      "const isReading = reading.loading.kind === 'asking';",
      'const isReading = true;',
    ],
  }),
  ...planted('src/terminal/painter.ts', ['test/terminal/bytes.test.ts'], {
    'rows are deleted and inserted where a scroll costs less': [
      'if (pen.bytes < most) best = {',
      "if (pen.bytes < most && way === 'lines' && best === null) best = {",
    ],
  }),
  ...planted('src/ui/components/prompt-window.ts', ['test/ui/prompt-line.test.ts'], {
    'the mark of a mistake stands beside it where the line is cut': [
      'label.length + 1 + before - hidden',
      'label.length + 1 + before',
    ],
  }),
  ...planted('src/screens/log/painting/rates-line.ts', ['test/ui/log-lines.test.ts'], {
    'the rates of a part pass for those of the window': [
      'const share = rates.total.read / length;',
      'const share = 1;',
    ],
  }),
  ...planted('src/screens/log/painting/log-painting.ts', ['test/ui/small-window.test.ts'], {
    'rows may come late and nothing says so': [
      'long: isOpen ? `${short}, late rows may come` : short',
      'long: short',
    ],
  }),
  ...planted('src/ui/body.ts', ['test/ui/small-window.test.ts'], {
    'a command that is cut stands whole nowhere': [
      'const told = isCut && under ? toldUnder(under, columns) : [];',
      'const told: string[] = [];',
    ],
  }),
  ...planted('src/ui/body.ts', ['test/ui/words.test.ts'], {
    'a name is cut by a sign that the terminal lacks': [
      "fit(label(id), PICKED_CELLS, 'left', look.glyph.cut)",
      'fit(label(id), PICKED_CELLS)',
    ],
  }),
  ...planted('src/paint/theme.ts', ['test/ui/words.test.ts'], {
    'signs are explained that the terminal lacks': ['told.replaceAll(GLYPHS[id][0], glyph[id])', 'told'],
  }),
];
