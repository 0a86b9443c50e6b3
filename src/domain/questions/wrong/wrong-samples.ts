import type { LogRecord } from '../../log.ts';
import { type AnomalyWindow, anomalyWindowsOf, TELLING_ROWS } from '../anomalies/anomaly-windows.ts';
import { partRead, type Sample, sampleOf } from '../anomalies/samples.ts';
import type { LogNeed, Met, Need } from '../inquiry/inquiry.ts';

type Part = ReturnType<typeof partRead>;

/** Samples of fewer rows are put together: a quiet zone has none that tells anything alone. */
const TELLING = 2 * TELLING_ROWS;

/** Samples of other times that tell what is usual; of fewer the window itself tells it. */
const USUAL_LEAST = 2;

/** What was read of a zone's traffic: the samples of the window, those of other times, and what stands out. */
export type SampledTraffic = {
  now: readonly Sample[];
  usual: readonly Sample[];
  /** Parts of the window that were read, and how much time their rows are of, ms. */
  parts: number;
  span: number;
  /** Rows of the window, and requests a second in it; null where too little was read to tell. */
  rows: number;
  rate: number | null;
  anomalies: readonly AnomalyWindow[];
};

/** The samples of the question, as they come in. */
export class WrongSamples {
  readonly #parts = new Map<LogNeed, Part>();
  readonly #matches: (record: LogRecord) => boolean;

  constructor(matches: (record: LogRecord) => boolean) {
    this.#matches = matches;
  }

  add(need: Need, met: Met): void {
    if (need.kind !== 'logs' || met.kind !== 'logs') return;
    this.#parts.set(need, partRead(need.range, met, this.#matches));
  }

  has(need: LogNeed): boolean {
    return this.#parts.has(need);
  }

  result(): SampledTraffic {
    const of = (side: LogNeed['side']) =>
      [...this.#parts]
        .flatMap(([need, part]) => (need.side === side ? part : []))
        .toSorted((a, b) => a.from - b.from);
    const parts = of('now');
    const now = samplesOf(parts);
    const usual = samplesOf(of('before'));
    const [span, rows] = [spanOf(parts), rowsOf(parts)];
    return {
      now,
      usual,
      parts: parts.length,
      span,
      rows,
      rate: span > 0 ? (rows * 1000) / span : null,
      anomalies: anomalyWindowsOf(now, false, usual.length >= USUAL_LEAST ? usual : null),
    };
  }
}

/** Parts in the order of time as samples of enough rows each; the newest is as short as that allows. */
function samplesOf(parts: readonly Part[]): Sample[] {
  const groups: Part[][] = [];
  let open: Part[] = [];
  for (const part of parts.toReversed()) {
    open.unshift(part);
    if (rowsOf(open) < TELLING) continue;
    groups.unshift(open);
    open = [];
  }
  const [oldest] = groups;
  if (oldest) oldest.unshift(...open);
  else if (open.length > 0) groups.push(open);
  return groups.map(pooled);
}

function rowsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { records }) => sum + records.length, 0);
}

function spanOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { span }) => sum + span, 0);
}

/** Between parts there may be time of which nothing was read: the rate is that of the parts. */
function pooled(parts: readonly Part[]): Sample {
  const range = { from: parts[0]?.from ?? 0, to: parts.at(-1)?.to ?? 0 };
  return sampleOf(
    range,
    spanOf(parts),
    parts.flatMap(({ records }) => records),
  );
}
