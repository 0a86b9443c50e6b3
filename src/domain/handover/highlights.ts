import { maskSecrets } from '../../text/mask.ts';

/** The colours of highlights, in the order in which they are assigned. */
export const HIGHLIGHT_COLOURS = ['red', 'yellow', 'green', 'blue', 'magenta', 'cyan'] as const;

type HighlightColour = (typeof HIGHLIGHT_COLOURS)[number];

/** A text that the lists show in a colour wherever it stands; case does not count. */
export type Highlight = { text: string; colour: HighlightColour };

/** More colours cannot be told apart, and a session's place holds them all. */
export const MOST_HIGHLIGHTS = 8;
export const LONGEST_HIGHLIGHT = 200;

export type HighlightTrouble = { message: string; hint: string };

const IN_A_COLOUR = new RegExp(`^(.*\\S)\\s+(${HIGHLIGHT_COLOURS.join('|')})$`, 'i');

/**
 * The highlights with one more, as typed: a text, perhaps followed by its colour. A known text takes the new colour;
 * without one it gets the least used.
 */
export function withHighlight(
  present: readonly Highlight[],
  typed: string,
): { highlights: readonly Highlight[]; added: Highlight } | HighlightTrouble {
  const [, before = typed, colour] = IN_A_COLOUR.exec(typed) ?? [];
  const text = textOf(before);
  if (text === '') return { message: 'no text is named', hint: ':mark curl red' };
  if (text.length > LONGEST_HIGHLIGHT)
    return { message: 'the text is too long', hint: `at most ${LONGEST_HIGHLIGHT} characters` };
  const others = withoutHighlight(present, text);
  if (others.length >= MOST_HIGHLIGHTS)
    return { message: `${MOST_HIGHLIGHTS} texts are highlighted`, hint: ':unmark ends one of them' };
  const asked = HIGHLIGHT_COLOURS.find((each) => each === colour?.toLowerCase());
  const added = { text, colour: asked ?? freestColour(others) };
  return { highlights: [...others, added], added };
}

/** The highlights without this text, in quotes or not. */
export function withoutHighlight(present: readonly Highlight[], typed: string): readonly Highlight[] {
  const gone = textOf(typed).toLowerCase();
  return present.filter(({ text }) => text.toLowerCase() !== gone);
}

function freestColour(present: readonly Highlight[]): HighlightColour {
  const uses = (colour: HighlightColour) => present.filter((each) => each.colour === colour).length;
  return HIGHLIGHT_COLOURS.toSorted((a, b) => uses(a) - uses(b))[0] ?? 'red';
}

/** Quotes keep a colour's name in the text. Secrets are masked as in the rows that are searched. */
function textOf(typed: string): string {
  return maskSecrets(/^"(.*)"$/.exec(typed)?.[1] ?? typed);
}
