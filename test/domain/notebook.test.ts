import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutLine, entriesOf, timelineLines } from '../../src/domain/handover/notebook.ts';
import { NOON } from '../support/state.ts';

const MINUTE = 60_000;

function entry(title: string, from: number, to: number | null, note = ''): string {
  const lines = [`## 12:00:05Z \`${title}\``, '', aboutLine({ from, to }), ''];
  return [...lines, ...(note === '' ? [] : [note, '']), '| `ip` |', '| --- |', '| `x` |', '', ''].join('\n');
}

test('the timeline has the findings in the order of what they are about, with their notes', () => {
  const text = [
    '# Incident notebook, 2026-11-20 (UTC)\n\n',
    entry('after', NOON, NOON + MINUTE, 'it is \\*over\\*'),
    entry('moment', NOON - MINUTE, null),
    entry('before', NOON - MINUTE, NOON, 'it begins'),
  ].join('');
  const lines = timelineLines(entriesOf(text));
  assert.deepEqual(lines.slice(6, -2), [
    '| 2026-11-20 11:59:00 | `moment` | - | 12:00:05Z |',
    '| 2026-11-20 11:59:00 to 2026-11-20 12:00:00 | `before` | it begins | 12:00:05Z |',
    '| 2026-11-20 12:00:00 to 2026-11-20 12:01:00 | `after` | it is \\*over\\* | 12:00:05Z |',
  ]);
  assert.deepEqual([lines[0], lines.at(-1)], ['<!-- timeline -->', '<!-- /timeline -->']);
});

test('what tells no time is no finding, and without any there is no timeline', () => {
  assert.deepEqual(timelineLines(entriesOf('## 12:00:05Z `old form`\n\n| `ip` |\n')), []);
  assert.deepEqual(entriesOf('## 12:00:05Z `x`\n\nAbout 2026-99-99T00:00:00Z.\n\n'), []);
});
