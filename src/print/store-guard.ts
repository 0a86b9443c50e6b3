import type { Engine } from '../store/engines/engine.ts';
import { StoreFailure } from '../store/engines/store-failure.ts';
import { say } from '../text/say.ts';
import { FAILED, type Printer } from './printer.ts';

const CREDENTIALS = 3;

/** Does what needs a store; says why the store failed, and what to do. */
export async function guarded(o: Pick<Printer, 'stderr'>, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return sayFailure(o, error);
  }
}

/** Does what needs one store, which is opened for it and closed after. */
export function atStore(
  o: Pick<Printer, 'stderr'>,
  open: () => Promise<Engine>,
  work: (engine: Engine) => Promise<number>,
): Promise<number> {
  return guarded(o, async () => {
    const engine = await open();
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  });
}

/** Says a failure; returns its exit code. */
export function sayFailure(o: Pick<Printer, 'stderr'>, { kind, message, next }: StoreFailure): number {
  say(o.stderr, message, next);
  return kind === 'refused' || kind === 'forbidden' ? CREDENTIALS : FAILED;
}
