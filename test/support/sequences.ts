const SEQUENCE =
  /\x1b\[([0-9:;<=>?]*)([ -/]*)([@-~])|\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\|(?=\x1b))|\x1b([PX^_])([^\x1b]*)(?:\x1b\\|(?=\x1b))|\x1b([ -/]*)([0-~])|([\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\x80-\x9f])/gs;

/**
 * What kinds of terminal sequences are in `output`, each with how often: `CSI m`, `CSI ?1049h` (private modes with
 * their number), `OSC 8`, `DCS`, `ESC c`, and control characters other than tab, line feed and carriage return
 * as `C0 07`. This reading is independent of the emulator, so that each can contradict the other.
 */
export function sequenceKinds(output: string): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const match of output.matchAll(SEQUENCE)) {
    const kind = kindOf(match);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

function kindOf(match: RegExpMatchArray): string {
  const [, parameters, intermediate, final, osc, string, , escIntermediate, escFinal, control] = match;
  if (final !== undefined) {
    const isPrivate = /^[<=>?]/.test(parameters ?? '');
    return `CSI ${isPrivate ? parameters : ''}${intermediate}${final}`;
  }
  if (osc !== undefined) return `OSC ${osc.split(';', 1)[0]}`;
  if (string !== undefined) return { P: 'DCS', X: 'SOS', '^': 'PM', _: 'APC' }[string] ?? string;
  if (escFinal !== undefined) return `ESC ${escIntermediate}${escFinal}`;
  return `C0 ${(control ?? '').charCodeAt(0).toString(16).padStart(2, '0')}`;
}
