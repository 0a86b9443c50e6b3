import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { skillFile } from '../../src/mcp/skill.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { shellWords } from '../support/shells.ts';

const PACKAGE = { name: 'edgescope', version: '0', description: '' };

test('the skill has the front matter of one, in the lengths that agents read', () => {
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skillFile()) ?? [];
  const [, name = '', description = ''] =
    /^name: ([a-z0-9-]{1,64})\ndescription: ([^\n]+)$/.exec(front) ?? [];
  assert.equal(name, 'edgescope');
  // A colon with a space behind it would begin a mapping.
  assert.ok(description.length > 50 && description.length <= 1_024 && !/: |#/.test(description), description);
  assert.ok(body.split('\n').length < 120);
  assert.match(body, /^[\n -~…]*$/);
});

test('the skill names each tool once, in the order of the table, with a command that the program reads', () => {
  const text = skillFile();
  const named = [...text.matchAll(/^\d+\. \*\*(\w+)\*\*: /gm)].map(([, name]) => name);
  assert.deepEqual(named, Object.keys(TOOLS));
  const commands = [...text.matchAll(/^ {7}(edgescope .*)$/gm)].map(([, line = '']) => line);
  assert.deepEqual(
    commands.map((line) => {
      const [, ...words] = shellWords(line) ?? [];
      const usage = readCommandLine(words, import.meta, PACKAGE);
      assert.ok(usage.ok, line);
      assert.deepEqual([usage.value.write, usage.value.edit], [false, null], line);
      return usage.value.command;
    }),
    named.map((name) => (name === 'changes' ? 'ask' : name)),
  );
});
