import type { ReadStream, WriteStream } from 'node:tty';
import type { Instance } from 'ink';
import { resumedRemark, sessionPlace } from './across/handover/session-place.ts';
import { type ClientOptions, createClient, numbered } from './api/client.ts';
import { withHistory } from './api/history-client.ts';
import { toldHistory } from './api/history-requests.ts';
import type { Quota } from './api/quota/quota.ts';
import type { Environment } from './config/config-error.ts';
import type { Directories } from './config/directories.ts';
import type { Settings } from './config/settings/settings.ts';
import { PANEL_PAGES } from './domain/handover/panel.ts';
import type { PlaceFile, SessionPlace, ViewStore } from './domain/handover/place.ts';
import type { LogHistory } from './domain/logs/log-history.ts';
import type { Query } from './domain/query/query.ts';
import { type RequestEvent, tightestQuota } from './domain/request-event.ts';
import type { Journal } from './domain/storage/storage-change.ts';
import type { Watch } from './domain/watch/watch.ts';
import { createPlaceKeeper } from './effects/keep-place.ts';
import { createRunner } from './effects/run.ts';
import type { OpenedLogs } from './effects/saved/saved-ahead.ts';
import { mouseReport } from './keymap/chord.ts';
import { ownKeysOf } from './keys/own-keys.ts';
import type { ListKind } from './lists/account-lists.ts';
import { createStore, FIRST_STATE } from './loop/state-store.ts';
import { subscriptions } from './loop/subscriptions.ts';
import { update } from './loop/update.ts';
import { createLook, type ThemeName } from './paint/theme.ts';
import { openSaved } from './screens/log/saved.ts';
import { NO_ZONES } from './screens/zones/zones-screen.ts';
import { NO_HANDOVER } from './state/handover-model.ts';
import { openList, pageAsked } from './state/list/list-screen.ts';
import { layoutOf } from './state/list/screen-layout.ts';
import { zonesOfLog } from './state/log-zones.ts';
import type { Action } from './state/messages.ts';
import type { State, WantedView } from './state/model.ts';
import { clockZone } from './state/model.ts';
import { waitingFor } from './state/watching.ts';
import { TerminalScreen } from './terminal/cell-screen.ts';
import { KeyInput } from './terminal/key-input.ts';
import { GONE, watchProcess } from './terminal/modes.ts';
import { notification, notifierOf } from './text/notification.ts';
import type { Clock } from './time/clock.ts';
import type { Stage } from './ui/app.tsx';
import { bodyLines } from './ui/body.ts';
import { chromeLines } from './ui/chrome.ts';
import { promptWindow } from './ui/components/prompt-window.ts';
import { createFrames } from './ui/frames.ts';
import { pointed } from './ui/pointer.ts';

export type TuiOptions = {
  stdin: ReadStream;
  stdout: WriteStream;
  settings: Settings;
  quota: Quota;
  theme: ThemeName;
  ascii: boolean;
  utc: boolean;
  demo: boolean;
  clock: Clock;
  /** Stands in for the network, for tests. */
  over?: ClientOptions['over'];
  /** A zone named on the command line, to open as soon as it is found. */
  wanted: WantedView | null;
  /** The place of the lost session that is resumed. */
  resumed: SessionPlace | null;
  /** Where this session's place is kept; null = nowhere. */
  place: PlaceFile | null;
  /** Saved logs to open instead of asking for anything. */
  saved?: (OpenedLogs & { follow: boolean; query: Query }) | null;
  /** The store of logs that the platform no longer keeps. */
  history?: LogHistory | null;
  /** A remark for the start. */
  remark?: string | null;
  /** What `--until` waits for. */
  watch: Watch | null;
  /** The command line of `--exec`, which takes what a watch finds; null = none. */
  exec: string | null;
  /** What it shows of the terminal. */
  env: Environment;
  /** The flags with which another start sees the same account. */
  flags: readonly string[];
  views: ViewStore;
  directories: Directories;
  /** A screen of the account to open at once, and the storage zone to look for. */
  opening: { screen: ListKind; word: string | null } | null;
  journal: Journal;
  /** Without it the transport refuses every write, whatever the screen would do. */
  mayWrite: boolean;
  /** Every action, redacted, for `--debug`. */
  onAction: (action: Action) => void;
};

