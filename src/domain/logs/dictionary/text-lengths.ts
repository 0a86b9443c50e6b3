/** Letters of a text, in steps: what is measured by them changes with the step alone, not with each new text. */
const STEPS = [8, 16, 24, 32, 48, 64, 96, 128] as const;

/** How long the texts are that a dictionary took, each as often as it came in anew; what left it counts on. */
export class TextLengths {
  readonly #counts = new Float64Array(STEPS.length);
  #total = 0;

  add(length: number): void {
    let step = 0;
    while (step < STEPS.length - 1 && length > (STEPS[step] as number)) step++;
    this.#counts[step] = (this.#counts[step] as number) + 1;
    this.#total++;
  }

  /**
   * The letters in which this share of the texts fits, rounded up to a step; what is longer than the last step counts as that.
   * 0 = there was no text.
   */
  within(share: number): number {
    if (this.#total === 0) return 0;
    let fitting = 0;
    const step = STEPS.findIndex((_, at) => {
      fitting += this.#counts[at] as number;
      return fitting >= this.#total * share;
    });
    return STEPS[step] as number;
  }
}
