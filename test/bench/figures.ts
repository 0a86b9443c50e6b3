import type { Ratio } from './chart.ts';

/** One kind of work: for each subject its value in each round, in one unit, and the ratios to print. */
export type Figure = {
  work: string;
  unit: string;
  /** What the first subject of a ratio may cost in terms of the second. */
  ratios: readonly (readonly [string, string])[];
  values: Map<string, number[]>;
};

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value below which `p` per cent of the sample lies, interpolated; NaN for an empty sample. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = ((sorted.length - 1) * p) / 100;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Figures gathered over rounds, in the order in which they were first met. */
export class Figures {
  #figures = new Map<string, Figure>();

  add(
    work: string,
    unit: string,
    values: Readonly<Record<string, number>>,
    ratios: Figure['ratios'] = [],
  ): void {
    const figure = this.#figures.get(work) ?? { work, unit, ratios, values: new Map() };
    this.#figures.set(work, figure);
    for (const [subject, value] of Object.entries(values)) {
      if (Number.isNaN(value)) continue;
      const rounds = figure.values.get(subject) ?? [];
      figure.values.set(subject, [...rounds, value]);
    }
  }

  /** The median of each ratio over the rounds. */
  ratios(): Ratio[] {
    return [...this.#figures.values()].flatMap((figure) =>
      figure.ratios.flatMap(([a, b]) => {
        const values = ratioValues(figure, a, b);
        return values === null ? [] : [{ label: `${figure.work}: ${a}/${b}`, value: median(values) }];
      }),
    );
  }

  /** A Markdown table of what both measured: medians, and the ratios of values of the same round. */
  against(other: Figures, names: readonly [string, string]): string {
    const rows = [...this.#figures.values()].flatMap(({ work, unit, values }) =>
      [...values].flatMap(([subject, ours]) => {
        const theirs = other.#figures.get(work)?.values.get(subject);
        if (theirs === undefined) return [];
        const ratios = ours.map((value, round) => value / (theirs[round] ?? median(theirs)));
        return [[`${work} (${unit}): ${subject}`, spread(ours), spread(theirs), `**${spread(ratios)}**`]];
      }),
    );
    const head = ['work', ...names, 'ratio'];
    return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }

  /** A Markdown table: medians with the lowest and the highest round, and ratios of values of the same round. */
  table(): string {
    const rows = [...this.#figures.values()].map((figure) => [
      figure.work,
      [...figure.values]
        .map(([subject, values]) => `${subject} ${spread(values)} ${figure.unit}`)
        .join(' · '),
      figure.ratios.flatMap(([a, b]) => ratioText(figure, a, b)).join(' · '),
    ]);
    const head = ['work', 'median (lowest–highest round)', 'ratio'];
    return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
}

function ratioText(figure: Figure, a: string, b: string): string[] {
  const values = ratioValues(figure, a, b);
  return values === null ? [] : [`${a}/${b} **${spread(values)}**`];
}

/** Null where one of the two was not measured. */
function ratioValues(figure: Figure, a: string, b: string): number[] | null {
  const [ours, theirs] = [figure.values.get(a), figure.values.get(b)];
  if (ours === undefined || theirs === undefined) return null;
  // A figure that does not vary (an ideal, a floor) may have been taken once.
  const ratios = ours.map((value, round) => value / (theirs[round] ?? median(theirs)));
  return ratios.every(Number.isFinite) ? ratios : null;
}

function spread(values: readonly number[]): string {
  const [low, high] = [short(Math.min(...values)), short(Math.max(...values))];
  return low === high ? low : `${short(median(values))} (${low}–${high})`;
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
