import { failureOf } from '../../src/domain/failure.ts';
import { LONGEST_HIGHLIGHT } from '../../src/domain/handover/highlights.ts';
import type { Need } from '../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { emptyReport } from '../../src/domain/logs/saved-report.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { SHIELD_DIMENSIONS, type ShieldEvent } from '../../src/domain/shield/shield.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { openSaved } from '../../src/screens/log/saved.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { sanitise } from '../../src/text/sanitise.ts';
import { LIST_ITEMS, LIST_SCENES, listShown } from './account-lists.ts';
import { answered, answerOf, groupOf, PAIRS, requestOf } from './shield.ts';
import { gapOf, listedState, NOON, played, recordOf, reportOf, startState, zoneOf } from './state.ts';

/** The n-th text that somebody outside has chosen. */
export type Told = (n: number) => string;

export type Scene = (told: Told, size: State['size']) => State;

const LINES = 12;
/** More than a row has. */
const FIELDS = 40;
const SECOND = 1_000;

/** Every view, overlay and prompt of the program, full of untrusted texts wherever there is room for one. */
export const SCENES = {
  zones: (told, size) => picker(told, size),
  'zones that failed': (told, size) => {
    const state = startState({ size });
    const failure = failureOf('invalidRequest', { detail: sanitise(told(0), 'strict', 400), status: 400 });
    return played(state, { type: 'listFailed', list: 'zones', request: state.zones.request, failure }).state;
  },
  'zones narrowed': (told, size) => typed(picker(told, size), told(1), 'find'),
  log: (told, size) => live(told, size),
  'log paused': (told, size) => played(live(told, size), 'up').state,
  'log searched': (told, size) => typed(paused(told, size), told(2), 'find'),
  'log query': (told, size) => typed(paused(told, size), told(3), 'editQuery'),
  'log filtered': (told, size) =>
    played(paused(told, size), ...Array.from({ length: 7 }, () => 'right' as const), 'filterIn').state,
  'log highlighted': (told, size) => {
    // A longer one is refused, and the line stays.
    const text = told(4).slice(0, LONGEST_HIGHLIGHT / 2);
    const asked = typed(paused(told, size), `mark ${text} red`, 'palette');
    return played(asked, resolve(asked, 'Enter')).state;
  },
  'marked rows': (told, size) =>
    played(paused(told, size), 'mark', 'up', 'mark', 'up', 'mark', 'marks', 'open', 'marks').state,
  record: (told, size) => played(paused(told, size), 'open').state,
  groups: (told, size) => played(paused(told, size), 'chooseGroups', 'pause', 'down', 'pause', 'open').state,
  'group choice': (told, size) => played(paused(told, size), 'chooseGroups').state,
  timeline: (told, size) => played(saved(told, size), 'timeline').state,
  'top values': (told, size) => played(paused(told, size), 'topValues').state,
  columns: (told, size) => played(paused(told, size), 'chooseColumns').state,
  'bare text': (told, size) => played(paused(told, size), 'plainText').state,
  'saved logs': saved,
  'request log': (told, size) => {
    const requests = Array.from({ length: LINES }, (_, n) => ({
      id: n,
      at: NOON,
      method: 'GET',
      host: 'api.example.com',
      path: told(n),
      phase: 'done' as const,
      wait: null,
      status: 200,
      waited: 0,
      took: 12,
      bytes: 99,
      outcome: 'ok',
    }));
    return played({ ...live(told, size), requests }, 'requests').state;
  },
  help: (told, size) => played(live(told, size), 'help').state,
  'figures of the log': (told, size) => played(live(told, size), 'how').state,
  'help narrowed': (told, size) => typed(live(told, size), told(4), 'help'),
  palette: (told, size) => typed(live(told, size), told(5), 'palette'),
  'palette of zones': (told, size) => {
    const asked = typed(picker(told, size), 'logs ', 'palette');
    return played(asked, resolve(asked, 'Down')).state;
  },
  'palette of values': (told, size) => typed(live(told, size), 'ua:', 'palette'),
  'palette refused': (told, size) => {
    const asked = typed(live(told, size), told(5), 'palette');
    return played(asked, resolve(asked, 'Enter')).state;
  },
  'copy menu': (told, size) => played(paused(told, size), 'right', 'right', 'copy').state,
  'export menu': (told, size) => played(paused(told, size), 'export').state,
  'export name': (told, size) => typed(played(paused(told, size), 'export').state, told(6), 'open'),
  'saved views': (told, size) => {
    const views = Array.from({ length: LINES }, (_, n) => ({
      name: told(n),
      screen: 'logs' as const,
      zone: '1',
      zoneName: told(n + 1),
      query: told(n + 2),
      rows: false,
      savedAt: NOON,
    }));
    const viewsRead: Action = { type: 'viewsRead', views, trouble: null, done: null, failed: null };
    return played(live(told, size), 'savedViews', viewsRead).state;
  },
  finding: (told, size) => typed(paused(told, size), told(7), 'note'),
  'shield groups': (told, size) => shieldGroups(told, size),
  'shield groups unfolded': (told, size) => {
    const argument = { text: 'rule,ip', at: 0 };
    const by: Action = { type: 'ordered', command: 'chooseGroups', argument, line: 'by rule,ip' };
    return groupsAnswered(played(shieldGroups(told, size), by, 'unfold').state, told);
  },
  'shield events': (told, size) => shieldRows(told, size),
  'shield event': (told, size) => played(shieldRows(told, size), 'open').state,
  'dimension choice': (told, size) => played(shieldGroups(told, size), 'chooseGroups').state,
  'shield columns': (told, size) => played(shieldGroups(told, size), 'chooseColumns').state,
  'shield form': (told, size) => played(shieldGroups(told, size), 'filterIn', 'switchForm').state,
  'shield failed': (told, size) => {
    const state = played(picker(told, size), 'shieldScreen').state;
    const failure = failureOf('invalidRequest', { detail: sanitise(told(8), 'strict', 400), status: 400 });
    return played(state, { type: 'shieldFailed', request: requestOf(state), failure }).state;
  },
  'comparison price': (told, size) => played(paused(told, size), 'compare').state,
  comparison: (told, size) => met(played(paused(told, size), 'compare', 'open').state, told),
  bypassCheck,
  'incidents price': (told, size) => played(paused(told, size), 'incidents').state,
  incidents: (told, size) => met(played(paused(told, size), 'incidents', 'open').state, told),
  'suspect rules': (told, size) => met(played(shieldGroups(told, size), 'suspectRules', 'open').state, told),
  ...LIST_SCENES,
  'storage zone': (told, size) => storageZone(told, size),
  'storage edit': storageEdit,
  'storage edit failed': (told, size) => {
    const asked = played(storageZone(told, size), 'editSettings').state;
    const failure = failureOf('invalidRequest', { detail: sanitise(told(9), 'strict', 400), status: 400 });
    return played(asked, { type: 'storageZoneFailed', request: asked.storage.asked, failure }).state;
  },
  'storage change': (told, size) => played(storageEdit(told, size), 'pause', 'previewChange').state,
} as const satisfies Record<string, Scene>;

