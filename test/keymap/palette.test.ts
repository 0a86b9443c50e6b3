import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { helpLines } from '../../src/keymap/help.ts';
import { paletteChosen, paletteOffers } from '../../src/keymap/palette.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { BINDINGS, COMMANDS, wordsOf } from '../../src/keys/bindings.ts';
import { VIEWS } from '../../src/keys/places.ts';
import type { Effect } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import {
  followedState,
  listedState,
  played,
  rowsOf,
  zoneOf,
  zonePages,
  zonesRead,
} from '../support/state.ts';

const ZONES = [zoneOf('1', 'shop'), zoneOf('2', 'checkout'), zoneOf('3', 'eu-shop'), zoneOf('4', 'checker')];
/** The book of a log is changed in place: who filters takes one of his own. */
const openLog = () => followedState(rowsOf(0, 30));
const log = openLog();
const pairs = ['1', '2'].map((id) => ({ pullZoneId: id, shieldZoneId: `9${id}` }));
const picker = played(listedState(ZONES), { type: 'shieldMapped', pairs }).state;

/** The state after `:`, this line and these keys. */
function lined(start: State, text: string, ...chords: string[]): { state: State; effects: Effect[] } {
  const open = played(start, 'palette', { type: 'typed', text });
  return chords.reduce(({ state, effects }, chord) => {
    const next = played(state, resolve(state, chord));
    return { state: next.state, effects: [...effects, ...next.effects] };
  }, open);
}

const entered = (start: State, text: string) => lined(start, text, 'Enter');
const labels = (start: State, text: string) =>
  paletteOffers(lined(start, text).state).map(({ label }) => label);
/** What is told of a line that stays. */
const toldOf = ({ prompt, notice }: State) => {
  assert.equal(prompt?.kind, 'palette');
  return prompt?.error ? `${prompt.error.message}; ${prompt.error.hint}` : (notice?.text ?? '');
};
const queryOf = (state: State) => {
  const view = topView(state);
  assert.ok('query' in view);
  return view.query;
};

test('every command that acts in a view has a word of its own, and no two have the same', () => {
  for (const id of COMMANDS) {
    const isOfViews = BINDINGS[id].where.some((place) => VIEWS.some((view) => view === place));
    if (isOfViews && id !== 'palette') assert.ok(BINDINGS[id].line, id);
    assert.ok(BINDINGS[id].keys.length > 0 || BINDINGS[id].line, id);
  }
  const words = COMMANDS.flatMap(wordsOf);
  assert.deepEqual(
    words.filter((word, at) => words.indexOf(word) !== at),
    [],
  );
  assert.deepEqual(
    words.filter((word) => !/^[a-z]+(?:-[a-z]+)*!?$/.test(word)),
    [],
  );
});

test('Enter runs what is named in full, whatever else begins so', () => {
  for (const [line, command] of [
    ['requests', 'requests'],
    ['REQUESTS', 'requests'],
    [':requests ', 'requests'],
    ['zones', 'zonesScreen'],
    ['log', 'logsScreen'],
    ['q', 'exit'],
    ['quit', 'exit'],
    ['q!', 'quit'],
    ['time', 'chooseWindow'],
  ] as const) {
    const { state } = lined(log, line);
    assert.deepEqual(resolve(state, 'Enter'), { type: 'ordered', command, argument: null, line }, line);
  }
});

test('a guess never acts: the beginning of a name, its letters, and a name that is nearly right', () => {
  for (const [line, told] of [
    ['attack', /^no command 'attack'; nearest: wrong, through$/],
    ['qu', /^no command 'qu'; nearest: (?:query, q, q!|q, q!, query)$/],
    ['lgs', /^no command 'lgs'; nearest: logs, /],
    ['shi', /^no command 'shi'; nearest: shield$/],
    ['xyzzyxyzzy', /^no command 'xyzzyxyzzy'; :help lists them$/],
    ['192.0.2.1', /^no command '192.0.2.1'; the term is ip:192.0.2.1$/],
    ['http://a.example/', /^no command/],
    ['requests now', /^:requests takes nothing behind it$/],
    ['constructor', /^no command/],
  ] as const) {
    for (const start of [log, picker]) {
      const { state, effects } = entered(start, line);
      assert.match(toldOf(state), told, line);
      assert.equal(state.prompt?.field.text, line);
      assert.deepEqual([state.leaving, state.views, effects], [false, start.views, []], line);
    }
  }
});

test('what an arrow chose runs, and nothing is chosen before an arrow is pressed', () => {
  const { state } = lined(log, 'reque');
  assert.equal(resolve(state, 'Enter').type, 'refused');
  assert.equal(lined(log, 'reque', 'Down', 'Enter').state.overlay?.kind, 'requests');
  assert.equal(lined(log, 'reque', 'Down', 'Up', 'Enter').state.overlay?.kind, 'palette');
  // Typing on takes the choice back.
  const typed = played(lined(log, 'reque', 'Down').state, { type: 'typed', text: 's' }).state;
  assert.equal(resolve(typed, 'Enter').type, 'refused');
});

