import { Box, Text } from 'ink';
import TextInput from 'ink-text-input';
import { memo, type ReactNode } from 'react';
import { cut, type Strip } from '../../paint/row.ts';
import type { Look } from '../../paint/theme.ts';
import type { Prompt } from '../../state/model.ts';
import { fitWords, width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { PROMPT_LABELS, promptWindow } from './prompt-window.ts';

/** Cells of `Tab: ` and a short word. */
const SHORTEST_OFFER = 8;

/**
 * The edited line. The reducer owns its text and cursor; ink-text-input only draws them, because it loses edits that
 * arrive in one read, as they do over SSH.
 */
export function PromptLine({ prompt, columns, look }: Strip & { prompt: Prompt }): ReactNode {
  const { label, placeholder: usual } = PROMPT_LABELS[prompt.kind];
  const isAgain = prompt.kind === 'find' && prompt.before !== '';
  const placeholder = isAgain ? `Up: ${sanitise(prompt.before, 'strict', columns)}` : usual;
  const { text } = promptWindow(prompt, columns);
  const room = Math.max(0, columns - label.length - width(text || placeholder) - 4);
  const isHinted = (text !== '' || prompt.kind === 'window') && room > SHORTEST_OFFER;
  return (
    <Box height={1} flexShrink={0} overflow="hidden">
      <Text wrap="truncate">{look.paint('key', ` ${label}`)}</Text>
      <Painter
        key={text}
        value={text}
        onChange={ignored}
        focus={false}
        showCursor={false}
        placeholder={fitWords(placeholder, Math.max(0, columns - label.length - 4), look.glyph.cut).trimEnd()}
      />
      {isHinted ? <Text wrap="truncate">{`  ${suggestionWords(prompt, room, look)}`}</Text> : null}
    </Box>
  );
}

/** What Tab would take is marked; Up and Down choose another. */
function suggestionWords(prompt: Prompt, room: number, look: Look): string {
  const { suggestions, cursor } = prompt;
  if (suggestions.length === 0) return '';
  const chosen = cursor % suggestions.length;
  const words = [...suggestions.slice(chosen), ...suggestions.slice(0, chosen)].map((each) =>
    sanitise(each, 'strict', 30),
  );
  const [first = '', ...rest] = words;
  const left = Math.max(0, room - first.length - 7);
  return `${look.paint('dim', 'Tab: ')}${look.paint('key', first)}  ${look.paint('dim', cut(rest.join('  '), left, look))}`;
}

/**
 * A new component for each text and none between: it sets its own state after a change, and a second commit would lay
 * out the whole screen again.
 */
const Painter = memo(TextInput);

/** The component only paints: changes come through the reducer. */
function ignored(): void {}
