import { Readable } from 'node:stream';
import type { ReadStream } from 'node:tty';

type Source = Pick<ReadStream, 'on' | 'off' | 'pause' | 'resume' | 'setRawMode' | 'ref' | 'unref'>;

/** The marks of a paste, and reports of the mouse as mode 1006 has them. */
const MARKS = /\x1b\[(?:(200~)|(201~)|<\d{1,4};\d{1,4};\d{1,4}[Mm])/g;
/** The beginning of one at the end of a read; from here on no key begins so. */
const BEGUN = /\x1b\[(?:<[\d;]{0,14}|20?[01]?)$/;
/** What a mark may begin with that keys begin with, too, so that it is never held back. */
const MAYBE = /\x1b\[?$/;

/**
 * What the terminal sends, for Ink to read, less the reports of the mouse while that is taken: Ink drops every sequence that
 * is no key. What a paste holds is text, whatever it looks like.
 */
export class KeyInput extends Readable {
  readonly isTTY = true;
  readonly #source: Source;
  readonly #mouse: { isTaken: () => boolean; reported: (report: string) => void };
  #isPasting = false;
  #held = '';
  #passed = '';

  constructor(source: Source, mouse: { isTaken: () => boolean; reported: (report: string) => void }) {
    super();
    this.#source = source;
    this.#mouse = mouse;
    source.on('data', this.#take).on('end', this.#end);
  }

  setRawMode(isRaw: boolean): this {
    this.#source.setRawMode(isRaw);
    return this;
  }

  ref(): this {
    this.#source.ref();
    return this;
  }

  unref(): this {
    this.#source.unref();
    return this;
  }

  /** Leaves what comes from now on to others. */
  stop(): void {
    this.#source.off('data', this.#take).off('end', this.#end).pause();
  }

  override _read(): void {
    this.#source.resume();
  }

  readonly #end = (): void => {
    this.push(null);
  };

  readonly #take = (chunk: Buffer): void => {
    const before = this.#passed.length;
    const text = this.#passed + this.#held + chunk.toString('latin1');
    let from = before;
    let keys = '';
    for (const { 0: mark, 1: begins, 2: ends, index } of text.matchAll(MARKS)) {
      if (begins ?? ends) this.#isPasting = begins !== undefined;
      else if (!this.#isPasting && index >= before && this.#mouse.isTaken()) {
        keys += text.slice(from, index);
        from = index + mark.length;
        this.#mouse.reported(mark);
      }
    }
    const rest = text.slice(from);
    this.#held = this.#mouse.isTaken() ? (BEGUN.exec(rest)?.[0] ?? '') : '';
    keys += rest.slice(0, rest.length - this.#held.length);
    this.#passed = MAYBE.exec(keys)?.[0] ?? '';
    if (keys !== '' && !this.push(Buffer.from(keys, 'latin1'))) this.#source.pause();
  };
}
