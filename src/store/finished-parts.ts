import { overlaps, type TimeRange } from '../domain/tail/coverage.ts';
import type { Engine } from './engines/engine.ts';
import { type MarkedNote, note, notesOf } from './noted-coverage.ts';

/** A stored file of a zone's log, all rows of which may be in a store. */
type NotedPart = {
  zone: string;
  part: { folder: readonly string[]; name: string; length: number; span: TimeRange };
};

/** Parts that are looked for by one question. */
const AT_ONCE = 500;

/** Which parts are in a store whole, by name and size. What was dropped since is not. */
export async function finishedParts(
  engine: Engine,
  parts: readonly NotedPart[],
  signal: AbortSignal,
): Promise<(of: NotedPart) => boolean> {
  const known = new Map<string, MarkedNote[]>();
  const dropped: MarkedNote[] = [];
  for (let at = 0; at < parts.length; at += AT_ONCE) {
    const some = parts.slice(at, at + AT_ONCE);
    const from = Math.min(...some.map(({ part }) => part.span.from));
    const to = Math.max(...some.map(({ part }) => part.span.to));
    for (const each of await notesOf(engine, some.map(wordOf), { from, to }, signal)) {
      if (each.zone === '') dropped.push(each);
      else known.set(each.zone, [...(known.get(each.zone) ?? []), each]);
    }
  }
  return (of) =>
    (known.get(wordOf(of)) ?? []).some(
      ({ missing, mark }) =>
        missing === of.part.length &&
        !dropped.some((gone) => gone.mark >= mark && overlaps(gone, of.part.span)),
    );
}

/** Notes that all rows of a part are in the store: about a file, and so about no time of a zone. */
export function noteFinished(
  engine: Engine,
  of: NotedPart,
  mark: number,
  signal: AbortSignal,
): Promise<void> {
  const { span, length } = of.part;
  return note(engine, [{ zone: wordOf(of), ...span, state: 'read', missing: length, mark }], signal);
}

/** In the place of a zone's id, which is digits. */
function wordOf({ zone, part: { folder, name } }: NotedPart): string {
  return `file ${zone} ${folder.join('/')}/${name}`;
}
