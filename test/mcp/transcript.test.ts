import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROGRAM_COMMANDS } from '../../src/config/command/program.ts';
import { USUAL_BUDGET } from '../../src/mcp/serve.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { agent, type Given } from './support.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8');

/** A call of the transcript, and below it what is shown of its result. */
const CALLS = [...DOCUMENT.matchAll(/^`(\w+)` (\{.*\})$\n\n```json\n([\s\S]*?)\n```$/gm)].map(
  ([, tool = '', args = '', shown = '']) => ({ tool, args: JSON.parse(args) as object, shown }),
);

/** As much of a result as the transcript shows of it: without its mark, which is another one each time, and the last rows. */
function shownOf(
  { coverage, price, command, remarks, untrusted: { rows, said } }: Given,
  most: number,
): string {
  return [
    `{"coverage": ${JSON.stringify(coverage)},`,
    ` "price": ${JSON.stringify(price)},`,
    ` "command": ${JSON.stringify(command)},`,
    ...(remarks === undefined ? [] : [` "remarks": ${JSON.stringify(remarks)},`]),
    ' "untrusted": {"rows": [',
    ...rows.slice(0, most).map((row, at) => `  ${JSON.stringify(row)}${at + 1 < most ? ',' : '],'}`),
    `  "said": ${JSON.stringify(said)}}}`,
  ].join('\n');
}

test('the transcript goes from "5xx is up" to the cause in at most five calls, and each gives what it shows', async (t) => {
  assert.ok(CALLS.length >= 3 && CALLS.length <= 5, `${CALLS.length} calls`);
  const { call } = await agent(t);
  for (const { tool, args, shown } of CALLS) {
    const rows = shown.split('\n').filter((line) => line.startsWith('  {')).length;
    assert.equal(shown, shownOf(await call(tool, args), rows));
  }
});

test('the page names every tool, its price as the table has it, and commands and options that there are', () => {
  for (const [name, { price }] of Object.entries(TOOLS)) {
    assert.match(
      DOCUMENT,
      new RegExp(`^\\| \`${name}\` \\| .*${price.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} \\|$`, 'm'),
      name,
    );
  }
  for (const [, name = ''] of DOCUMENT.matchAll(/`edgescope (\w+)/g))
    assert.ok(Object.hasOwn(PROGRAM_COMMANDS, name), name);
  assert.ok(DOCUMENT.includes(`${USUAL_BUDGET} requests`));
  const [, config = ''] = /```json\n(\{\n {2}"mcpServers"[\s\S]*?)\n```/.exec(DOCUMENT) ?? [];
  assert.deepEqual(JSON.parse(config), {
    mcpServers: { edgescope: { command: 'edgescope', args: ['mcp', '--profile', 'work'] } },
  });
});
