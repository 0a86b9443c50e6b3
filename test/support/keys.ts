const KEYS: Readonly<Record<string, string>> = {
  Enter: '\r',
  Esc: '\x1b',
  Tab: '\t',
  'S-Tab': '\x1b[Z',
  Space: ' ',
  BS: '\x7f',
  Del: '\x1b[3~',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  'S-Left': '\x1b[1;2D',
  'S-Right': '\x1b[1;2C',
  Home: '\x1b[H',
  End: '\x1b[F',
  PgUp: '\x1b[5~',
  PgDn: '\x1b[6~',
  F1: '\x1bOP',
  F5: '\x1b[15~',
  F10: '\x1b[21~',
};

/**
 * The bytes of each key press in `keys`: literal characters, `<Name>` for the named keys, `<C-x>` for a control key,
 * `<:mark>` for a line of the command line that is run, and `<<` for a literal `<`. An unknown name throws, so that a typing error in a test is not sent as text.
 */
export function keyPresses(keys: string): string[] {
  return [...keys.matchAll(/<<|<:([^>]+)>|<([A-Za-z0-9-]+)>|\P{M}\p{M}*/gsu)].flatMap(
    ([text, line, name]) => {
      if (text === '<<') return ['<'];
      if (line !== undefined) return [':', ...line, '\r'];
      return [name === undefined ? text : namedKey(name)];
    },
  );
}

function namedKey(name: string): string {
  const control = /^C-([a-z])$/.exec(name)?.[1];
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 96);
  const bytes = KEYS[name];
  if (bytes === undefined) throw new Error(`no key is called <${name}>`);
  return bytes;
}

type Typist = {
  type(keys: string): Promise<void>;
  waitFor(condition: RegExp): Promise<void>;
  settled(): Promise<void>;
};

/** Keys in one read of which the last writes a file: the program asks whether anybody typed them, and is told so. */
export async function writtenAtOnce(terminal: Typist, keys: string): Promise<void> {
  await terminal.type(keys);
  await terminal.waitFor(/too fast/);
  // So long that the Enter is no part of what came before.
  await terminal.settled();
  await terminal.settled();
  await terminal.type('<Enter>');
}
