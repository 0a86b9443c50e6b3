import { parseAddress, printNetwork } from '../query/address.ts';

/** The number of an address, always the same one. `?` before it has one. */
type NumberOf = (address: string) => number | '?';

/** Versions of these products have four numbers with dots, as an address has. */
const PRODUCTS =
  'Chrome|HeadlessChrome|Chromium|CriOS|Edg|EdgA|EdgiOS|OPR|Vivaldi|Brave|YaBrowser|SamsungBrowser|Electron|Firefox';

const V4 = `(?<![\\d.])(?<!\\b(?:${PRODUCTS})\\/)\\d{1,3}(?:\\.\\d{1,3}){3}(?!\\d|\\.\\d)`;
const V6 =
  '(?<![0-9A-Za-z])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:\\d{0,3}(?:\\.\\d{1,3}){3})?(?![0-9A-Za-z:])';
const ADDRESSES = new RegExp(`${V4}|${V6}`, 'g');

/** The rest of an address truncated in a narrow cell is recognised from this many groups on. */
const CUT_GROUPS = 4;

/** For a command that holds pseudonyms. */
const NOT_RUNNABLE = 'Addresses are pseudonyms here: the command does not run as it stands.';

/**
 * The lines of an entry with each address as `ip-1 (203.0.113.x)`, and as `ip-1` in its command, which then says that
 * it does not run. Only addresses written as such are replaced, wherever they stand, not names made of them.
 */
export function withPseudonyms(lines: readonly string[], numberOf: NumberOf): string[] {
  let isCommand = false;
  let wasMasked = false;
  return lines.flatMap((line) => {
    if (line.startsWith('```')) {
      isCommand = !isCommand;
      return isCommand || !wasMasked ? [line] : [line, '', NOT_RUNNABLE];
    }
    const text = pseudonymised(line, numberOf, isCommand);
    wasMasked = isCommand && text !== line;
    return [text];
  });
}

/** A text with each address in it as `ip-1 (203.0.113.x)`, or as `ip-1` where that is to be short. */
export function pseudonymised(text: string, numberOf: NumberOf, isShort = false): string {
  return text.replace(ADDRESSES, (address) => pseudonymOf(address, numberOf, isShort));
}

function pseudonymOf(text: string, numberOf: NumberOf, isShort: boolean): string {
  const address = /[0-9A-Fa-f]/.test(text) ? parseAddress(text) : null;
  if (address === null) {
    const isCut = (text.match(/[0-9A-Fa-f]+/g)?.length ?? 0) >= CUT_GROUPS && text.includes(':');
    return isCut ? `ip-${numberOf(text.toLowerCase())}` : text;
  }
  const name = `ip-${numberOf(printNetwork(address))}`;
  if (isShort) return name;
  const [first = 0, second = 0] = address.words;
  const network =
    address.prefix === 32
      ? `${first >>> 24}.${(first >>> 16) & 0xff}.${(first >>> 8) & 0xff}.x`
      : `${[first >>> 16, first & 0xffff, second >>> 16].map((group) => group.toString(16)).join(':')}::x`;
  return `${name} (${network})`;
}
