const AT_SIGN = /@|%40/g;
const IN_LOCAL_PART = /[\w.+%-]/;
const LONGEST_LOCAL_PART = 64;
/** A local part does not begin beside these: what is folded there would make one of its rest. */
const BESIDE_LOCAL_PART = /[<>\u0080-\uffff]/;
/** `icon@2x.png` and `core@12.1.0-beta.next` are no addresses. */
const DOMAIN = /(?!\d+x\.)[a-z0-9-]+(?:\.[a-z][a-z0-9-]*)*\.[a-z]{2,}(?![\w.<>%@\u0080-\uffff-])/iy;

/** A segment of a path with `<mail>` for each address of mail; its at sign may be escaped. The same again leaves it as it is. */
export function withoutMail(segment: string): string {
  if (!segment.includes('@') && !segment.includes('%40')) return segment;
  let text = '';
  let done = 0;
  for (const { index, 0: sign } of segment.matchAll(AT_SIGN)) {
    const from = localPartAt(segment, index, done);
    DOMAIN.lastIndex = index + sign.length;
    if (from === null || !DOMAIN.test(segment)) continue;
    text += `${segment.slice(done, from)}<mail>`;
    done = DOMAIN.lastIndex;
  }
  return text + segment.slice(done);
}

/** Where the local part before an at sign begins; null when there is none. */
function localPartAt(segment: string, end: number, least: number): number | null {
  let at = end;
  while (at > least && end - at <= LONGEST_LOCAL_PART && IN_LOCAL_PART.test(segment[at - 1] as string)) at--;
  if (at === end || end - at > LONGEST_LOCAL_PART) return null;
  const isBeside = at === least ? least > 0 : BESIDE_LOCAL_PART.test(segment[at - 1] as string);
  return isBeside ? null : at;
}
