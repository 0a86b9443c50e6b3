/** Whole lines of a manual page in roff, with the macros of `man`. */
export function lines(...parts: readonly string[]): string {
  return parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('');
}

export function heading(text: string): string {
  return lines(`.SH ${text.toUpperCase()}`);
}

export function subheading(text: string): string {
  return lines(`.SS "${escaped(text)}"`);
}

export function paragraph(text: string): string {
  return lines(escaped(text));
}

/** A word in bold, and indented under it what it means. */
export function tagged(tag: string, text: string): string {
  return lines('.TP', `\\fB${escaped(tag)}\\fR`, escaped(text));
}

/** Text that roff shows as it is: no escape, no request at the start of a line, and a hyphen that can be pasted. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replace(/^\./, '\\&.')
    .replace(
      /[^\x20-\x7e]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