export type SceneName = keyof typeof SCENES;

/** Rows of the log whose every text is untrusted. */
export function rowsTold(told: Told, count = LINES): LogRecord[] {
  return Array.from({ length: count }, (_, n) =>
    recordOf(n, {
      cacheStatus: told(n),
      edgeLocation: told(n + 1),
      host: told(n + 2),
      path: told(n + 3),
      url: told(n + 4),
      remoteIp: told(n + 5),
      countryCode: told(n + 6),
      userAgent: told(n + 7),
      referer: told(n + 8),
      ja4Fingerprint: told(n + 9),
      asn: told(n + 10),
      asnOrganization: told(n + 11),
      requestId: `${told(n + 12)}#${n}`,
      contentRange: told(n + 13),
      raw: n % 3 === 0 ? told(n + 14) : null,
    }),
  );
}

export function eventsTold(told: Told): ShieldEvent[] {
  return Array.from({ length: LINES }, (_, n) => ({
    logId: `${told(n)}#${n}`,
    timestamp: NOON - n,
    fields: Object.fromEntries(SHIELD_DIMENSIONS.map((name, m) => [name, told(n + m)])),
    log: {
      Message: told(n + 1),
      Url: told(n + 2),
      RemoteIp: told(n + 3),
      UrlEncodedBody: told(n + 4),
      Headers: [{ Name: told(n + 5), Value: told(n + 6) }],
      TriggerMatch: { Key: told(n + 7), Value: told(n + 8) },
      [told(n + 9)]: told(n + 10),
    },
    raw: n % 3 === 0 ? told(n + 11) : null,
  }));
}

export function groupsTold(told: Told, names: readonly string[]) {
  return Array.from({ length: LINES }, (_, n) =>
    groupOf(Object.fromEntries(names.map((name, m) => [name, `${told(n + m)}#${n}`])), 90 - n, {
      context: {
        country: told(n + 1),
        asn: told(n + 2),
        blocked: 1,
        challenged: 0,
        logged: 0,
        features: [told(n + 3)],
        ruleIds: [told(n + 4)],
      },
      raw: n % 4 === 1 ? told(n + 5) : null,
    }),
  );
}

/** The first zone keeps a name by which the title can be told. */
function zonesTold(told: Told) {
  return Array.from({ length: LINES }, (_, n) =>
    zoneOf(String(n + 1), n === 0 ? 'shop' : told(n), { hostnames: [told(n + 1), told(n + 2)] }),
  );
}

function picker(told: Told, size: State['size']): State {
  return played(listedState(zonesTold(told), { size }), { type: 'shieldMapped', pairs: PAIRS }).state;
}

