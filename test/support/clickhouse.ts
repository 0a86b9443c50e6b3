import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const USERS = `<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>`;

/** A ClickHouse server of its own on loopback; the root element is the one that old and new versions read. */
export async function startClickhouse(t: { after(stop: () => Promise<void>): void }): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'edgescope-clickhouse-'));
  const port = await freePort();
  const folders = ['path', 'tmp_path', 'user_files_path', 'format_schema_path']
    .map((name) => `<${name}>${home}/${name}/</${name}>`)
    .join('');
  writeFileSync(join(home, 'users.xml'), USERS);
  writeFileSync(
    join(home, 'config.xml'),
    `<yandex><logger><level>error</level><console>1</console></logger><http_port>${port}</http_port>
<listen_host>127.0.0.1</listen_host>${folders}<mark_cache_size>1000000</mark_cache_size>
<users_config>users.xml</users_config><default_profile>default</default_profile></yandex>`,
  );
  const child = spawn('clickhouse-server', [`--config-file=${home}/config.xml`], {
    stdio: 'ignore',
    cwd: home,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  t.after(async () => {
    // Nothing in it is wanted any more, and an orderly end takes seconds.
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return url;
    await sleep(50);
  }
  throw new Error('the ClickHouse server does not answer');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
