/** Terminals and multiplexers drop longer ones; tmux takes 1 MiB, xterm about 100 kB of base64. */
const MAX_BASE64 = 100_000;

/** OSC 52: asks the terminal to put `text` into the clipboard of the person in front of it; null when it is too long. */
export function clipboardSequence(text: string): string | null {
  const base64 = Buffer.from(text, 'utf8').toString('base64');
  return base64.length > MAX_BASE64 ? null : `\x1b]52;c;${base64}\x07`;
}
