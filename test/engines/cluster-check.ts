import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DIALECTS } from '../../src/store/sql/dialect.ts';
import { schemaOf } from '../../src/store/sql/schema.ts';
import { sql, statementOf, text } from '../../src/store/sql/sql.ts';
import { clickhouse, startClickhouse, temporaryFolder } from './engines.ts';

/** Two shards, and a keeper in memory. Nothing listens there: tables are made and no row is sent. */
const CONFIG = `<clickhouse>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <macros><shard>1</shard><replica>a</replica></macros>
  <remote_servers><main>
    <shard><replica><host>127.0.0.1</host><port>1</port></replica></shard>
    <shard><replica><host>127.0.0.1</host><port>1</port></replica></shard>
  </main></remote_servers>
</clickhouse>`;

const folder = temporaryFolder();
after(folder.remove);

test('ClickHouse reads every statement of a cluster, and makes replicated tables and distributed ones of them', async (t) => {
  const config = join(folder.path, 'config.xml');
  writeFileSync(config, CONFIG);
  const server = await startClickhouse(join(folder.path, 'clickhouse'), { config });
  t.after(() => server.stop());
  const engine = clickhouse(server.url);
  t.after(engine.close);
  const place = { dialect: 'clickhouse', database: 'history', cluster: 'main', days: 90 } as const;
  for (const each of schemaOf(place)) {
    const statement = statementOf(each, DIALECTS.clickhouse.placeholder).text;
    const { rows } = await engine.ask(sql`SELECT formatQuery(${text(statement)})`);
    assert.match(String(rows[0]?.[0]), / ON CLUSTER main/);
    // The engine in process has no queue of such statements: each is run as a node of the cluster runs it.
    await engine.run(sql([statement.replace(' ON CLUSTER main', '')] as unknown as TemplateStringsArray));
  }
  const { rows } = await engine.ask(
    sql`SELECT name, engine FROM system.tables WHERE database = ${text('history')} ORDER BY name`,
  );
  const replicated = 'ReplicatedReplacingMergeTree';
  assert.deepEqual(
    rows,
    ['about', 'requests', 'spans'].flatMap((name) => [
      [name, 'Distributed'],
      [`${name}_local`, replicated],
    ]),
  );
});
