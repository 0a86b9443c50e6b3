import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { clientOf, json, logPage, SLICE } from './support.ts';

/** A certificate that nobody vouches for; null where there is no openssl to make one. */
async function selfSigned(): Promise<{ key: Buffer; cert: Buffer } | null> {
  const directory = await mkdtemp(join(tmpdir(), 'edgescope-tls-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  try {
    execFileSync('openssl', ['req', '-x509', ...made, '-days', '2', '-subj', '/CN=127.0.0.1'], {
      stdio: 'ignore',
    });
    return { key: await readFile(key), cert: await readFile(cert) };
  } catch {
    return null;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test('an unverified certificate stops everything, whatever the environment says', async (t) => {
  const pair = await selfSigned();
  if (pair === null) return t.skip('no openssl');
  let asked = 0;
  const server = createServer(pair, (_request, response) => {
    asked += 1;
    json(response, logPage([]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const client = clientOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const answer = await client.logs(SLICE, { retries: 0 });
    assert.ok(!answer.ok);
    assert.equal(answer.failure.kind, 'tls');
    assert.match(answer.failure.detail, /SELF_SIGNED|ALTNAME/);
    assert.equal(asked, 0);
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
