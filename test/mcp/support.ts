import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createClient } from '../../src/api/client.ts';
import type { Transport } from '../../src/api/http/transport.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { createBudget } from '../../src/mcp/budget.ts';
import { serversOf, USUAL_BUDGET } from '../../src/mcp/serve.ts';
import { withRequestNotices } from '../../src/print/request-notices.ts';
import { Secret } from '../../src/text/secret.ts';
import { OPENED, openPlatform, type PlatformOptions } from '../support/platform.ts';

/** A result as an agent gets it. */
export type Given = {
  text: string;
  isError: boolean;
  outcome: string;
  refused?: string;
  command: string | null;
  price: { requests: number; left: number; ofSession: number };
  coverage: null | {
    isWhole: boolean;
    read: number;
    total: number | null;
    given: number;
    rowsLeftOut: number;
    gaps: number;
  };
  remarks?: string[];
  untrusted: { begin: string; rows: Record<string, unknown>[]; said: string[]; end: string };
};

type AgentOptions = PlatformOptions & {
  most?: number;
  hasPseudonyms?: boolean;
  /** Lies between the program and the platform. */
  between?: (transport: Transport) => Transport;
};

/** The official client, and behind it the tools over a platform in virtual time. Its account could write, were it asked to. */
export async function agent(
  t: TestContext,
  { most = USUAL_BUDGET, hasPseudonyms = false, between = (transport) => transport, ...o }: AgentOptions = {},
) {
  const sim = openPlatform({ seed: 7, rate: 8, ...o });
  const { clock } = sim;
  const budget = createBudget(most);
  const quota = createQuota({ clock });
  const notices: string[] = [];
  const client = createClient({
    baseUrl: sim.baseUrl,
    loggingUrl: sim.loggingUrl,
    originErrorsUrl: sim.originErrorsUrl,
    credentials: { accessKey: new Secret(sim.accessKey), token: null },
    allowWrites: true,
    quota,
    clock,
    onRequest: withRequestNotices(
      { quota, stderr: { write: () => true }, clock, told: (words) => void notices.push(words) },
      () => {},
    ),
    over: (transport) => budget.over(between(sim.over(transport))),
  });
  const server = serversOf({ version: '1.2.3', client, clock, budget, notices, hasPseudonyms, flags: [] })();
  const official = new Client({ name: 'test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await official.connect(near);
  t.after(async () => {
    await official.close();
    await client.close();
  });

  async function call(name: string, args: object = {}, signal?: AbortSignal): Promise<Given> {
    const asked = official.callTool(
      { name, arguments: args as Record<string, unknown> },
      signal ? { signal } : {},
    );
    const { content, structuredContent, isError = false } = await sim.ended(asked);
    const [block, ...others] = content;
    assert.ok(block?.type === 'text' && others.length === 0, 'one block of text');
    assert.deepEqual(structuredContent, JSON.parse(block.text), 'the same once more, by the schema');
    return { ...JSON.parse(block.text), text: block.text, isError };
  }
  return { sim, clock, quota, official, call };
}

/** Minutes that ended so long ago that no row of them can still come, as terms of a query. */
export function settled(minutes: number, before = 10): string {
  const to = Math.floor(OPENED / 60_000) * 60_000 - before * 60_000;
  const from = to - minutes * 60_000;
  return `from:${new Date(from).toISOString()} to:${new Date(to).toISOString()}`;
}
