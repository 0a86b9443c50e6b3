import { MAYBE_SHAPE, maskHostSecrets, maskUrlSecrets, PARAMETER_SIGNS } from '../../../text/mask.ts';
import { TEXT_NAMES, type TextName } from '../../log.ts';
import { bufferOf, type CodedRows, type CodedTexts } from './coded-rows.ts';

/** Columns that the readers of lines mask themselves, except by shape, because a URL is masked as a whole. */
const LOOKED_AT: ReadonlySet<TextName> = new Set(['url', 'path', 'referer']);

/**
 * The rows without a secret in any text: every batch passes here, whoever read it. One search over the texts of a
 * column shows whether any needs masking; nearly always none does.
 */
export function withoutSecrets(rows: CodedRows): CodedRows {
  const bytes = bufferOf(rows.bytes);
  const text = bytes.toString('latin1');
  const added: string[] = [];
  let end = text.length;
  const texts = rows.texts.map((coded, column) => {
    const name = TEXT_NAMES[column] as TextName;
    if (coded === null || !mayHold(text, coded, name)) return coded;
    const mask = name === 'host' ? maskHostSecrets : maskUrlSecrets;
    const spans = coded.spans.slice();
    for (let at = 0; at < spans.length; at += 2) {
      const came = text.slice(spans[at], spans[at + 1]);
      const shown = mask(came);
      if (shown === came) continue;
      added.push(shown);
      spans[at] = end;
      end += shown.length;
      spans[at + 1] = end;
    }
    return { ...coded, spans };
  });
  if (added.length === 0) return rows;
  return { ...rows, texts, bytes: Buffer.concat([bytes, Buffer.from(added.join(''), 'latin1')]) };
}

/** Whether the text from the first to the last of the texts has a sign of a secret. */
function mayHold(text: string, { spans }: CodedTexts, name: TextName): boolean {
  let [first, last] = [text.length, 0];
  for (let at = 0; at < spans.length; at += 2) {
    first = Math.min(first, spans[at] as number);
    last = Math.max(last, spans[at + 1] as number);
  }
  const all = text.slice(first, last);
  // Sign by sign: in addresses, which are most of the texts, a class of characters takes ten times as long.
  return (
    (!LOOKED_AT.has(name) && PARAMETER_SIGNS.some((sign) => all.includes(sign))) || MAYBE_SHAPE.test(all)
  );
}
