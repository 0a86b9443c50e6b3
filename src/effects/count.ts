import type { LogHistory } from '../domain/logs/log-history.ts';
import type { Action, Subscription } from '../state/messages.ts';

type CountWant = Extract<Subscription, { kind: 'count' }>;

/** Has a store count groups; stopping it ends the question. */
export function startCount(
  history: LogHistory | null,
  { key, rows, by, most }: CountWant,
  dispatch: (action: Action) => void,
): { stop: () => void } {
  const stopper = new AbortController();
  const { signal } = stopper;

  async function count(): Promise<void> {
    await null;
    if (signal.aborted) return;
    const answer = history && (await history.groups(rows, by, most, signal));
    if (!signal.aborted) dispatch({ type: 'storeCounted', key, answer: answer ?? { ok: true, value: null } });
  }

  void count();
  return { stop: () => stopper.abort() };
}
