/** JSON with the place of everything in it: `at` is an offset into the text, in UTF-16 units. */
export type JsonNode =
  | { kind: 'object'; at: number; members: readonly JsonMember[] }
  | { kind: 'array'; at: number; items: readonly JsonNode[] }
  | { kind: 'scalar'; at: number; value: string | number | boolean | null };

export type JsonMember = { name: string; at: number; value: JsonNode };

type JsonTree = { ok: true; root: JsonNode } | { ok: false; at: number; reason: string };

/** 1-based, as editors count; a column is a UTF-16 unit. */
export type TextPosition = { line: number; column: number };

/** Deeper than any configuration; keeps a hostile file from using up the stack. */
const DEEPEST = 64;

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class SyntaxFault {
  readonly at: number;
  readonly reason: string;

  constructor(at: number, reason: string) {
    this.at = at;
    this.reason = reason;
  }
}

/** Takes exactly what JSON.parse takes, up to a depth of 64, and says where the text stops being JSON, never what is there. */
export function jsonTree(text: string): JsonTree {
  let at = 0;

  function skip(): void {
    at = after(BLANK);
  }

  function after(pattern: RegExp): number {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  }

  function node(depth: number): JsonNode {
    skip();
    const start = at;
    const sign = text[at];
    if (depth > DEEPEST) throw new SyntaxFault(at, 'brackets are nested too deeply');
    if (sign === '{') return { kind: 'object', at: start, members: listed('}', () => member(depth)) };
    if (sign === '[') return { kind: 'array', at: start, items: listed(']', () => node(depth + 1)) };
    if (sign === '"') return { kind: 'scalar', at: start, value: string('a value') };
    const end = after(NUMBER);
    if (end > 0) {
      at = end;
      return { kind: 'scalar', at: start, value: Number(text.slice(start, end)) };
    }
    for (const [word, value] of WORDS) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return { kind: 'scalar', at: start, value };
    }
    throw new SyntaxFault(at, expected('a value'));
  }

  function listed<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    at++;
    for (let comma = -1; ; comma = at++) {
      skip();
      const isOver = text[at] === close;
      if (isOver && comma >= 0) throw new SyntaxFault(comma, `a comma stands before '${close}'`);
      if (!isOver) items.push(item());
      skip();
      if (text[at] === close) {
        at++;
        return items;
      }
      if (text[at] !== ',') throw new SyntaxFault(at, expected(`',' or '${close}'`));
    }
  }

  function member(depth: number): JsonMember {
    skip();
    const start = at;
    const name = string('a name in double quotes');
    skip();
    if (text[at] !== ':') throw new SyntaxFault(at, expected("':'"));
    at++;
    return { name, at: start, value: node(depth + 1) };
  }

  function string(what: string): string {
    const start = at;
    if (text[at] !== '"') throw new SyntaxFault(at, expected(what));
    const end = after(STRING);
    if (end < 0) throw new SyntaxFault(at, 'this text in quotes does not end, or has a wrong escape in it');
    at = end;
    return JSON.parse(text.slice(start, end));
  }

  function expected(what: string): string {
    return at >= text.length ? `the file ends where ${what} is expected` : `${what} is expected here`;
  }

  try {
    const root = node(0);
    skip();
    if (at < text.length) throw new SyntaxFault(at, 'something follows the end of the JSON');
    return { ok: true, root };
  } catch (fault) {
    if (fault instanceof SyntaxFault) return { ok: false, at: fault.at, reason: fault.reason };
    throw fault;
  }
}

export function positionOf(text: string, at: number): TextPosition {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The value as JSON.parse gives it: of two members with one name the later. */
export function plainJson(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(plainJson);
  return Object.fromEntries(node.members.map(({ name, value }) => [name, plainJson(value)]));
}
