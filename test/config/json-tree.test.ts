import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNodeValue } from 'jsonc-parser';
import { type JsonNode, jsonTree, membersOf, positionOf } from '../../src/config/settings/config-file.ts';
import { fc, runs } from '../support/properties.ts';

const RUNS = runs(300);

function everyNode(node: JsonNode): JsonNode[] {
  const inside = membersOf(node)?.map(({ value }) => value) ?? node.children ?? [];
  return [node, ...inside.flatMap(everyNode)];
}

test('a tree holds what JSON.parse reads, and every place begins the text of its value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const tree = jsonTree(text);
      assert.ok(tree.ok);
      assert.deepEqual(tree.value, JSON.parse(text));
      assert.equal(JSON.stringify(getNodeValue(tree.root)), JSON.stringify(tree.value));
      for (const node of everyNode(tree.root)) {
        const { line, column } = positionOf(text, node.offset);
        const rest = text
          .split('\n')
          .slice(line - 1)
          .join('\n')
          .slice(column - 1);
        assert.ok(rest.startsWith(JSON.stringify(getNodeValue(node), null, indent).slice(0, 1)));
      }
    }),
    { numRuns: RUNS },
  );
});

test('it refuses exactly what JSON.parse refuses', () => {
  const piece = fc.oneof(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '-', '0', '1', '.', 'e', '\u0001'),
    fc.constantFrom('"a"', '"\\u00e9"', '"\\x"', 'true', 'null', 'nul', '1.5e3', '01', '"a":1', '\u00a0'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      let expected: unknown;
      try {
        expected = { value: JSON.parse(text) };
      } catch {
        expected = null;
      }
      const tree = jsonTree(text);
      assert.deepEqual(tree.ok ? { value: tree.value } : null, expected, JSON.stringify(text));
    }),
    { numRuns: RUNS * 10 },
  );
});

test('a mistake is found where it is', () => {
  const faultOf = (text: string) => {
    const tree = jsonTree(text);
    assert.ok(!tree.ok, text);
    const { line, column } = positionOf(text, tree.at);
    return `${line}:${column} ${tree.reason}`;
  };
  const noJson = 'this is neither a text in double quotes, a number, true, false nor null';
  assert.equal(faultOf('{\n  "a": 1,\n}'), "2:9 a comma stands before '}'");
  assert.equal(faultOf('{\r\n  "a": 1\r\n  "b": 2\r\n}'), "3:3 ',' is expected here");
  assert.equal(faultOf("{'a': 1}"), `1:2 ${noJson}`);
  assert.equal(faultOf('{1: 1}'), '1:2 a name in double quotes is expected here');
  assert.equal(faultOf('{"a": tru}'), `1:7 ${noJson}`);
  assert.equal(faultOf('{"a": }'), '1:7 a value is expected here');
  assert.equal(faultOf('{"a": 1} // one'), '1:10 JSON has no comments');
  assert.equal(faultOf('{"a": "b'), '1:7 this text in quotes does not end, or has a wrong escape in it');
  assert.equal(faultOf('{"a": [1'), "1:9 ']' is missing at the end");
  assert.equal(faultOf('{} {}'), '1:4 something follows the end of the JSON');
  assert.match(faultOf('['.repeat(100_000)), /nested too deeply/);
});