test('what was chosen is what runs, although other offers come before it meanwhile', () => {
  const { state } = lined(picker, 'logs ch', 'Down');
  const zones = { ...state.zones, items: [zoneOf('7', 'chapel'), ...state.zones.items] };
  const moved: State = { ...state, zones };
  assert.equal(paletteChosen(moved, paletteOffers(moved)), 1);
  const { session } = played(moved, resolve(moved, 'Enter')).state;
  assert.equal(session?.source.kind === 'zones' && session.source.zones[0].name, 'checkout');
});

test('names that begin so come first, then later words of names, then what is told of commands; never strewn letters', () => {
  assert.deepEqual(labels(log, 'zo').slice(0, 4), [
    ':zone <zone> [query...]',
    ':zones',
    ':zoom-in',
    ':zoom-out',
  ]);
  assert.equal(labels(log, 'in')[0], ':incidents');
  assert.ok(labels(log, 'in').includes(':zoom-in'));
  assert.ok(labels(log, 'asked').includes(':requests'));
  assert.deepEqual(labels(log, 'rqsts'), []);
  assert.deepEqual(labels(picker, 'attack'), [':wrong']);
  const key = paletteOffers(lined(log, 'by').state)[0]?.key;
  assert.equal(key, 'b');
});

test('what cannot be done in this view says where it can, and the text stays', () => {
  assert.match(toldOf(entered(picker, 'by asn').state), /^not here: :by acts in the log pane, the groups, /);
  assert.match(
    toldOf(entered(picker, '5xx').state),
    /^this view has no query; :logs <zone> status:5xx opens one$/,
  );
  assert.match(toldOf(entered(picker, 'time 15m').state), /^not here: :time acts in the log pane/);
  assert.match(toldOf(entered(log, 'next').state), /nothing has been searched for yet/);
  assert.match(toldOf(entered(log, 'zone').state), /^:zone needs <zone> \[query\.\.\.\]$/);
});

test('a wrong zone name opens none, and the nearest is offered at its place', () => {
  for (const noun of ['logs', 'zone', 'shield']) {
    const { state, effects } = entered(picker, `${noun} chekout last:1h`);
    assert.match(toldOf(state), /^no such zone; nearest: checkout/, noun);
    assert.equal(state.prompt?.error?.column, noun.length + 1);
    assert.equal(state.prompt?.field.text, `${noun} chekout last:1h`);
    assert.deepEqual([state.views, state.zones, effects], [picker.views, picker.zones, []]);
  }
  assert.match(toldOf(entered(picker, 'logs ch').state), /^no such zone; nearest: che/);
  assert.match(toldOf(entered(picker, 'logs shop last:never').state), /'never' is not a duration/);
  assert.equal(entered(picker, 'logs shop last:never').state.prompt?.error?.column, 'logs shop last:'.length);
});

test('a zone that no page that was read names is looked for on the others, and a log that is read stays as it is', () => {
  const partly: State = { ...log, zones: { ...log.zones, nextPage: 2 } };
  const sought = entered(partly, 'logs faraway');
  assert.deepEqual(zonePages(sought.state), [[sought.state.zones.request, 2]]);
  assert.match(sought.state.notice?.text ?? '', /looking for zone 'faraway'/);
  const request = sought.state.zones.request;
  const page = { items: [zoneOf('9', 'faraway')], page: 2, total: 2, hasMore: false };
  const found = played(sought.state, zonesRead(request, page)).state;
  assert.equal(found.session?.source.kind === 'zones' && found.session.source.zones[0].name, 'faraway');
  assert.equal(found.notice, null);
  const left = played(sought.state, 'leave').state;
  assert.deepEqual([left.zones.wanted, left.views], [null, partly.views]);
  const failure = failureOf('timeout');
  const failed = played(sought.state, { type: 'listFailed', list: 'zones', request, failure }).state;
  assert.match(failed.notice?.text ?? '', /^zone 'faraway' was not looked up: /);
  const other = { ...page, items: [zoneOf('9', 'other')] };
  const unknown = played(sought.state, zonesRead(request, other)).state;
  assert.deepEqual([unknown.views, unknown.zones.narrow], [partly.views, '']);
  assert.match(unknown.notice?.text ?? '', /no zone is called 'faraway'/);
});

test('terms join the query of the view, and a window or a grouping takes the place of the one before', () => {
  const log = openLog();
  const filtered = entered(entered(log, '5xx').state, '-ip:192.0.2.1 "a 5xx" last:1h').state;
  assert.deepEqual(
    queryOf(filtered).terms.map((term) =>
      term.kind === 'field' ? [term.field, ...term.values, term.negated] : term.value,
    ),
    [['status', '5xx', false], ['ip', '192.0.2.1', true], 'a 5xx'],
  );
  const later = entered(filtered, 'last:2h').state;
  assert.deepEqual(queryOf(later).window, { kind: 'last', duration: 7_200_000 });
  assert.equal(queryOf(later).terms.length, 3);
  assert.equal(queryOf(entered(later, '5xx').state).terms.length, 3);
  const grouped = entered(later, 'by:asn').state;
  assert.equal(topView(grouped).kind, 'groups');
  const inGroups = entered(grouped, 'cache:MISS').state;
  assert.deepEqual([topView(inGroups).kind, queryOf(inGroups).terms.length], ['groups', 4]);
});

