import { Box, Text } from 'ink';
import TextInput from 'ink-text-input';
import type { ReactNode } from 'react';
import type { Prompt, PromptKind } from '../../state/model.ts';
import { fit, width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Look } from '../theme.ts';

export const PROMPT_LABELS: Record<PromptKind, { label: string; placeholder: string }> = {
  narrow: { label: '/', placeholder: 'part of a name, hostname or id' },
  find: { label: '/', placeholder: 'text in any column' },
  query: { label: 'query: ', placeholder: 'status:5xx -ip:192.0.2.7 ua~curl last:15m by:ip' },
  window: { label: 'window: ', placeholder: 'last:15m, or from:02:00 to:02:30' },
  formPart: { label: 'filter: ', placeholder: 'ip:10.0.0.0/8, ua~curl, -country:DE, or free text' },
  day: { label: 'read the whole UTC day: ', placeholder: 'YYYY-MM-DD' },
  palette: { label: ':', placeholder: 'a word of what you want' },
  helpFind: { label: '/', placeholder: 'a key or a word' },
};

/** The part of a long line that is drawn, and the cell of the cursor on the screen. */
export function promptWindow(prompt: Prompt, columns: number): { text: string; cursor: number } {
  const { label } = PROMPT_LABELS[prompt.kind];
  const room = Math.max(4, columns - label.length - 2);
  const before = sanitise(prompt.field.text.slice(0, prompt.field.cursor), 'text');
  const after = sanitise(prompt.field.text.slice(prompt.field.cursor), 'text');
  const hidden = Math.max(0, width(before) - room + 1);
  const text = (before + after).slice(hidden);
  return {
    text: width(text) > room ? fit(text, room) : text,
    cursor: label.length + width(before) - hidden + 1,
  };
}

/**
 * The line of text being edited. The text and its cursor belong to the reducer; ink-text-input only draws them, because
 * it loses edits that arrive in one read, as they do over SSH.
 */
export function PromptLine({
  prompt,
  columns,
  look,
}: {
  prompt: Prompt;
  columns: number;
  look: Look;
}): ReactNode {
  const { label, placeholder } = PROMPT_LABELS[prompt.kind];
  const { text } = promptWindow(prompt, columns);
  const room = Math.max(0, columns - label.length - width(text) - 4);
  const side = prompt.error
    ? look.paint(
        'error',
        fit(`${caret(prompt)}${prompt.error.message}; ${prompt.error.hint}`, room, 'left', look.glyph.cut),
      )
    : look.paint(
        'dim',
        fit(
          prompt.suggestions.length > 0
            ? `Tab: ${prompt.suggestions.map((each) => sanitise(each, 'strict', 30)).join('  ')}`
            : '',
          room,
          'left',
          look.glyph.cut,
        ),
      );
  return (
    <Box height={1} flexShrink={0} overflow="hidden">
      <Text wrap="truncate">{look.paint('key', ` ${label}`)}</Text>
      <TextInput
        value={text}
        onChange={ignored}
        focus={false}
        showCursor={false}
        placeholder={placeholder.slice(0, Math.max(0, columns - label.length - 4))}
      />
      {text === '' ? null : <Text wrap="truncate">{`  ${side}`}</Text>}
    </Box>
  );
}

function caret(prompt: Prompt): string {
  return prompt.error ? `column ${prompt.error.column + 1}: ` : '';
}

/** The component is a painter here: changes come through the reducer. */
function ignored(): void {}
