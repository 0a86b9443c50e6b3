import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUESTION_IDS, type QuestionId, questionOf } from '../../src/domain/questions/asked/questions.ts';
import { bench, objectsOf, settledWindow, ZONE } from './support.ts';

const { printed, truth, zone } = bench({ rate: 5, incidents: true });
const { args, from, to } = settledWindow(8);

/** Each question as it is asked in an incident, of one zone and where it can be of two. */
const ASKED: Readonly<Record<QuestionId, readonly string[][]>> = {
  wrong: [[ZONE, ...args]],
  misses: [
    [ZONE, ...args],
    [`${ZONE},checkout`, ...args],
  ],
  compare: [
    [ZONE, ...args],
    [ZONE, '--shield', ...args],
  ],
  through: [
    [ZONE, 'ip:203.0.113.0/24', ...args],
    [`${ZONE},checkout`, 'country:RU', ...args],
  ],
  incidents: [
    [ZONE, 'last:3h'],
    [`${ZONE},checkout`, 'last:2h'],
  ],
  timeline: [[ZONE, `id:${truth(from, to)[0]?.entry.requestId}`]],
  'false-positives': [[ZONE, 'last:6h']],
  rule: [[ZONE, 'ua~Mozilla', 'path:/login*', 'status:403', ...args]],
  changes: [[ZONE, 'last:20d']],
  causes: [
    [ZONE, 'last:6h'],
    [`${ZONE},checkout`, 'last:6h'],
  ],
};

const NAME = /^[a-z][a-zA-Z0-9]*$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A figure as a screen writes it: a share, a bounded or a large count, a factor, bytes, a length of time, nothing. */
const FORMATTED =
  /^(?:[<>]=?)?[\d,]*\d(?:\.\d+)?(?:%|ms|[KMG]B?)$|^[<>]=?\d|^\d{1,3}(?:,\d{3})+$|^x\d|^\d+[smhd]\d*[smhd]?$/;
/** A time as a screen writes it. */
const CLOCK = /^(?:\d\d-\d\d )?\d\d:\d\d(?::\d\d)?(?:[- ]|$)/;
/** What `sanitise` and screens leave of a text that is too long. */
const CUT = /\.\.\.\(\+\d+\)$|\u2026/;
/** Times by the names that they have. */
const TIMES = ['time', 'from', 'to', 'first', 'last', 'seenAt', 'at'];
/** What its values are is others' words, which may look like anything. */
const QUOTED = ['value', 'page', 'path', 'url', 'fragment', 'example', 'old', 'now', 'text', 'message'];

function check(value: unknown, name: string, line: string): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), line);
  if (typeof value === 'string') {
    assert.doesNotMatch(value, CUT, line);
    if (TIMES.includes(name)) assert.match(value, ISO, line);
    else if (!QUOTED.includes(name))
      for (const form of [FORMATTED, CLOCK]) assert.doesNotMatch(value, form, line);
  }
  if (Array.isArray(value)) for (const each of value) check(each, name, line);
  else if (value !== null && typeof value === 'object')
    for (const [key, each] of Object.entries(value)) {
      assert.match(key, NAME, line);
      check(each, key, line);
    }
}

for (const question of QUESTION_IDS) {
  test(`${question}: what it finds is data, none of it as a screen writes it, and what a limit leaves out is counted`, async () => {
    for (const words of ASKED[question]) {
      const { code, out, err } = await printed(['ask', question, ...words]);
      assert.equal(code, 0, err);
      assert.match(out, /^[ -~\n]+$/);
      const [head = {}, ...findings] = objectsOf(out);
      const { verdict, left, from: begin, to: end, coverage } = head;
      assert.ok(['wrong', 'calm', 'unknown'].includes(String(verdict)), out);
      if (questionOf(question).wrong === null) assert.equal(verdict, 'unknown');
      for (const time of [begin, end]) assert.match(String(time), ISO);
      assert.ok(coverage !== '' && Number.isInteger(left));
      assert.ok(findings.length > 0 && findings.length <= 100, `${question} ${words}`);
      for (const finding of findings) {
        const line = JSON.stringify(finding);
        assert.match(String(Object.keys(finding)[0]), /^(?:finding|cause)$/, line);
        assert.equal(Object.keys(finding).at(-1), 'command', line);
        assert.match(String(finding['sentence']), /^\S.* .*\S$/, `a sentence of its own: ${line}`);
        check(finding, 'finding', line);
        for (const [name, each] of Object.entries(finding))
          if (/share|ratio/i.test(name) && typeof each === 'number') assert.ok(each >= 0 && each <= 1, line);
      }
      // Time goes on, and only a window that ends has the same findings when it is asked again.
      if (!words.includes('--to')) continue;
      const few = objectsOf((await printed(['ask', question, ...words, '--limit', '2'])).out);
      assert.ok(few.length <= 3);
      const all = findings.length + Number(left);
      assert.equal(few.length - 1 + Number(few[0]?.['left']), all, `${question} ${words}`);
    }
  });
}

test('of a list that is longer than a screen shows, a limit brings more', async () => {
  const asked = ['ask', 'causes', ZONE, 'last:6h'];
  const errors = (out: string) => objectsOf(out).filter(({ finding }) => finding === 'errors').length;
  const [usual, more] = [await printed(asked), await printed([...asked, '--limit', '400'])];
  assert.ok(errors(usual.out) < 100 && errors(more.out) > errors(usual.out));
  const table = await printed([...asked, '--format', 'table', '--limit', '5']);
  assert.match(table.out, /^\d[\d,]* findings left out: /m);
  assert.ok(zone.id);
});
