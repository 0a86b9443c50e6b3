import { Box, type Instance, type RenderOptions, render, useInput, usePaste, useStdin } from 'ink';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { chords } from '../keymap/chord.ts';
import { resolve } from '../keymap/resolve.ts';
import type { Look } from '../paint/theme.ts';
import { paintingOf } from '../screens/screens.ts';
import { isTooSmall, layoutOf } from '../state/list/screen-layout.ts';
import type { Action } from '../state/messages.ts';
import type { State } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';
import { PromptLine } from './components/prompt-line.tsx';
import { FieldsTable } from './components/tables.tsx';

/** The state as painted: arriving data at the pace of the link, a key at once. */
export type PaintedStore = {
  get: () => State;
  subscribe: (listener: () => void) => () => void;
};

export type Stage = {
  painted: PaintedStore;
  look: () => Look;
  /** The state of this moment, for keys: a frame that lags must not resolve them. */
  current: () => State;
  dispatch: (action: Action) => void;
};

type Staged = { stage: Stage };

/** A value of the painted state. Equal values do not render, which keeps a scroll key away from React. */
function usePainted<T>({ painted }: Stage, select: (state: State) => T): T {
  return useSyncExternalStore(painted.subscribe, () => select(painted.get()));
}

/** Puts Ink under a screen that stands already, and reads keys from then on. */
export function mounted(stage: Stage, streams: Pick<RenderOptions, 'stdin' | 'stdout'>): Instance {
  return render(<App stage={stage} />, {
    ...streams,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  });
}

/** The whole screen: blank here where the cell writer fills it (see `chrome.ts` and `body.ts`). */
export function App({ stage }: Staged): ReactNode {
  return (
    <>
      <Keys stage={stage} />
      <Frame stage={stage} />
    </>
  );
}

function Frame({ stage }: Staged): ReactNode {
  const columns = usePainted(stage, (state) => state.size.columns);
  const rows = usePainted(stage, (state) => state.size.rows);
  const head = usePainted(stage, (state) => (isTooSmall(state) ? 0 : layoutOf(state).head));
  const foot = usePainted(stage, (state) => (isTooSmall(state) ? 0 : layoutOf(state).foot));
  const isPrompting = usePainted(stage, (state) => state.prompt !== null);
  const isInk = usePainted(stage, isInkBody);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Box height={head} flexShrink={0} />
      <Box flexGrow={1} flexDirection="column" overflow="hidden">
        {isInk ? <InkBody stage={stage} /> : null}
      </Box>
      <Box height={foot} flexShrink={0} />
      {isPrompting ? <Prompted stage={stage} /> : <Box height={1} flexShrink={0} />}
    </Box>
  );
}

function Prompted({ stage }: Staged): ReactNode {
  const { prompt, size } = usePainted(stage, (state) => state);
  return prompt ? <PromptLine prompt={prompt} columns={size.columns} look={stage.look()} /> : null;
}

/** The fields of one thing are drawn by ink-table; all other bodies go past React. */
function isInkBody(state: State): boolean {
  if (isTooSmall(state) || state.overlay) return false;
  return typeof paintingOf(topView(state)).body !== 'function';
}

function InkBody({ stage }: Staged): ReactNode {
  const state = usePainted(stage, (painted) => painted);
  return <FieldsTable state={state} look={stage.look()} />;
}

/** The one reader of keys. */
function Keys({ stage: { current, dispatch } }: Staged): ReactNode {
  const raw = useRawPress();
  useInput((input, key) => {
    for (const chord of chords(input, key, raw())) dispatch(resolve(current(), chord));
  });
  usePaste((text) => {
    dispatch({ type: 'pasted', text });
  });
  return null;
}

type Presses = Record<'on' | 'off', (event: 'input', listener: (press: string) => void) => void>;

/**
 * The press that `useInput` is about to report, as the terminal sent it: Ink strips an Esc off the key behind it. Its
 * listener must be the first, so this is called before `useInput`.
 */
function useRawPress(): () => string {
  const { internal_eventEmitter: presses } = useStdin() as unknown as { internal_eventEmitter: Presses };
  const raw = useRef('');
  useEffect(() => {
    const keep = (press: string) => {
      raw.current = press;
    };
    presses.on('input', keep);
    return () => {
      presses.off('input', keep);
    };
  }, [presses]);
  return () => raw.current;
}
