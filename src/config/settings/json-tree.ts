import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A value of JSON with its place: `offset` is into the text, in UTF-16 units. */
export type JsonNode = Node;

export type JsonMember = { name: string; at: number; value: JsonNode };

type JsonTree = { ok: true; root: JsonNode; value: unknown } | { ok: false; at: number; reason: string };

/** 1-based, as editors count; a column is a UTF-16 unit. */
export type TextPosition = { line: number; column: number };

const NO_JSON = 'this is neither a text in double quotes, a number, true, false nor null';
const NO_TEXT = 'this text in quotes does not end, or has a wrong escape in it';

/** By the names that the parser gives its errors. */
const REASONS: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: "':' is expected here",
  CommaExpected: "',' is expected here",
  CloseBraceExpected: "'}' is expected here",
  CloseBracketExpected: "']' is expected here",
  EndOfFileExpected: 'something follows the end of the JSON',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: NO_TEXT,
  InvalidUnicode: NO_TEXT,
  InvalidEscapeCharacter: NO_TEXT,
  InvalidCharacter: NO_TEXT,
};

/** Takes exactly what JSON.parse takes, up to some thousand brackets, and says where the text stops being JSON, never what is there. */
export function jsonTree(text: string): JsonTree {
  const errors: ParseError[] = [];
  let root: JsonNode | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, at: 0, reason: 'brackets are nested too deeply' };
  }
  if (errors.length > 0) return faultOf(text, errors);
  try {
    if (root !== undefined) return { ok: true, root, value: JSON.parse(text) };
  } catch {}
  return { ok: false, at: 0, reason: NO_JSON };
}

/** The first place where it goes wrong, in words for what is expected there. */
function faultOf(text: string, errors: readonly ParseError[]): JsonTree {
  const offset = Math.min(...errors.map((each) => each.offset));
  const before = text.slice(0, offset).trimEnd();
  const sign = text[offset] ?? '';
  if (before.endsWith(',') && (sign === '}' || sign === ']'))
    return { ok: false, at: before.length - 1, reason: `a comma stands before '${sign}'` };
  const here = errors.filter((each) => each.offset === offset);
  const reason =
    here.map(({ error }) => REASONS[printParseErrorCode(error)]).find((words) => words) ?? NO_JSON;
  const isOver = offset >= text.length;
  return {
    ok: false,
    at: offset,
    reason: isOver ? reason.replace('is expected here', 'is missing at the end') : reason,
  };
}

/** The members of an object, in their order; null of anything else. */
export function membersOf({ type, children = [] }: JsonNode): JsonMember[] | null {
  if (type !== 'object') return null;
  return children.map(({ offset, children: [name, value] = [] }) => ({
    name: name?.value as string,
    at: offset,
    value: value as JsonNode,
  }));
}

export function positionOf(text: string, at: number): TextPosition {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
