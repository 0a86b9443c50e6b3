import { substringTest } from '../../query/match.ts';
import type { LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_ROWS, type CodedColumn, type Codes } from '../columns/value-columns.ts';
import { Memo, NO, YES } from '../dictionary/dictionary.ts';
import {
  type CodedSource,
  type ColumnQuestion,
  codedSource,
  markCodes,
  type Question,
  UNKNOWN_SHARE,
} from './column-question.ts';

/** Pairs of scheme and host for which answers are kept; beyond that rows are tested one by one. */
const MOST_PREFIXES = 64;

/** Answers by path under one scheme and host. */
type Prefix = { memo: Memo; isOwn: boolean };

/**
 * Most URLs are scheme://host + path and have no code of their own: each path is tested once per scheme and host. A search
 * tests the path alone, unless the needle may begin before it. `beside`: the same search in the path, if the term has it.
 */
export function urlSource(
  columns: LogColumns,
  question: Question,
  beside: CodedSource | null,
): ColumnQuestion {
  const { scheme, host, path, url } = columns.coded;
  const stored = codedSource(url, question);
  const paths = beside ?? (question.needle === null ? null : codedSource(path, searchFor(question.needle)));
  const prefixes = new Map<number, Prefix>();
  let freed = -1;
  let isPathAlone = false;

  const prefixOf = (schemeCode: number, hostCode: number): Prefix | null => {
    if (freed !== scheme.dictionary.freed + host.dictionary.freed) {
      forget();
      freed = scheme.dictionary.freed + host.dictionary.freed;
    }
    const key = hostCode * 0x10000 + schemeCode;
    const known = prefixes.get(key);
    if (known !== undefined) return known;
    if (prefixes.size >= MOST_PREFIXES) return null;
    const prefix = newPrefix(`${nameOf(scheme, schemeCode)}://${nameOf(host, hostCode)}`);
    prefixes.set(key, prefix);
    return prefix;
  };
  const newPrefix = (text: string): Prefix => {
    if (paths !== null && !mayBeginIn(text, question)) return { memo: paths.memo, isOwn: false };
    const isEvery = question.needle !== null && question.test(text);
    const memo = new Memo((code) => (isEvery || question.test(text + nameOf(path, code)) ? YES : NO));
    path.dictionary.watch(memo);
    return { memo, isOwn: true };
  };
  const forget = () => {
    for (const { memo, isOwn } of prefixes.values()) if (isOwn) path.dictionary.unwatch(memo);
    prefixes.clear();
  };
  const areAllPathAlone = (): boolean => {
    if (paths === null || url.dictionary.size > 0) return false;
    if (scheme.dictionary.size * host.dictionary.size > MOST_PREFIXES) return false;
    let isOwn = false;
    scheme.dictionary.each((schemeCode) => {
      host.dictionary.each((hostCode) => {
        isOwn ||= prefixOf(schemeCode, hostCode)?.isOwn ?? true;
      });
    });
    return !isOwn;
  };
  const passes = (slot: number): boolean => {
    if (url.code(slot) !== 0) return stored.passes(slot);
    const prefix = prefixOf(scheme.code(slot), host.code(slot));
    return prefix === null ? question.test(columns.url(slot)) : prefix.memo.of(path.code(slot)) === YES;
  };
  return {
    passes,
    share: () => {
      stored.share();
      isPathAlone = areAllPathAlone();
      const inPath = beside === null ? (paths?.share() ?? UNKNOWN_SHARE) : 0;
      return isPathAlone ? inPath : UNKNOWN_SHARE;
    },
    mark: (chunk, hits) => {
      if (isPathAlone && paths !== null) {
        markCodes(path.chunks[chunk] as Codes, paths.memo.data, hits);
        return;
      }
      const first = chunk << CHUNK_BITS;
      const end = Math.min(columns.limit - first, CHUNK_ROWS);
      const states = columns.states[chunk] as Uint8Array;
      const [urls, under] = [url.chunks[chunk] as Codes, path.chunks[chunk] as Codes];
      const [schemes, hosts] = [scheme.chunks[chunk] as Codes, host.chunks[chunk] as Codes];
      // Neighbours mostly share scheme and host.
      let [schemeCode, hostCode] = [-1, -1];
      let memo: Memo | null = null;
      for (let row = 0; row < end; row++) {
        if (states[row] === 0 || hits[row] === YES) continue;
        if (schemes[row] !== schemeCode || hosts[row] !== hostCode) {
          [schemeCode, hostCode] = [schemes[row] as number, hosts[row] as number];
          memo = prefixOf(schemeCode, hostCode)?.memo ?? null;
        }
        const isPassed =
          memo === null || urls[row] !== 0 ? passes(first + row) : memo.of(under[row] as number) === YES;
        if (isPassed) hits[row] = YES;
      }
    },
    close: () => {
      forget();
      stored.close();
      if (beside === null) paths?.close();
    },
  };
}

function searchFor(needle: string): Question {
  const found = substringTest(needle);
  return { test: (value) => typeof value === 'string' && found(value), needle, only: null };
}

/** Whether a URL under this scheme and host may contain the needle though its path does not. */
function mayBeginIn(prefix: string, { needle }: Question): boolean {
  const text = prefix.toLowerCase();
  const wanted = (needle ?? '').toLowerCase();
  for (let at = 0; at < text.length; at++) {
    const length = Math.min(wanted.length, text.length - at);
    if (text.startsWith(wanted.slice(0, length), at)) return true;
  }
  return false;
}

function nameOf(column: CodedColumn<string>, code: number): string {
  return code === 0 ? '' : column.dictionary.value(code);
}