/** Runs the screen until the user leaves; resolves to the exit code. The terminal is restored whatever happens. */
export async function runTui(o: TuiOptions): Promise<number> {
  const { clock } = o;
  const now = () => Math.floor(clock.now());
  const screen = new TerminalScreen({
    stdout: o.stdout,
    stdin: o.stdin,
    clock,
    onGone: () => left.resolve(GONE),
  });
  const left = Promise.withResolvers<number>();
  const { columns, rows } = screen.inkStdout;
  const initial = stateAtStart(o, { columns, rows }, now());
  const nextId = numbered();
  const platform = createClient({
    ...o.settings,
    allowWrites: o.mayWrite,
    quota: o.quota,
    clock,
    nextId,
    over: o.over,
    onRequest(event) {
      seen(event);
      const zones = zonesOfLog(store.get().session);
      const budget = tightestQuota(zones.map(({ id }) => client.logQuota(id)));
      if (budget) store.dispatch({ type: 'budgetSeen', budget });
    },
  });
  const seen = (event: RequestEvent) => store.dispatch({ type: 'requestSeen', event });
  const history = o.history ? toldHistory(o.history, { clock, onRequest: seen, nextId }) : null;
  const client = history ? withHistory(platform, history, { clock }) : platform;
  const first = o.saved ? openedLogs(initial, o.saved) : openedAccount(initial, o.opening);
  const store = createStore(first, update, (effect) => runner.run(effect), now);
  const runner = createRunner({
    client,
    history,
    clock,
    ...(o.saved ? { saved: o.saved } : {}),
    journal: o.journal,
    dispatch: store.dispatch,
    places: {
      copy: (text) => screen.copy(text),
      views: o.views,
      notebooks: o.directories.state,
      current: o.directories.current,
      home: o.directories.home,
    },
    terminal: {
      notify({ text, line }) {
        screen.notify(notification(text, notifierOf(o.env)));
        if (o.exec !== null) void execute(o.exec, line);
      },
      redraw: () => screen.redraw(),
      suspend: () => void screen.suspend(),
      quit: () => left.resolve(0),
    },
  });

  /** Leaving ends the command, as Ctrl-C does in a pipe. */
  const leaving = new AbortController();
  async function execute(command: string, line: string): Promise<void> {
    const { handFinding } = await import('./effects/hand-finding.ts');
    let last = '';
    const said = (words: string) => {
      last = words;
    };
    const trouble = await handFinding(command, line, { clock, signal: leaving.signal, said });
    if (trouble === null) return;
    const remark = `--exec ${trouble}${last === '' ? '' : `: ${last}`}`;
    store.dispatch({ type: 'remarked', remark: { tone: 'warning', remark } });
  }

  const keeper =
    o.place &&
    createPlaceKeeper({
      file: o.place,
      place: () => sessionPlace(store.get()),
      clock,
      failed: (remark) => store.dispatch({ type: 'remarked', remark: { tone: 'warning', remark } }),
    });

  const lookIn = (utc: boolean) => createLook(o.theme, o.ascii, utc, o.settings.colours);
  let look = lookIn(o.utc);
  const frames = createFrames({
    current: store.get,
    sink: screen,
    paintChrome(state) {
      const zone = clockZone(state);
      if (look.zone !== zone) look = lookIn(zone === 'utc');
      const { link, ...parts } = chromeLines(state, look);
      screen.setLink(link);
      for (const [id, { y, lines }] of Object.entries(parts)) {
        screen.setRegion(id, { x: 0, y, width: state.size.columns, height: lines.length }, lines);
      }
    },
    paintBody(state) {
      const { body } = layoutOf(state);
      const lines = bodyLines(state, look);
      if (lines) {
        screen.setRegion('body', { x: 0, y: body.y, width: state.size.columns, height: body.height }, lines);
      } else {
        screen.clearRegion('body');
      }
    },
    placeCursor: (state) => screen.setCursor(cursorOf(state)),
    clock,
  });
  store.subscribe((state, action) => {
    o.onAction(action);
    screen.setMouse(state.hasMouse);
    runner.match(subscriptions(state));
    frames.changed(action);
    keeper?.changed();
  });

  screen.inkStdout.on('resize', () => {
    const { columns, rows } = screen.inkStdout;
    store.dispatch({ type: 'resized', columns, rows });
  });
  const stopWatching = watchProcess((code) => left.resolve(code));

  // The terminal shows no letter of its own from here on.
  o.stdin.setRawMode(true);
  screen.setMouse(store.get().hasMouse);
  screen.start();
  runner.match(subscriptions(store.get()));
  if (o.wanted?.screen === 'logs') client.connectToLogs();
  if (!o.saved) runner.run({ type: 'findIntents' });

  const stage: Stage = {
    painted: frames,
    look: () => look,
    current: store.get,
    dispatch(action) {
      o.saved?.ahead?.giveWay();
      store.dispatch(action);
    },
  };
  const keys = new KeyInput(o.stdin, {
    isTaken: () => store.get().hasMouse,
    reported(raw) {
      const report = mouseReport(raw);
      for (const action of report ? pointed(store.get(), look, report) : []) stage.dispatch(action);
    },
  });
  let ink: Instance | null = null;
  let isOver = false;
  // Ink and React take as long to load as all else together, and the first screen needs neither: a key does.
  void Promise.race([frames.answered.then(() => screen.nextFrame()), keyWaiting(keys)]).then(async () => {
    const { mounted } = await import('./ui/app.tsx');
    if (!isOver) ink = mounted(stage, { stdout: screen.inkStdout, stdin: keys as unknown as ReadStream });
  });

  const code = await left.promise;
  isOver = true;
  leaving.abort();
  frames.end();
  keeper?.end(code !== 0);
  // From here on nothing is wanted, whatever arrives from jobs being stopped.
  store.dispatch({ type: 'ended' });
  (ink as Instance | null)?.unmount();
  o.stdin.setRawMode(false);
  keys.stop();
  await screen.stop();
  stopWatching();
  await client.close();
  await history?.close();
  return code;
}

