// How fast records come from the socket into the book, as a process of its own. Arguments: the URL of a server that
// answers the n-th page of records whatever is asked, the number of pages, the passes.
// Prints one line of JSON: records per second of the whole way, and of JSON.parse alone on the same texts.

import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { arrivalsOf } from '../../src/domain/logs/log-rows.ts';
import { Secret } from '../../src/text/secret.ts';

const [url = '', pageCount = '', passCount = ''] = process.argv.slice(2);
const [pages, passes] = [Number(pageCount), Number(passCount)];

const texts: string[] = [];
for (let n = 0; n < pages; n++) {
  texts.push(await (await fetch(`${url}/v2/pullzones/1/logs?offset=${n}`)).text());
}

const client = createClient({
  baseUrl: url,
  loggingUrl: url,
  credentials: { accessKey: new Secret('a-key-for-the-measurement'), token: null },
  allowWrites: false,
  // The quota is not what is measured, so its ten seconds last ten microseconds.
  quota: createQuota({ factor: 1e-6 }),
});

// Rows of another zone or time than those asked for are left out.
const { data } = JSON.parse(texts[0] ?? '') as { data: { pullZoneId: number }[] };
const zone = String(data[0]?.pullZoneId);

async function wholeWay(): Promise<number> {
  const book = new LogBook({ capacity: 200_000 });
  const start = performance.now();
  for (let n = 0; n < pages; n++) {
    const answer = await client.logs({
      pullZoneId: zone,
      from: 0,
      to: Date.now(),
      order: 'asc',
      limit: 10_000,
      offset: n,
      filter: {},
    });
    if (!answer.ok) throw new Error(`page ${n} was refused: ${JSON.stringify(answer)}`);
    book.append(arrivalsOf(answer.value.rows));
  }
  if (book.size === 0) throw new Error('no row was read');
  return (book.size * 1000) / (performance.now() - start);
}

function parseAlone(): number {
  const start = performance.now();
  let records = 0;
  for (const text of texts) records += (JSON.parse(text) as { data: unknown[] }).data.length;
  return (records * 1000) / (performance.now() - start);
}

const results = { wholeWay: 0, parseAlone: 0 };
// The first passes warm the compiler; the best of each is what the machine can do undisturbed.
for (let pass = 0; pass < passes; pass++) {
  results.wholeWay = Math.max(results.wholeWay, await wholeWay());
  results.parseAlone = Math.max(results.parseAlone, parseAlone());
}
await client.close();
console.log(JSON.stringify(results));
process.exit(0);
