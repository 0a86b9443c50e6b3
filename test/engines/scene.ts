import { join } from 'node:path';
import { after, before } from 'node:test';
import { startClickhouse, temporaryFolder } from './engines.ts';

/** A folder and a ClickHouse for the checks of one file, which end with them; `ends`: what ends before these do. */
export function engineScene(): { folder: string; url: string; ends: (() => unknown)[] } {
  const scene = { folder: '', url: '', ends: [] as (() => unknown)[] };
  before(async () => {
    const temporary = temporaryFolder();
    scene.folder = temporary.path;
    scene.ends.push(temporary.remove);
    const server = await startClickhouse(join(scene.folder, 'clickhouse'));
    scene.url = server.url;
    scene.ends.push(server.stop);
  });
  after(async () => {
    for (const end of scene.ends.reverse()) await end();
  });
  return scene;
}
