/** Many terminals drop a longer sequence, its start and end counted in; tmux takes 1 MiB. */
const LONGEST_SEQUENCE = 100_000;

/** OSC 52: asks the terminal to put `text` into the clipboard of the person in front of it; null when it is too long. */
export function clipboardSequence(text: string): string | null {
  const sequence = `\x1b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\x07`;
  return sequence.length > LONGEST_SEQUENCE ? null : sequence;
}
