import { withHistory } from '../../api/history-client.ts';
import type { LogHistory, StoreRead } from '../../domain/logs/log-history.ts';
import { StoreFailure } from '../../store/engines/store-failure.ts';
import { logHistory } from '../../store/history-log.ts';
import { say } from '../../text/say.ts';
import { bytes, counted, isoSecond } from '../../text/units.ts';
import type { Printer, StoreOpener } from '../printer.ts';
import { sayFailure } from '../store-guard.ts';

export type AskedStore = Awaited<ReturnType<typeof askedStore>>;

/**
 * The store that answers a question for what is older than `until`. A store that does not open leaves its time
 * unread, each time it is asked; whatever else is known is answered.
 */
export async function askedStore(o: Printer, open: StoreOpener, until: number) {
  const first = await open(false).catch((error: unknown) => {
    if (!(error instanceof StoreFailure)) throw error;
    sayFailure(o, error);
    return error;
  });
  const isOpen = !(first instanceof StoreFailure);
  const { dialect: engine, name } = isOpen
    ? { dialect: first.place.dialect, name: first.store }
    : { dialect: '', name: 'of the profile' };
  if (isOpen)
    say(o.stderr, `HISTORY ${engine}: what is older than ${isoSecond(until)} comes from the store ${name}`);
  let opened = isOpen ? first : null;
  const history = logHistory({
    engine,
    name,
    clock: o.clock,
    async open() {
      if (!isOpen) throw first;
      const again = opened ?? (await open(false));
      opened = null;
      return again;
    },
  });
  const spent = { rows: 0, bytes: 0, answers: 0 };
  const spend = (read: StoreRead) => {
    spent.answers += 1;
    spent.rows += read?.rows ?? 0;
    spent.bytes += read?.bytes ?? 0;
  };
  return {
    client: withHistory(o.client, metered(history, spend), { clock: o.clock }),
    until,
    /** Says what was read, and closes the store. */
    async conclude(): Promise<void> {
      await history.close();
      // Opened, and never asked.
      await opened?.close();
      if (!isOpen) return;
      const read = spent.rows > 0 ? `${counted(spent.rows, 'row')}, ${bytes(spent.bytes)}, for ` : '';
      say(o.stderr, `the store ${read === '' ? 'gave' : 'read'} ${read}${counted(spent.answers, 'answer')}`);
    },
  };
}

/** The same store; `spend` gets what the engine read for each answer. */
function metered(history: LogHistory, spend: (read: StoreRead) => void): LogHistory {
  return {
    ...history,
    async page(...asked) {
      const answer = await history.page(...asked);
      if (answer.ok) spend(answer.value.read);
      return answer;
    },
    async count(...asked) {
      const answer = await history.count(...asked);
      if (answer.ok && 'counts' in answer.value) spend(answer.value.read);
      return answer;
    },
  };
}
