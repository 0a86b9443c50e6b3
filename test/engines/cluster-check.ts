import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DIALECTS } from '../../src/store/sql/dialect.ts';
import { schemaOf, tableSql } from '../../src/store/sql/schema.ts';
import { sql, statementOf, text } from '../../src/store/sql/sql.ts';
import { rowsFound } from '../../src/store/sql/statements.ts';
import { topValuesSql } from '../../src/store/sql/tallies.ts';
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
  // What a comparison counts is added up on each node: none of their rows comes to the one that is asked.
  const asking = { dialect: DIALECTS.clickhouse, table: tableSql(place, 'requests'), derivedAsNow: true };
  const range = { from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 9, 2) };
  const { where } = rowsFound({ zones: [], range, terms: [] }, asking);
  const fields = ['status', 'ip', 'net', 'page', 'shape', 'host'];
  const counting = topValuesSql(where, asking, { fields, most: 20, sums: true }) ?? sql``;
  const plan = await engine.ask(sql`SELECT explain FROM (EXPLAIN ${counting})`);
  assert.match(plan.rows.join('\n'), /MergingAggregated.*ReadFromRemote/s);
});
