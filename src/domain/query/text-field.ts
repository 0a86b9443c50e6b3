/**
 * One line of text being edited. `cursor` counts UTF-16 units and always stands between two graphemes. `killed` is
 * what the last kill took, for yank. `recalled` is the place in `history` (newest last), null while the user's own
 * line is shown; that line waits in `draft`.
 */
export type TextField = {
  text: string;
  cursor: number;
  killed: string;
  history: readonly string[];
  recalled: number | null;
  draft: string;
};

const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;

const MOTIONS = {
  left: before,
  right: after,
  /** Back over what is no letter or digit, then over letters and digits. */
  wordLeft: (f: TextField) => wordBefore(f, LETTERS),
  wordRight: wordAfter,
  home: () => 0,
  end: (f: TextField) => f.text.length,
} as const;

/** Deletions: the other end of what goes, and whether it can be yanked back. */
const DELETIONS = {
  backspace: { to: before, keeps: false },
  delete: { to: after, keeps: false },
  /** Back to the last space, as in shells: a whole term of a query. */
  killWordLeft: { to: (f: TextField) => wordBefore(f, /\S+/gu), keeps: true },
  killLeft: { to: () => 0, keeps: true },
  killRight: { to: (f: TextField) => f.text.length, keeps: true },
} as const;

/** What a key does to the line, by readline's rules; pasted and typed text is an insert. */
export type FieldEdit =
  | keyof typeof MOTIONS
  | keyof typeof DELETIONS
  | 'yank'
  | 'older'
  | 'newer'
  | { insert: string };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A pasted line end of any system, or a tab, is one space: the value stays one line. */
const LINE_ENDS = /\r\n|[\n\r\t\v\f\u0085\u2028\u2029]/g;

/** A field that holds `text`, the cursor at its end unless given. */
export function fieldOf(text: string, cursor?: number, history: readonly string[] = []): TextField {
  const line = text.replace(LINE_ENDS, ' ');
  const at = cursor === undefined ? line.length : boundary(line, cursor);
  return { text: line, cursor: at, killed: '', history, recalled: null, draft: '' };
}

/** The field after an edit; the same object when the edit changes nothing. */
export function editField(field: TextField, edit: FieldEdit): TextField {
  if (typeof edit === 'object') return inserted(field, edit.insert);
  if (edit === 'yank') return inserted(field, field.killed);
  if (edit === 'older' || edit === 'newer') return recalled(field, edit === 'older' ? -1 : 1);
  if (edit in MOTIONS) {
    const cursor = MOTIONS[edit as keyof typeof MOTIONS](field);
    return cursor === field.cursor ? field : { ...field, cursor };
  }
  const { to, keeps } = DELETIONS[edit as keyof typeof DELETIONS];
  const other = to(field);
  const [from, until] = other < field.cursor ? [other, field.cursor] : [field.cursor, other];
  if (from === until) return field;
  const text = field.text.slice(0, from) + field.text.slice(until);
  // The two sides may now form one grapheme, inside which the cursor must not stand.
  const cursor = boundary(text, from);
  return { ...field, text, cursor, killed: keeps ? field.text.slice(from, until) : field.killed };
}

function inserted(field: TextField, added: string): TextField {
  const line = added.replace(LINE_ENDS, ' ');
  if (line === '') return field;
  const text = field.text.slice(0, field.cursor) + line + field.text.slice(field.cursor);
  return { ...field, text, cursor: boundary(text, field.cursor + line.length) };
}

function recalled(field: TextField, by: -1 | 1): TextField {
  const at = (field.recalled ?? field.history.length) + by;
  if (at < 0 || at > field.history.length) return field;
  const draft = field.recalled === null ? field.text : field.draft;
  const own = at === field.history.length;
  const text = own ? draft : (field.history[at] ?? '').replace(LINE_ENDS, ' ');
  return { ...field, text, cursor: text.length, recalled: own ? null : at, draft };
}

/** The nearest place between two graphemes at or after `at`. */
function boundary(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  const here = graphemes.segment(text).containing(at);
  return !here || here.index === at ? at : here.index + here.segment.length;
}

function before({ text, cursor }: TextField): number {
  return cursor === 0 ? 0 : (graphemes.segment(text).containing(cursor - 1)?.index ?? 0);
}

function after({ text, cursor }: TextField): number {
  const here = graphemes.segment(text).containing(cursor);
  return here ? here.index + here.segment.length : text.length;
}

function wordAfter({ text, cursor }: TextField): number {
  const [skipped] = /^[^\p{L}\p{N}\p{M}]*[\p{L}\p{N}\p{M}]*/u.exec(text.slice(cursor)) ?? [''];
  return boundary(text, cursor + skipped.length);
}

/**
 * The start of the last of these words before the cursor; a pattern that ends in `$` would be tried at every letter
 * of a paste.
 */
function wordBefore({ text, cursor }: TextField, word: RegExp): number {
  let start = 0;
  for (const { index } of text.slice(0, cursor).matchAll(word)) start = index;
  return boundary(text, start);
}
