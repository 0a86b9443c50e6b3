import type { Result } from '../domain/failure.ts';
import type { LogHistory } from '../domain/logs/log-history.ts';
import type { Action, Subscription } from '../state/messages.ts';

type CountWant = Extract<Subscription, { kind: 'count' }>;
type ValuesWant = Extract<Subscription, { kind: 'values' }>;
type StepsWant = Extract<Subscription, { kind: 'steps' }>;

/** Has a store count groups; stopping it ends the question. */
export function startCount(
  history: LogHistory | null,
  { key, rows, by, most }: CountWant,
  dispatch: (action: Action) => void,
): { stop: () => void } {
  return asked(
    (signal) => history?.groups(rows, by, most, signal),
    (answer) => dispatch({ type: 'storeCounted', key, answer }),
  );
}

/** Has a store count the values of fields; stopping it ends the question. */
export function startValues(
  history: LogHistory | null,
  { key, rows, fields, most }: ValuesWant,
  dispatch: (action: Action) => void,
): { stop: () => void } {
  return asked(
    (signal) => history?.values(rows, fields, most, signal),
    (answer) => dispatch({ type: 'storeValued', key, answer }),
  );
}

/** Has a store count the steps of a timeline; stopping it ends the question. */
export function startSteps(
  history: LogHistory | null,
  { key, rows, steps, series }: StepsWant,
  dispatch: (action: Action) => void,
): { stop: () => void } {
  return asked(
    (signal) => history?.steps(rows, steps, series, signal),
    (answer) => dispatch({ type: 'storeStepped', key, answer }),
  );
}

/** Of keys that came in one read only the last question is put. */
function asked<T>(
  ask: (signal: AbortSignal) => Promise<Result<T | null>> | undefined,
  told: (answer: Result<T | null>) => void,
): { stop: () => void } {
  const stopper = new AbortController();
  const { signal } = stopper;
  queueMicrotask(async () => {
    if (signal.aborted) return;
    const answer = (await ask(signal)) ?? { ok: true, value: null };
    if (!signal.aborted) told(answer);
  });
  return { stop: () => stopper.abort() };
}