function live(told: Told, size: State['size']): State {
  const opened = played(picker(told, size), 'open').state;
  const rows = rowsTold(told).map((record) => ({ record, late: false }));
  const event = { rows, report: reportOf({ gaps: [gapOf(-9, -4)] }) };
  const generation = opened.session?.generation ?? 0;
  return played(opened, { type: 'tailRead', zone: '1', generation, event }).state;
}

function paused(told: Told, size: State['size']): State {
  return played(live(told, size), 'up', 'down').state;
}

function saved(told: Told, size: State['size']): State {
  const opened = openSaved(startState({ size }), {
    names: [told(0)],
    bytesTotal: 1000,
    follow: false,
    query: EMPTY_QUERY,
  });
  // Some of them in one second, so that a timeline has high and low steps.
  const records = rowsTold(told).map((record, n) => ({
    ...record,
    timestamp: NOON + Math.max(0, n - 5) * SECOND,
  }));
  const span = { from: NOON, to: NOON + LINES * SECOND };
  const report = { ...emptyReport(1, 1000), rows: LINES, bytesRead: 430, span };
  return played(opened, {
    type: 'savedRead',
    generation: opened.session?.generation ?? 0,
    event: { rows: records, report },
  }).state;
}

function shieldGroups(told: Told, size: State['size']): State {
  const state = played(picker(told, size), 'shieldScreen').state;
  const rules = groupsTold(told, ['ruleId']).map(({ key }, n) => ({
    ruleId: String(key.ruleId ?? n),
    description: told(n),
    group: told(n + 1),
    ruleset: told(n + 2),
  }));
  return played(groupsAnswered(state, told), {
    type: 'shieldRulesArrived',
    shieldZoneId: PAIRS[0]?.shieldZoneId ?? '',
    rules,
  }).state;
}

function groupsAnswered(state: State, told: Told): State {
  const search = subscriptions(state).find((each) => each.kind === 'shieldSearch');
  return answered(state, answerOf({ groups: groupsTold(told, search?.ask.groupBy ?? []), total: LINES }));
}

function shieldRows(told: Told, size: State['size']): State {
  const state = played(shieldGroups(told, size), 'chooseGroups', 'last', 'open').state;
  const answer = answerOf({ kind: 'rows', events: eventsTold(told), total: LINES });
  return played(state, { type: 'shieldAnswered', request: requestOf(state), answer }).state;
}

function storageZone(told: Told, size: State['size']): State {
  const opened = played(listShown('storage', told, { size, mayWrite: true }), 'open').state;
  const zone = LIST_ITEMS.storage(told, 0);
  return played(opened, { type: 'storageZoneRead', request: opened.storage.asked, zone }).state;
}

function storageEdit(told: Told, size: State['size']): State {
  const asked = played(storageZone(told, size), 'editSettings').state;
  const zone = LIST_ITEMS.storage(told, 0);
  return played(asked, { type: 'storageZoneRead', request: asked.storage.asked, zone }).state;
}

/** Of the first value of a row that can be asked about. */
function bypassCheck(told: Told, size: State['size']): State {
  let state = played(paused(told, size), 'open').state;
  for (let field = 0; field < FIELDS; field += 1) {
    const asked = played(state, 'bypassCheck').state;
    if (topView(asked).kind === 'answer') return met(played(asked, 'open').state, told);
    state = played(state, 'down').state;
  }
  throw new Error('nothing of this row can be asked about');
}

/** Every need of the question on top, met by untrusted texts. */
function met(state: State, told: Told): State {
  const asked = subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
  const view = topView(state);
  if (view.kind !== 'answer') return state;
  return asked.reduce(
    (now, need) =>
      played(now, { type: 'needMet', inquiry: view.number, need, met: answerTo(need, told) }).state,
    state,
  );
}

function answerTo(need: Need, told: Told) {
  if (need.kind === 'shield') {
    const { groupBy, page } = need.ask;
    const what =
      groupBy.length === 0
        ? { kind: 'rows' as const, events: eventsTold(told) }
        : { groups: groupsTold(told, groupBy) };
    return { kind: 'shield' as const, answer: answerOf({ ...what, page, total: LINES }) };
  }
  if (need.kind === 'originErrors') return { kind: need.kind, value: { errors: [], unread: 0 } } as const;
  if (need.kind === 'changes')
    return { kind: need.kind, value: { changes: [], next: null, unread: 0 } } as const;
  if (need.kind === 'statistics') return { kind: need.kind, value: [] } as const;
  const { from, to } = need.range;
  const records = rowsTold(told).map((record, i) => ({
    ...record,
    timestamp: Math.min(to - 1, from + i * 100),
  }));
  return { kind: 'logs' as const, records, hasMore: false };
}

/** A command that opens a line of text, and the text in it. */
function typed(state: State, text: string, command: CommandId): State {
  return played(state, command, { type: 'typed', text }).state;
}
