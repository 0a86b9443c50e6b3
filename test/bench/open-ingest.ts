// How fast the rows of a file come into the book, with nothing on a screen, as a process of its own. Prints rows per
// second of the best of some passes.
import { readBook } from './saved-book.ts';

const [path = '', passCount = '3'] = process.argv.slice(2);
let best = 0;
for (let pass = 0; pass < Number(passCount); pass++) {
  const { book, ms } = await readBook(path);
  best = Math.max(best, (book.size * 1000) / ms);
}
console.log(best);
