// The bundle has this for `Intl.Segmenter`, of which the packages of Ink make several while they load and ask one for
// every line they paint: the first costs 7 ms, each line more than its painting.

type Segments = Pick<Intl.Segments, 'containing'> & Iterable<Intl.SegmentData>;

/** ASCII without line ends, colours, and the signs that the program draws itself: each is a grapheme of its own. */
const ONE_EACH = /^[\x1b -~\u00b7\u2026\u2500-\u259f\u25cb\u25cf]*$/;

// Taken out of `Intl` like this, the name is not replaced by itself.
const { Segmenter } = Intl;

export class LazySegmenter {
  readonly #options: ConstructorParameters<typeof Segmenter>;
  #made: Intl.Segmenter | null = null;

  constructor(...options: ConstructorParameters<typeof Segmenter>) {
    this.#options = options;
  }

  segment(text: string): Segments {
    const granularity = this.#options[1]?.granularity ?? 'grapheme';
    if (granularity === 'grapheme' && ONE_EACH.test(text)) return new OneEach(text);
    this.#made ??= new Segmenter(...this.#options);
    return this.#made.segment(text);
  }
}

class OneEach implements Segments {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  containing(at = 0): Intl.SegmentData | undefined {
    const index = Math.trunc(at) || 0;
    return index >= 0 && index < this.#text.length ? this.#at(index) : undefined;
  }

  *[Symbol.iterator](): Generator<Intl.SegmentData> {
    for (let index = 0; index < this.#text.length; index++) yield this.#at(index);
  }

  #at(index: number): Intl.SegmentData {
    return { segment: this.#text.charAt(index), index, input: this.#text };
  }
}
