// What it costs to group the rows of a file by a field that is derived, as a process of its own. Prints the processor time of
// each field, ms: that of the best of some passes, in which the fields take turns.
import { readBook } from './saved-book.ts';

const [path = '', fields = 'page,shape', passCount = '7'] = process.argv.slice(2);
const { book } = await readBook(path);
const best = new Map<string, number>();
for (let pass = 0; pass < Number(passCount); pass++) {
  for (const field of fields.split(',')) {
    const before = process.cpuUsage();
    book.groupBy([field], 200);
    const { user, system } = process.cpuUsage(before);
    best.set(field, Math.min(best.get(field) ?? Number.POSITIVE_INFINITY, (user + system) / 1000));
  }
}
console.log(JSON.stringify(Object.fromEntries(best)));
