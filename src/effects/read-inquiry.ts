import type { Failure } from '../domain/failure.ts';
import { type Held, Recall } from '../domain/inquiry/held-log.ts';
import { type Inquiry, type Need, nextRound } from '../domain/inquiry/inquiry.ts';
import { type Asker, askNeeds } from './inquire.ts';

/** The progress of an inquiry, in requests. `isCut`: it ended before all its needs were asked. */
export type InquiryReading = {
  asked: number;
  answered: number;
  failures: number;
  failure: Failure | null;
  isCut: boolean;
};

/**
 * Asks an inquiry round by round; the inquiry holds the answers. With `most` it sends no more requests than that, and
 * that many where answers leave something unread; without it the number of its price. `said` is called after each
 * answer. Ends early when the signal fires.
 */
export async function readInquiry(o: {
  client: Asker;
  inquiry: Pick<Inquiry, 'needs' | 'follow' | 'add' | 'rest'>;
  most: number | null;
  signal: AbortSignal;
  said: (asking: InquiryReading) => void;
}): Promise<InquiryReading> {
  const { client, inquiry, most, signal, said } = o;
  const asking: InquiryReading = { asked: 0, answered: 0, failures: 0, failure: null, isCut: false };
  const failed = new Set<Need['kind']>();
  for (let needs = inquiry.needs; needs.length > 0; needs = next()) {
    const round = needs.slice(0, (most ?? Number.POSITIVE_INFINITY) - asking.asked);
    asking.asked += round.length;
    if (round.length > 0) await asked(round);
    asking.isCut ||= signal.aborted || round.length < needs.length;
    if (asking.isCut) break;
  }
  return asking;

  function next(): readonly Need[] {
    return nextRound(inquiry, { left: (most ?? 0) - asking.asked, failed }).needs;
  }

  /** What is read beside the logs costs only its own lines when it fails. */
  function isBeside({ kind }: Need): boolean {
    return !isOfLogs(kind) && inquiry.needs.some((need) => isOfLogs(need.kind));
  }

  function asked(round: readonly Need[]): Promise<void> {
    return askNeeds(client, round, signal, (need, met) => {
      inquiry.add(need, met);
      // A request that a budget holds back was not sent: the reading is shorter, and nothing failed.
      if (met.kind === 'failed' && met.failure.kind === 'spent') {
        asking.isCut = true;
        return said(asking);
      }
      asking.answered += 1;
      if (met.kind === 'failed') failed.add(need.kind);
      if (met.kind === 'failed' && !isBeside(need)) {
        asking.failures += 1;
        asking.failure ??= met.failure;
      }
      said(asking);
    });
  }
}

function isOfLogs(kind: Need['kind']): boolean {
  return kind === 'logs' || kind === 'shield';
}

/** Feeds an inquiry what is in memory, and asks nobody. */
export function recallInquiry(inquiry: Inquiry, held: Held, signal: AbortSignal): void {
  for (let needs = inquiry.needs; needs.length > 0; needs = inquiry.follow?.next() ?? []) {
    const recall = new Recall(inquiry, needs, held);
    while (!recall.isOver && !signal.aborted) recall.step();
  }
}
