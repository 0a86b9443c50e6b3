import type { LogHistory } from '../domain/logs/log-history.ts';
import type { Action, Subscription } from '../state/messages.ts';
import { type Running, untilStopped } from './supervise.ts';

type CountWant = Extract<Subscription, { kind: 'count' | 'values' | 'steps' }>;

/** Has a store count groups, the values of fields or the steps of a timeline; stopping it ends the question. */
export function startCount(
  { history = null }: { history?: LogHistory | null },
  want: CountWant,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, async (signal, tell) => {
    // Of keys that came in one read only the last question is put.
    await null;
    if (!signal.aborted) tell(await counted(history, want, signal));
  });
}

async function counted(history: LogHistory | null, want: CountWant, signal: AbortSignal): Promise<Action> {
  const { key, rows } = want;
  const none = { ok: true, value: null } as const;
  switch (want.kind) {
    case 'count': {
      const answer = await history?.groups(rows, want.by, want.most, signal);
      return { type: 'storeCounted', key, answer: answer ?? none };
    }
    case 'values': {
      const answer = await history?.values(rows, want.fields, want.most, signal);
      return { type: 'storeValued', key, answer: answer ?? none };
    }
    case 'steps': {
      const answer = await history?.steps(rows, want.steps, want.series, signal);
      return { type: 'storeStepped', key, answer: answer ?? none };
    }
  }
}
