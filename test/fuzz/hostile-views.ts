import { layoutOf } from '../../src/state/list/screen-layout.ts';
import type { State } from '../../src/state/model.ts';
import { codePointOf, isContinuation } from '../../src/terminal/cells.ts';
import { parseStyledLine } from '../../src/terminal/styled-text.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { ROW_MOVES } from '../session/rewriting.ts';
import type { EmulatorModes } from '../support/emulator.ts';
import { SCENES, type SceneName, type Told } from '../support/scenes.ts';
import { sequenceKinds } from '../support/sequences.ts';
import { Stage } from '../support/stage.tsx';

/** What the screens of harmless texts look like. */
type Known = {
  kinds: Set<string>;
  styles: Set<string>;
  modes: EmulatorModes;
  cursorShown: Map<string, boolean>;
};

const SIZE = { columns: 100, rows: 24 };
/** A sign that no sanitised or filtered text has. */
const ACTING = /\p{Control}|\p{Format}|\p{Mark}|\p{Emoji_Presentation}/u;
const SGR = /\x1b\[[0-9;]*m/g;
export const SCENE_NAMES = Object.keys(SCENES) as SceneName[];

/** Draws every scene with every text source, and says what acted on the terminal, a sentence each. */
export async function tryViews(
  sources: readonly { name: string; told: Told }[],
  o: { hasSanitiser: boolean },
): Promise<{ screens: number; leaks: string[] }> {
  const leaks: string[] = [];
  const known = await harmless();
  let screens = 0;
  for (const { name, told } of sources) {
    let stage: Stage | null = null;
    for (const scene of SCENE_NAMES) {
      const state = SCENES[scene](told, SIZE);
      stage ??= new Stage(state);
      await stage.show(state);
      screens += 1;
      const found = wrongOn(stage, state, known, scene, o.hasSanitiser);
      leaks.push(...found.map((what) => `${scene}, ${name}: ${what}`));
      if (found.length === 0) continue;
      // What a terminal was made to do stays with it: the next view gets another one.
      await stage.close();
      stage = null;
    }
    await stage?.close();
  }
  return { screens, leaks };
}

async function harmless(): Promise<Known> {
  const [kinds, styles] = [new Set(ROW_MOVES), new Set<string>()];
  const cursorShown = new Map<string, boolean>();
  const told = (n: number) => `value-${n} ${'long '.repeat(n % 3 === 0 ? 40 : 0)}`;
  const stage = new Stage(SCENES.zones(told, SIZE));
  for (const scene of SCENE_NAMES) {
    await stage.show(SCENES[scene](told, SIZE));
    for (const style of stage.emulator.grid().styles.flat()) styles.add(style);
    cursorShown.set(scene, stage.emulator.modes().cursorVisible);
  }
  for (const kind of sequenceKinds(stage.written).keys()) kinds.add(kind);
  const modes = stage.emulator.modes();
  await stage.close();
  return { kinds, styles, modes, cursorShown };
}

function wrongOn(stage: Stage, state: State, known: Known, scene: string, hasSanitiser: boolean): string[] {
  const wrong: string[] = [];
  const { emulator } = stage;
  for (const event of emulator.events) wrong.push(`a ${event.kind}: ${JSON.stringify(event.text)}`);
  const modes = { ...emulator.modes(), cursorVisible: known.cursorShown.get(scene) ?? false };
  const wanted = { ...known.modes, cursorVisible: known.cursorShown.get(scene) ?? false };
  if (JSON.stringify(modes) !== JSON.stringify(wanted)) wrong.push('a mode was changed');
  if (emulator.modes().cursorVisible !== known.cursorShown.get(scene)) wrong.push('the cursor was changed');
  for (const kind of sequenceKinds(stage.written).keys()) {
    if (!known.kinds.has(kind)) wrong.push(`a sequence ${kind}`);
  }
  stage.written = '';
  const { chars, styles } = emulator.grid();
  for (const style of new Set(styles.flat())) {
    if (style.split('|')[1] !== '') wrong.push('a background');
    // The filter alone cannot tell the program's own colours of letters from foreign ones.
    else if (hasSanitiser && !known.styles.has(style)) wrong.push(`a style ${style}`);
  }
  const acting = chars.flat().find((char) => ACTING.test(char));
  if (acting !== undefined) wrong.push(`a sign ${JSON.stringify(acting)}`);
  wrong.push(...displaced(stage, state, hasSanitiser));
  return wrong;
}

/** Lines that are not where, or what, the program put. */
function displaced(stage: Stage, state: State, hasSanitiser: boolean): string[] {
  const seen = stage.emulator.lines();
  const wrong: string[] = [];
  const isBare = state.overlay?.kind === 'plain';
  if (!isBare && !seen[0]?.startsWith(' edgescope >')) wrong.push(`the title is ${JSON.stringify(seen[0])}`);
  const { body } = layoutOf(state);
  for (const [y, line] of (bodyLines(state, stage.look) ?? []).entries()) {
    const put = (hasSanitiser ? line.replace(SGR, '') : textOf(line)).trimEnd();
    const at = seen[body.y + y] ?? '';
    if (at !== put) wrong.push(`line ${body.y + y} is ${JSON.stringify(at)} for ${JSON.stringify(put)}`);
  }
  return wrong.slice(0, 2);
}

function textOf(line: string): string {
  return [...parseStyledLine(line, SIZE.columns).subarray(0, SIZE.columns)]
    .filter((cell) => !isContinuation(cell))
    .map((cell) => String.fromCodePoint(codePointOf(cell)))
    .join('');
}