/** Resolves once a key waits to be read; it waits on. */
function keyWaiting(stdin: KeyInput): Promise<void> {
  return new Promise((resolve) => stdin.once('readable', () => resolve()));
}

/** The state before any request. `now`: Unix ms. */
function stateAtStart(o: TuiOptions, size: State['size'], now: number): State {
  return {
    ...FIRST_STATE,
    size,
    now,
    zones: { ...NO_ZONES, wanted: o.wanted },
    storage: { ...FIRST_STATE.storage, wanted: o.opening?.word ?? null },
    mayWrite: o.mayWrite,
    rowBytes: o.settings.rowBytes,
    remarks: [
      ...(o.resumed ? [resumedRemark(o.resumed)] : []),
      ...(o.remark ? [{ tone: 'info' as const, remark: o.remark }] : []),
    ],
    highlights: o.resumed?.highlights ?? [],
    on: new Set(o.utc ? [] : ['localTime']),
    hasMouse: o.settings.mouse,
    ownKeys: ownKeysOf(o.settings.keys),
    demo: o.demo,
    handover: {
      ...NO_HANDOVER,
      flags: o.flags,
      urls: { base: o.settings.baseUrl, logging: o.settings.loggingUrl },
      panel: { ...PANEL_PAGES, ...o.settings.panel },
    },
    watching: o.watch === null || o.wanted === null ? null : waitingFor(o.watch, o.wanted.query),
    resuming: o.resumed?.pausedAt == null ? null : { pausedAt: o.resumed.pausedAt, until: null },
    history: o.history ? { engine: o.history.engine, name: o.history.name } : null,
    endpoint: new URL(o.settings.baseUrl).host,
  };
}

function openedLogs(state: State, { inputs, follow, query }: NonNullable<TuiOptions['saved']>): State {
  const isSized = inputs.every((input) => input.size !== null);
  return openSaved(state, {
    names: inputs.map((input) => input.name),
    bytesTotal: isSized ? inputs.reduce((sum, input) => sum + (input.size ?? 0), 0) : null,
    follow,
    query,
  });
}

/** The first questions to the platform, under the screen that was asked for on the command line. */
function openedAccount(initial: State, opening: TuiOptions['opening']): State {
  const listed = pageAsked(initial, 'zones', 1);
  return opening === null ? listed : openList(listed, opening.screen);
}

/** Where the real cursor stands: in the line being edited, else nowhere. */
function cursorOf(state: State): { x: number; y: number } | null {
  if (!state.prompt) return null;
  const { cursor } = promptWindow(state.prompt, state.size.columns);
  return { x: Math.min(cursor, state.size.columns - 1), y: layoutOf(state).bottom };
}
