import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cleanEnvironment, KEPT_CODE } from '../support/environment.ts';
import { ownFolder } from '../support/own-folder.ts';
import { startSimulator } from '../support/simulator/server.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/edgescope', import.meta.url));

/** The built program as an agent starts it. */
async function connected(t: TestContext, era: 'legacy' | 'auto', args: readonly string[] = []) {
  const sim = await startSimulator({ seed: 7, rate: 5 });
  const home = ownFolder(t);
  const env = cleanEnvironment(home, {
    ...KEPT_CODE,
    EDGESCOPE_BASE_URL: sim.baseUrl,
    EDGESCOPE_LOGGING_URL: sim.loggingUrl,
    EDGESCOPE_ACCESS_KEY: sim.accessKey,
  });
  const transport = new StdioClientTransport({
    command: PROGRAM,
    args: ['mcp', ...args],
    env,
    stderr: 'pipe',
  });
  let err = '';
  transport.stderr?.on('data', (chunk) => {
    err += String(chunk);
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  t.after(async () => {
    await client.close();
    await sim.close();
  });
  await client.connect(transport);
  return { sim, client, transport, said: () => err };
}

test('the built program serves agents of both eras, says on standard error what --write does there, and sends no write', async (t) => {
  const versions = new Set<string | undefined>();
  for (const era of ['legacy', 'auto'] as const) {
    const { sim, client, said } = await connected(t, era, ['--write']);
    versions.add(client.getNegotiatedProtocolVersion());
    // The protocol has a zod of its own: the descriptions of the tools must reach that, and its English the tools.
    assert.match(JSON.stringify(await client.listTools()), /name, id or hostname of a zone/);
    const refused = await client.callTool({ name: 'shield', arguments: { zone: 1, limit: 0 } });
    assert.match(JSON.stringify(refused.content), /limit: Too small: expected number to be >=1/);
    const { content, isError } = await client.callTool({
      name: 'shield',
      arguments: { zone: 'shop-frontend' },
    });
    assert.ok(content[0]?.type === 'text');
    assert.ok(!isError, content[0].text);
    assert.equal(JSON.parse(content[0].text).price.requests, sim.stats().requests);
    assert.deepEqual(
      Object.keys(sim.stats().posts).map((path) => path.replace(/\d+/, 'N')),
      ['/shield/event-logs/N/search'],
    );
    assert.equal(said(), 'edgescope: --write has no effect here: mcp only reads\n');
    assert.ok(!JSON.stringify(content).includes(sim.accessKey));
  }
  assert.equal(versions.size, 2);
});

test('it ends with its standard input, and says nothing on the other where nobody asked', (t) => {
  const env = cleanEnvironment(ownFolder(t), KEPT_CODE);
  const ended = spawnSync(PROGRAM, ['mcp', '--demo'], { env, input: '', encoding: 'utf8' });
  assert.deepEqual([ended.status, ended.stdout, ended.stderr], [0, '', '']);
});

test('an output that takes nothing and a message that is too long end it, and are no success', (t) => {
  const env = cleanEnvironment(ownFolder(t), { ...KEPT_CODE, EDGESCOPE_ACCESS_KEY: 'a-key-of-nobody' });
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const hello = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: client })}\n`;
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  for (const [input, stdout, said] of [
    [hello, full, /ENOSPC/],
    [`${'a'.repeat(11_000_000)}\n`, 'pipe', /exceeded maximum size/],
  ] as const) {
    const ended = spawnSync(PROGRAM, ['mcp'], {
      env,
      input,
      stdio: ['pipe', stdout, 'pipe'],
      encoding: 'utf8',
    });
    assert.equal(ended.status, 1, ended.stderr);
    assert.match(ended.stderr, said);
  }
});
