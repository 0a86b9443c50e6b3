import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { USUAL_BUDGET } from '../../src/mcp/serve.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { agent, type Given } from './support.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8');

/** The calls of the transcript, and what it shows of each. */
const [, TRANSCRIPT = ''] = /^```text\n([\s\S]*?)^```$/m.exec(DOCUMENT) ?? [];
const CALLS = [...TRANSCRIPT.matchAll(/^(\w+) (\{.*\}): .*\n(?: {2}.*\n)+/gm)].map(
  ([shown, tool = '', args = '{}']) => ({ tool, args: JSON.parse(args) as object, shown }),
);

/** A call with what it cost, and below it the verdict and what it covers, or the worst two of a list. */
function shownOf(call: string, { price, untrusted: { rows } }: Given): string {
  const [first] = rows;
  const lines =
    first?.verdict === undefined
      ? rows.slice(0, 2).map(({ name, why }) => `${name}: ${why}`)
      : [`${first.verdict}: ${first.headline}`, `${first.coverage}`];
  return [`${call}: ${price.requests} requests`, ...lines.map((line) => `  ${line}`), ''].join('\n');
}

test('the transcript goes from "5xx is up" to the cause in at most five calls, and each gives what it shows', async (t) => {
  assert.ok(CALLS.length >= 3 && CALLS.length <= 5, `${CALLS.length} calls`);
  assert.equal(CALLS.map(({ shown }) => shown).join(''), TRANSCRIPT);
  const { call } = await agent(t, { rate: 20 });
  for (const { tool, args, shown } of CALLS)
    assert.equal(shown, shownOf(`${tool} ${JSON.stringify(args)}`, await call(tool, args)));
});

test('the page names every tool, the budget of a session and how a client calls the program', () => {
  for (const name of Object.keys(TOOLS)) assert.ok(DOCUMENT.includes(`\`${name}\``), name);
  assert.ok(DOCUMENT.includes(`${USUAL_BUDGET} requests`));
  const [, config = ''] = /```json\n(\{\n {2}"mcpServers"[\s\S]*?)\n```/.exec(DOCUMENT) ?? [];
  assert.deepEqual(JSON.parse(config), {
    mcpServers: { edgescope: { command: 'edgescope', args: ['mcp', '--profile', 'work'] } },
  });
});
