import { Writable } from 'node:stream';

/** A stream that hands on each text that is written to it. */
export function textTaker(take: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}
