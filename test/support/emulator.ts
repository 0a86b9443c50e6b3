import xterm from '@xterm/headless';

// It reads its tables from where the memory of a Buffer begins, of which a small one is a part in the middle.
const { poolSize } = Buffer;
Buffer.poolSize = 0;
const { default: graphemes } = await import('@xterm/addon-unicode-graphemes');
Buffer.poolSize = poolSize;

export type Colour = number | string | null;
export type Cell = {
  char: string;
  /** 2 for a wide character, 0 for the cell it covers. */
  width: number;
  /** null is the terminal's own colour, a number the palette's, `#rrggbb` a direct one. */
  fg: Colour;
  bg: Colour;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  strikethrough: boolean;
};
/** The screen for comparing: per cell its character (empty below a wide one) and its style, see `STYLE_SLOTS`. */
export type Grid = { chars: string[][]; styles: string[][] };
export type TerminalEvent = { kind: 'title' | 'bell' | 'reply' | 'osc'; text: string };
export type EmulatorModes = {
  alternateScreen: boolean;
  cursorVisible: boolean;
  bracketedPaste: boolean;
  applicationCursor: boolean;
  mouse: boolean;
  focusEvents: boolean;
  wraparound: boolean;
  synchronised: boolean;
};
type RawCell = NonNullable<
  ReturnType<NonNullable<ReturnType<xterm.Terminal['buffer']['active']['getLine']>>['getCell']>
>;

/** The parts of a style in a grid, each as the SGR code that sets it or as nothing, joined by `|`. */
export const STYLE_SLOTS = [
  'fg',
  'bg',
  'bold',
  'dim',
  'italic',
  'underline',
  'inverse',
  'strikethrough',
] as const;
export const PLAIN_STYLE = '|'.repeat(STYLE_SLOTS.length - 1);

// OSC 0-2 title, 4-19 and 104-119 colours, 7 directory, 8 link, 9 and 777 notification, 22 pointer, 50 font,
// 52 clipboard, 133 and 633 and 1337 shell marks.
const WATCHED_OSC = [
  ...Array.from({ length: 23 }, (_, n) => n),
  50,
  52,
  99,
  ...Array.from({ length: 16 }, (_, n) => 104 + n),
  133,
  633,
  777,
  1337,
];

/** An xterm without a window: the screen a person would see, and a log of everything else bytes can do to it. */
export class Emulator {
  readonly events: TerminalEvent[] = [];
  #cursorVisible = true;
  #xterm: xterm.Terminal;

  /** `onMark` gets the text of OSC `markOsc`, which the harness itself prints. */
  constructor(columns: number, rows: number, markOsc: number, onMark: (text: string) => void) {
    this.#xterm = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 2000 });
    this.#xterm.loadAddon(new graphemes.UnicodeGraphemesAddon());
    const { parser } = this.#xterm;
    for (const id of WATCHED_OSC) {
      parser.registerOscHandler(id, (text) => {
        this.events.push({ kind: 'osc', text: `${id};${text}` });
        return false;
      });
    }
    parser.registerOscHandler(markOsc, (text) => {
      onMark(text);
      return true;
    });
    this.#watchCursor('h', true);
    this.#watchCursor('l', false);
    this.#xterm.onTitleChange((text) => this.events.push({ kind: 'title', text }));
    this.#xterm.onBell(() => this.events.push({ kind: 'bell', text: '' }));
  }

