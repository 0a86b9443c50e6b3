import { isPanelTemplate, PANEL_NAMES, PANEL_PAGES } from '../../domain/handover/panel.ts';
import { CHORDS_TOLD, chordNamed, FIXED_CHORDS, OWN_KEY_PLACES, ownCommand } from '../../keys/own-keys.ts';
import { colourCode, THEME_ORDER, THEME_SLOTS } from '../../text/colours.ts';
import { isText, type NestedSettings, type ValueForm } from './store-settings.ts';

const A_PAGE: ValueForm = {
  form: `an https address, with ${PANEL_NAMES.map((name) => `{${name}}`).join(', ')} in it where it names one`,
  isRight: (value) => isText(value) && isPanelTemplate(value),
};

const A_COLOUR: ValueForm = {
  form: 'one of 16 names such as red or bright-red, a number from 0 to 255, or #rrggbb',
  isRight: (value) => colourCode(value) !== null,
};

const A_THEME: ValueForm = {
  form: `a theme: ${THEME_ORDER.join(', ')}`,
  isRight: (value) => THEME_ORDER.some((name) => name === value),
};

const A_FIXED_KEY: ValueForm = {
  form: `a key that always does the same, as do ${FIXED_CHORDS.join(', ')}`,
  isRight: () => false,
};

function keysIn(place: string): NestedSettings {
  const aCommand: ValueForm = {
    form: 'a word of the command line that acts there with nothing behind it, such as wrong',
    isRight: (value) => isText(value) && ownCommand(place, value) !== null,
  };
  return {
    whose: 'a place are keys',
    known: CHORDS_TOLD,
    rowOf(name) {
      const chord = chordNamed(name);
      if (chord === null) return null;
      return FIXED_CHORDS.includes(chord) ? A_FIXED_KEY : aCommand;
    },
  };
}

/** Settings of the screen that are objects. They stand apart because only a file that has them needs what knows their names. */
export const SCREEN_SETTINGS: Readonly<Record<string, NestedSettings>> = {
  panel: named('the dashboard', Object.keys(PANEL_PAGES), () => A_PAGE),
  theme: named('a theme', ['from', ...THEME_SLOTS], (name) => (name === 'from' ? A_THEME : A_COLOUR)),
  keys: named('keys', OWN_KEY_PLACES, keysIn),
};

function named(
  whose: string,
  known: readonly string[],
  rowOf: (name: string) => ValueForm | NestedSettings,
): NestedSettings {
  return { whose, known, rowOf: (name) => (known.includes(name) ? rowOf(name) : null) };
}