test('a term with a mistake stays in the line, marked at its place', () => {
  for (const [line, told, column] of [
    ['stats:5xx', /stats/, 0],
    ['status:9xx', /9xx/, 7],
    ['5xx ip:', /ip/, 7],
    ['"open', /quote is not closed/, 0],
    ['5xx 4xx last:x', /'x' is not a duration/, 13],
  ] as const) {
    const { state } = entered(log, line);
    assert.match(toldOf(state), told, line);
    assert.equal(state.prompt?.error?.column, column, line);
    assert.deepEqual(state.views, log.views);
  }
});

test('what the prompt of a key takes, its word takes, with the same mistakes', () => {
  const log = openLog();
  const timed = entered(log, 'time last:1h').state;
  assert.deepEqual(queryOf(timed).window, { kind: 'last', duration: 3_600_000 });
  const wrong = entered(log, 'time last:soon').state;
  const prompt = played(
    log,
    'chooseWindow',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: 'last:soon' },
  );
  const same = played(prompt.state, 'down', { type: 'submitted' }).state.prompt?.error;
  assert.deepEqual(wrong.prompt?.error, same && { ...same, column: same.column + 'time '.length });
  assert.deepEqual(wrong.views, log.views);
  const day = topView(entered(entered(picker, 'shield shop').state, 'day 2026-11-19').state);
  assert.equal(day.kind === 'shieldRows' && day.day?.day, '2026-11-19');
  assert.equal(entered(log, 'time').state.prompt?.kind, 'window');
  assert.equal(queryOf(entered(timed, 'query cache:MISS').state).terms.length, 1);
  const narrowed = entered(picker, 'find che').state;
  assert.deepEqual(
    [narrowed.prompt, narrowed.zones.shown.map(({ name }) => name)],
    [null, ['checker', 'checkout']],
  );
  const found = topView(entered(log, 'find p/7').state);
  assert.equal(found.kind === 'log' && found.search?.needle, 'p/7');
});

test('the help is opened at a word, and lists the words of the command line', () => {
  const { overlay } = entered(log, 'help group').state;
  assert.deepEqual(overlay, { kind: 'help', cursor: 0, find: 'group' });
  const told = helpLines({ ...log, size: { columns: 200, rows: 50 } }, '')
    .map((line) => (line.kind === 'command' ? `${line.keys} ${line.word} ${line.does}` : ''))
    .join('\n');
  for (const word of [
    '2 .*:logs [zone] [query...]',
    ':zone .*:zone <zone>',
    ':field:value',
    't .*:time [window]',
    ':q ',
  ]) {
    assert.match(told, new RegExp(word.replaceAll(/[[\]]/g, '\\$&')), word);
  }
});

test('arguments complete: zones held by the words of their names, fields that are left, terms as in the editor', () => {
  assert.deepEqual(labels(picker, 'logs '), ['shop', 'checkout', 'eu-shop', 'checker']);
  assert.deepEqual(labels(picker, 'logs sh'), ['shop', 'eu-shop']);
  assert.deepEqual(labels(picker, 'logs hp'), []);
  const twins = listedState([zoneOf('8', 'twin'), zoneOf('9', 'twin')]);
  assert.equal(lined(twins, 'logs tw', 'Down', 'Down', 'Tab').state.prompt?.field.text, 'logs 9 ');
  assert.match(
    toldOf(entered(twins, 'logs twin').state),
    /^2 zones are called that; name it by its id: 8, 9$/,
  );
  assert.ok(labels(picker, 'logs shop sta').includes('status:'));
  assert.ok(labels(picker, 'shield shop act').includes('action:'));
  assert.ok(labels(log, 'by asn,').includes('ip') && !labels(log, 'by asn,').includes('asn'));
  assert.equal(lined(log, 'by asn,cou', 'Tab').state.prompt?.field.text, 'by asn,country');
  assert.equal(lined(log, 'by cou', 'Tab').state.prompt?.field.text, 'by country');
  assert.equal(lined(log, 'cache:MI', 'Tab').state.prompt?.field.text, 'cache:MISS');
  assert.equal(lined(log, ': cache:MI', 'Tab').state.prompt?.field.text, ': cache:MISS');
  assert.equal(lined(log, 'statu', 'Tab').state.prompt?.field.text, 'status:');
  assert.equal(lined(picker, 'shield shop act', 'Tab').state.prompt?.field.text, 'shield shop action:');
  assert.deepEqual(
    labels(log, 'time ').filter((label) => /ip|status/.test(label)),
    [],
  );
  assert.ok(labels(log, 'time ').includes('last:'));
  assert.deepEqual(
    labels(log, 'help zo'),
    [':zone', ':zones', ':zoom-in', ':zoom-out', ':mark-zone', ':mark-zones'].map((word) => word.slice(1)),
  );
});