  onReply(send: (reply: string) => void): void {
    this.#xterm.onData((reply) => {
      this.events.push({ kind: 'reply', text: reply });
      send(reply);
    });
  }

  write(data: Uint8Array, done: () => void): void {
    this.#xterm.write(data, done);
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows);
  }

  get columns(): number {
    return this.#xterm.cols;
  }

  get rows(): number {
    return this.#xterm.rows;
  }

  get cursor(): { x: number; y: number } {
    const { cursorX, cursorY } = this.#xterm.buffer.active;
    return { x: cursorX, y: cursorY };
  }

  /** The visible lines without trailing blanks. */
  lines(): string[] {
    const { active } = this.#xterm.buffer;
    return Array.from({ length: this.rows }, (_, y) =>
      (active.getLine(active.baseY + y)?.translateToString(true) ?? '').trimEnd(),
    );
  }

  /** The main screen and what scrolled off it, also while the alternate screen shows. */
  mainLines(): string[] {
    const { normal } = this.#xterm.buffer;
    const lines = Array.from({ length: normal.length }, (_, y) =>
      (normal.getLine(y)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  cell(x: number, y: number): Cell {
    const { active } = this.#xterm.buffer;
    const raw = active.getLine(active.baseY + y)?.getCell(x);
    if (raw === undefined) throw new RangeError(`no cell at ${x},${y}`);
    return {
      char: raw.getChars() === '' && raw.getWidth() > 0 ? ' ' : raw.getChars(),
      width: raw.getWidth(),
      fg: colour(raw.isFgDefault(), raw.isFgRGB(), raw.getFgColor()),
      bg: colour(raw.isBgDefault(), raw.isBgRGB(), raw.getBgColor()),
      ...attributes(raw),
    };
  }

  grid(): Grid {
    const { active } = this.#xterm.buffer;
    const reused = active.getNullCell();
    const grid: Grid = { chars: [], styles: [] };
    for (let y = 0; y < this.rows; y++) {
      const line = active.getLine(active.baseY + y);
      const chars = Array<string>(this.columns).fill(' ');
      const styles = Array<string>(this.columns).fill(PLAIN_STYLE);
      for (let x = 0; x < this.columns; x++) {
        const raw = line?.getCell(x, reused);
        if (raw === undefined) continue;
        chars[x] = raw.getWidth() === 0 ? '' : raw.getChars() || ' ';
        if (!raw.isAttributeDefault()) styles[x] = styleOf(raw);
      }
      grid.chars.push(chars);
      grid.styles.push(styles);
    }
    return grid;
  }

  /** Where `text` first stands on the visible screen, in cells. */
  find(text: string): { x: number; y: number } | null {
    for (let y = 0; y < this.rows; y++) {
      const starts: number[] = [];
      let line = '';
      for (let x = 0; x < this.columns; x++) {
        const { char, width } = this.cell(x, y);
        if (width === 0) continue;
        for (let unit = 0; unit < char.length; unit++) starts.push(x);
        line += char;
      }
      const at = line.indexOf(text);
      if (at >= 0) return { x: starts[at] ?? 0, y };
    }
    return null;
  }

  modes(): EmulatorModes {
    const { modes } = this.#xterm;
    return {
      alternateScreen: this.#xterm.buffer.active.type === 'alternate',
      cursorVisible: this.#cursorVisible,
      bracketedPaste: modes.bracketedPasteMode,
      applicationCursor: modes.applicationCursorKeysMode,
      mouse: modes.mouseTrackingMode !== 'none',
      focusEvents: modes.sendFocusMode,
      wraparound: modes.wraparoundMode,
      synchronised: modes.synchronizedOutputMode,
    };
  }

  dispose(): void {
    this.#xterm.dispose();
  }

  // xterm keeps the cursor's visibility to itself, so the mode is read on its way in.
  #watchCursor(final: 'h' | 'l', visible: boolean): void {
    this.#xterm.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
      if (parameters.includes(25)) this.#cursorVisible = visible;
      return false;
    });
    this.#xterm.parser.registerEscHandler({ final: 'c' }, () => {
      this.#cursorVisible = true;
      return false;
    });
  }
}

function colour(isDefault: boolean, isDirect: boolean, value: number): Colour {
  if (isDefault) return null;
  return isDirect ? `#${value.toString(16).padStart(6, '0')}` : value;
}

function styleOf(raw: RawCell): string {
  const on = attributes(raw);
  const foreground = colourCode(raw.isFgDefault(), raw.isFgRGB(), raw.getFgColor(), 30);
  const background = colourCode(raw.isBgDefault(), raw.isBgRGB(), raw.getBgColor(), 40);
  const codes = [
    on.bold && 1,
    on.dim && 2,
    on.italic && 3,
    on.underline && 4,
    on.inverse && 7,
    on.strikethrough && 9,
  ];
  return [foreground, background, ...codes.map((code) => code || '')].join('|');
}

// `base` is 30 for the foreground and 40 for the background; the bright eight stand 60 above.
function colourCode(isDefault: boolean, isDirect: boolean, value: number, base: 30 | 40): string {
  if (isDefault) return '';
  if (isDirect) return `${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (value < 16) return String(value < 8 ? base + value : base + 52 + value);
  return `${base + 8};5;${value}`;
}

function attributes(raw: RawCell) {
  return {
    bold: raw.isBold() !== 0,
    dim: raw.isDim() !== 0,
    italic: raw.isItalic() !== 0,
    underline: raw.isUnderline() !== 0,
    inverse: raw.isInverse() !== 0,
    strikethrough: raw.isStrikethrough() !== 0,
  };
}
