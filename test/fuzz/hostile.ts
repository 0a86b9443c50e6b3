import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FORMATS } from './hostile-formats.ts';

/** Which of the two layers are in the program: see `layers.mjs`. */
export const LAYERS = ['both', 'filter', 'sanitiser'] as const;
export type Layer = (typeof LAYERS)[number] | 'neither';

export type LayerFigures = {
  strings: number;
  views: number;
  screens: number;
  texts: number;
  leaks: number;
  /** The first of the leaks, a sentence each. */
  first: string[];
};

const FOLDER = import.meta.dirname;
const HOOKS = [join(FOLDER, 'layers.mjs'), join(FOLDER, '..', 'support', 'register.mjs')];

/**
 * Every view and format with the strings of the list under one state of the layers, in a process of its own. `parts`:
 * that many mixtures of all strings instead of each string alone.
 */
export async function tryLayer(layer: Layer, parts = 0): Promise<LayerFigures> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [...HOOKS.flatMap((hook) => ['--import', hook]), join(FOLDER, 'hostile-layer.ts')];
  const child = spawn(process.execPath, [...args, '--parts', String(parts)], {
    env: { ...env, EDGESCOPE_LAYERS: layer },
    // The emulator tells at length of sequences that it cannot make sense of.
    stdio: ['ignore', 'pipe', layer === 'neither' ? 'ignore' : 'inherit'],
  });
  const said = await text(child.stdout);
  return JSON.parse(said.slice(said.lastIndexOf('\n{') + 1));
}

/** The figures of all layers in one line, and each leak that is told; false when something leaked. */
export async function tryHostile(parts = 0): Promise<boolean> {
  const found: LayerFigures[] = [];
  for (const layer of LAYERS) {
    const figures = await tryLayer(layer, parts);
    found.push(figures);
    for (const leak of figures.first) console.log(`leak (${layer}): ${leak}`);
  }
  const control = await tryLayer('neither', 1);
  const sum = (of: (each: LayerFigures) => number) => found.reduce((all, each) => all + of(each), 0);
  const leaks = sum(({ leaks }) => leaks);
  console.log(
    `hostile strings ${found[0]?.strings} × ${found[0]?.views} views × ${LAYERS.length} layers (${LAYERS.join(', ')}) = ${sum(({ screens }) => screens)} screens; ${FORMATS.length} formats (${FORMATS.join(', ')}) = ${sum(({ texts }) => texts)} texts: escapes leaked ${leaks}; without either layer, as a control, ${control.leaks}`,
  );
  return leaks === 0 && control.leaks > 0;
}
