// The rows of an NDJSON file as the objects that JSON.parse makes: prints the bytes of anonymous memory that they take.
// node --expose-gc objects-memory.ts FILE
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const before = anonymous();
const rows: unknown[] = [];
for await (const line of createInterface({ input: createReadStream(process.argv[2] ?? '') }))
  rows.push(JSON.parse(line));
console.log(rows.length > 0 ? anonymous() - before : 0);

/** RssAnon, after what is no longer held was given back. */
function anonymous(): number {
  globalThis.gc?.();
  const [, kilobytes = ''] = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
