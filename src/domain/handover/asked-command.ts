import { EMPTY_QUERY } from '../query/query.ts';
import { type Asked, askedOptions, askedTerms } from '../questions/asked/asked.ts';
import type { CommandSource } from './place.ts';

/** The command line that asks a question again, with absolute times. `zone` null: of the files. */
export function askedCommand(
  asked: Asked,
  { zone, files }: { zone: string | null; files: readonly string[] },
): CommandSource {
  return {
    screen: 'ask',
    question: asked.question,
    zone,
    files,
    query: { ...EMPTY_QUERY, terms: askedTerms(asked), window: { kind: 'absolute', ...asked.range } },
    options: askedOptions(asked),
  };
}
