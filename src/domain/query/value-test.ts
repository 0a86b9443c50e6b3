import type { Anonymisation } from '../zone.ts';
import { addressTest } from './address.ts';
import type { ValueComparison } from './fields.ts';
import type { TermOp } from './query.ts';

/** What a record holds in one field. Null and the empty string both mean that it has no value. */
export type Value = string | number | null;

type TextTest = (text: string) => boolean;

/** Values are those asked for, none of them empty; `op` is any but `contains`. */
type TestMaker = (op: TermOp, values: readonly string[], anonymisation: Anonymisation) => TextTest;

const TEXT_TESTS = {
  text: (op, values) => foldedTest(op, values),
  exact: exactTest,
  capitals: capitalsTest,
  url: urlTest,
  asn: (op, values) => foldedTest(op, values.map(asnDigits), asnDigits),
  address: addressTestOf,
} as const satisfies Record<Exclude<ValueComparison, 'status' | 'amount'>, TestMaker>;

/**
 * Whether a value matches at least one of `values` under the operator. Case does not count, but for `exact` and for
 * a `capitals` value with a capital in it. A missing value matches an `eq` with the empty string and nothing else.
 */
export function valueTest(
  op: TermOp,
  compare: ValueComparison,
  values: readonly string[],
  anonymisation: Anonymisation,
): (value: Value) => boolean {
  const present = values.filter((value) => value !== '');
  const absentMatches = op === 'eq' && present.length < values.length;
  const test = presentTest(op, compare, present, anonymisation);
  return (value) => (value === null || value === '' ? absentMatches : test(value));
}

/** A case-insensitive substring search, from `start(text)` on. ASCII letters of the needle fold among themselves only. */
export function substringTest(needle: string, start?: (text: string) => number): TextTest {
  if (/^[ -~]*$/.test(needle)) {
    // A regular expression makes no copy of the text, which halves the time of a scan.
    const expression = new RegExp(RegExp.escape(needle), 'gi');
    return (text) => {
      expression.lastIndex = start ? start(text) : 0;
      return expression.test(text);
    };
  }
  const wanted = needle.toLowerCase();
  return (text) => text.toLowerCase().indexOf(wanted, start ? start(text) : 0) >= 0;
}

/** A whole-text match in which `*` is any run; linear in the text, whatever the number of stars. Case counts. */
function patternTest(pattern: string): TextTest {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts[parts.length - 1] ?? '';
  if (parts.length === 1) return (text) => text === pattern;
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const least = first.length + last.length;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** The place in a URL at which its host begins. */
function hostStart(url: string): number {
  const scheme = url.indexOf('://');
  return scheme < 0 ? 0 : scheme + 3;
}

function presentTest(
  op: TermOp,
  compare: ValueComparison,
  values: readonly string[],
  anonymisation: Anonymisation,
): (value: string | number) => boolean {
  if (compare === 'status') return op === 'eq' ? statusTest(values) : () => true;
  if (compare === 'amount') return op === 'eq' ? amountTest(values) : () => true;
  const test =
    op === 'contains'
      ? anyOf(values.map((value) => substringTest(value, compare === 'url' ? hostStart : undefined)))
      : TEXT_TESTS[compare](op, values, anonymisation);
  return (value) => test(typeof value === 'string' ? value : String(value));
}

/** Equality and patterns without regard to case; `prepare` is applied to the text first. */
function foldedTest(op: TermOp, values: readonly string[], prepare?: (text: string) => string): TextTest {
  const wanted = values.map((value) => value.toLowerCase());
  const test = exactTest(op, wanted);
  return prepare ? (text) => test(prepare(text).toLowerCase()) : (text) => test(text.toLowerCase());
}

function exactTest(op: TermOp, values: readonly string[]): TextTest {
  if (op === 'wildcard') return anyOf(values.map(patternTest));
  const [only] = values;
  if (values.length === 1) return (text) => text === only;
  const wanted = new Set(values);
  return (text) => wanted.has(text);
}

function anyOf(tests: readonly TextTest[]): TextTest {
  const [only] = tests;
  return tests.length === 1 && only ? only : (text) => tests.some((test) => test(text));
}

/** A value that is written small is looked for in any case. */
function capitalsTest(op: TermOp, values: readonly string[]): TextTest {
  const small = values.filter((value) => value === value.toLowerCase());
  const capital = values.filter((value) => value !== value.toLowerCase());
  return anyOf([exactTest(op, capital), foldedTest(op, small)]);
}

function addressTestOf(op: TermOp, values: readonly string[], anonymisation: Anonymisation): TextTest {
  if (op === 'wildcard') return foldedTest(op, values);
  const addresses = addressTest(values, anonymisation);
  // A log may hold a word where the address should be; it is found by that word.
  const words = foldedTest('eq', values);
  return (text) => addresses(text) || words(text);
}

/** Each value is held against the part of the URL that its own form names: the path, the whole, or host and path. */
function urlTest(op: TermOp, values: readonly string[]): TextTest {
  const tests = values.map((value) => {
    const test = exactTest(op, [value.toLowerCase()]);
    if (value.includes('://')) return test;
    if (!value.startsWith('/')) return (url: string) => test(url.slice(hostStart(url)));
    return (url: string) => {
      const path = url.indexOf('/', hostStart(url));
      return path >= 0 && test(url.slice(path));
    };
  });
  const test = anyOf(tests);
  return (text) => test(text.toLowerCase());
}

function statusTest(values: readonly string[]): (value: string | number) => boolean {
  const codes = new Set(values.filter((value) => !value.endsWith('xx')).map(Number));
  const classes = new Set(values.filter((value) => value.endsWith('xx')).map((value) => Number(value[0])));
  return (value) => {
    const status = Number(value);
    return codes.has(status) || classes.has(Math.floor(status / 100));
  };
}

function amountTest(values: readonly string[]): (value: string | number) => boolean {
  const tests = values.map((value) => {
    const range = /^(\d+)\.\.(\d+)$/.exec(value);
    if (range) return (n: number) => n >= Number(range[1]) && n <= Number(range[2]);
    const [, sign = '', digits = ''] = /^(>=|<=|>|<|)(\d+)$/.exec(value) ?? [];
    const amount = Number(digits);
    if (digits === '') return () => false;
    if (sign === '>') return (n: number) => n > amount;
    if (sign === '>=') return (n: number) => n >= amount;
    if (sign === '<') return (n: number) => n < amount;
    if (sign === '<=') return (n: number) => n <= amount;
    return (n: number) => n === amount;
  });
  return (value) => tests.some((test) => test(Number(value)));
}

function asnDigits(text: string): string {
  return text.replace(/^as/i, '');
}
