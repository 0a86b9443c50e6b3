import { Box, Text, useInput, usePaste } from 'ink';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { chords } from '../keymap/chord.ts';
import { resolve } from '../keymap/resolve.ts';
import { isTooSmall, layoutOf } from '../state/layout.ts';
import type { Action } from '../state/messages.ts';
import { type State, topView } from '../state/model.ts';
import { bottomLine } from './bottom-line.ts';
import { mistakeLine, PromptLine } from './components/prompt-line.tsx';
import { footLineWithClock, queryLineWithClock } from './evidence-line.ts';
import { queryLine } from './query-line.ts';
import { ratesLine } from './rates-line.ts';
import { KeysTable } from './screens/keys.tsx';
import { RecordTable } from './screens/record.tsx';
import { RequestsTable } from './screens/requests.tsx';
import { ShieldEventTable } from './screens/shield-event.tsx';
import { StorageZoneTable } from './screens/storage-zone.tsx';
import type { Look } from './theme.ts';
import { titleLine } from './title-line.ts';

/** The state as it is painted: data arriving fast is painted at the pace of the link, a key at once. */
export type PaintedStore = {
  get: () => State;
  subscribe: (listener: () => void) => () => void;
};

export type Stage = {
  painted: PaintedStore;
  look: () => Look;
  /** The state of this moment, for keys: they must not be resolved against a frame that lags. */
  current: () => State;
  dispatch: (action: Action) => void;
};

const StageContext = createContext<Stage | null>(null);

function useStage(): Stage {
  const stage = useContext(StageContext);
  if (!stage) throw new Error('no stage is set');
  return stage;
}

/** A value of the painted state. Equal values do not render: that is what keeps a scroll key away from React. */
function usePainted<T extends string | number | boolean | null>(select: (state: State, look: Look) => T): T {
  const { painted, look } = useStage();
  return useSyncExternalStore(painted.subscribe, () => select(painted.get(), look()));
}

/** The whole screen. Its body is blank here when the cell writer fills it (see `body.ts`). */
export function App({ stage }: { stage: Stage }): ReactNode {
  return (
    <StageContext value={stage}>
      <Keys />
      <Frame />
    </StageContext>
  );
}

function Frame(): ReactNode {
  const columns = usePainted((state) => state.size.columns);
  const rows = usePainted((state) => state.size.rows);
  const head = usePainted((state) => (isTooSmall(state) ? 0 : layoutOf(state).head));
  const foot = usePainted((state) => (isTooSmall(state) ? 0 : layoutOf(state).foot));
  const isPrompting = usePainted((state) => state.prompt !== null);
  const inkBody = usePainted(inkBodyOf);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      {head > 0 ? <PaintedLine select={titleLine} /> : null}
      {head > 1 ? <PaintedLine select={head > 2 ? ratesLine : onlyLine} /> : null}
      {head > 2 ? <PaintedLine select={queryLineWithClock} /> : null}
      <Box flexGrow={1} flexDirection="column" overflow="hidden">
        {inkBody === null ? null : <InkBody kind={inkBody} />}
      </Box>
      {foot > 0 ? <PaintedLine select={lineAboveBottom} /> : null}
      {isPrompting ? <Prompted /> : <PaintedLine select={bottomLine} />}
    </Box>
  );
}

/** Where there is room for one line: a filter must not hide rows unseen, so it goes before the rates. */
function onlyLine(state: State, look: Look): string {
  const view = topView(state);
  return 'query' in view && view.query.terms.length > 0 ? queryLine(state, look) : ratesLine(state, look);
}

/** The line of truth, or over a refused prompt where it is wrong. */
function lineAboveBottom(state: State, look: Look): string {
  return state.prompt?.error
    ? mistakeLine(state.prompt, state.size.columns, look)
    : footLineWithClock(state, look);
}

function PaintedLine({ select }: { select: (state: State, look: Look) => string }): ReactNode {
  const text = usePainted(select);
  return (
    <Box height={1} flexShrink={0} overflow="hidden">
      <Text wrap="truncate">{text === '' ? ' ' : text}</Text>
    </Box>
  );
}

function Prompted(): ReactNode {
  const { painted, look } = useStage();
  const state = useSyncExternalStore(painted.subscribe, painted.get);
  return state.prompt ? (
    <PromptLine prompt={state.prompt} columns={state.size.columns} look={look()} />
  ) : null;
}

/** The small tables that ink-table draws; everything else of the body goes past React. */
const INK_BODIES = {
  requests: RequestsTable,
  record: RecordTable,
  shieldEvent: ShieldEventTable,
  storageZone: StorageZoneTable,
  keys: KeysTable,
} as const;

function inkBodyOf(state: State): keyof typeof INK_BODIES | null {
  if (isTooSmall(state)) return null;
  if (state.overlay) return state.overlay.kind === 'requests' ? 'requests' : null;
  const { kind } = topView(state);
  return kind in INK_BODIES ? (kind as keyof typeof INK_BODIES) : null;
}

function InkBody({ kind }: { kind: keyof typeof INK_BODIES }): ReactNode {
  const { painted, look } = useStage();
  const state = useSyncExternalStore(painted.subscribe, painted.get);
  const Body = INK_BODIES[kind];
  return <Body state={state} look={look()} />;
}

/** The one reader of keys. */
function Keys(): ReactNode {
  const { current, dispatch } = useStage();
  useInput((input, key) => {
    for (const chord of chords(input, key)) dispatch(resolve(current(), chord));
  });
  usePaste((text) => {
    dispatch({ type: 'pasted', text });
  });
  return null;
}
