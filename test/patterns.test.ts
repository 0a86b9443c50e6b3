import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excessGrowth } from './support/growth.ts';
import { sourceFiles, withoutComments } from './support/source.ts';

type Pattern = { place: string; expression: RegExp };

// A literal stands where a value may begin, and the formatter puts a space behind the sign of a division.
const LITERAL =
  /(?<=(?:[(,=:[!&|?{};>]|\breturn|^)\s*)\/(?![*/ ])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm;
/** What is run by a developer, or by nobody but the demo. */
const OWN = /^src\/(?:build|simulator|shell)\//;
const LONG = 8_192;
/** Without a repetition a pattern looks at so many letters from each place and no further. */
const REPEATS = /[*+]|\{\d+,/;
/** Given nothing long. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/text/units.ts': 'the digits of a number below 1e21',
};
const USUAL = ['a', 'Z', '0', ' ', '\n', '"', '\\', '/', '.', '-', '%'];

test('the reader of the source finds a pattern wherever one may stand', () => {
  const text =
    "call(/a/, [/[/]b/g], x ? /c/u : /d\\//); const e = /e/;\n  /f/,\nreturn /g/; const h = 1 / 2 / 3; '/i/';";
  assert.deepEqual(
    literalsOf('x.ts', text).map(({ expression }) => String(expression)),
    ['/a/', '/[/]b/g', '/c/u', '/d\\//', '/e/', '/f/', '/g/'],
  );
});

test('a quadratic pattern is told from a linear one', () => {
  assert.notEqual(slowest(/(?:count|s|ed)+$/), null);
  assert.notEqual(slowest(/\s+$/), null);
  assert.notEqual(slowest(/[a-z]*[^a-z]*$/), null);
  assert.equal(slowest(/^(?:count|s|ed)+$/), null);
  assert.equal(slowest(/[a-z]+/g), null);
});

test('no pattern of the program takes more than linear time, whatever text it is given', () => {
  const patterns = sourceFiles('src')
    .filter(({ path }) => !OWN.test(path) && BOUNDED[path] === undefined)
    .flatMap(({ path, text }) => literalsOf(path, withoutComments(text)));
  assert.ok(patterns.length > 200, `${patterns.length} patterns found`);
  const slow = patterns
    .filter(({ expression }) => REPEATS.test(expression.source))
    .flatMap(({ place, expression }) => {
      const attack = slowest(expression);
      return attack === null ? [] : [`${place} ${expression} by ${attack}`];
    });
  assert.deepEqual(slow, []);
});

function literalsOf(path: string, text: string): Pattern[] {
  return [...text.matchAll(LITERAL)].flatMap(([, source = '', flags = '']) => {
    try {
      return [{ place: path, expression: new RegExp(source, flags) }];
    } catch {
      return []; // A path in a text looks like one.
    }
  });
}

/** The words of the attack under which the pattern takes more than linear time; null = none was found. */
function slowest(expression: RegExp): string | null {
  const signs = [...new Set([...literalSigns(expression.source), ...USUAL])];
  const words = expression.source.match(/[A-Za-z]{2,}/g) ?? [];
  const pairs = signs.slice(0, 9).flatMap((one) => signs.slice(0, 9).map((other) => one + other));
  for (const pump of new Set([...signs, ...words, ...pairs])) {
    for (const head of ['', signs[0] ?? '']) {
      for (const tail of ['', '\0', '-a']) {
        const attack = (size: number) => head + pump.repeat(Math.ceil(size / pump.length)) + tail;
        if (excessGrowth((size) => drive(expression, attack(size)), LONG) !== null)
          return JSON.stringify([head, pump, tail]);
      }
    }
  }
  return null;
}

/** As the program uses it: once, or all over the text. */
function drive(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  if (expression.global) text.replace(expression, '');
  else expression.exec(text);
}

/** The signs that stand in a pattern, and one for each of its classes. */
function literalSigns(source: string): string[] {
  const classes: Record<string, string> = {
    d: '1',
    s: '\t',
    S: 'x',
    w: 'w',
    n: '\n',
    r: '\r',
    t: '\t',
    p: 'p',
  };
  return source
    .replace(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/g, (_, byte, unit) =>
      String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
    )
    .replace(/\\(.)/g, (_, sign: string) => classes[sign] ?? sign)
    .split('');
}
