import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ROOT } from './source.ts';

/** Text of a source file that is there once, and what stands in its place. */
export type PlantedText = { file: string; find: string; put: string };

const MARK = 'planted=';
const OWN = pathToFileURL(`${ROOT}/`).href;

const texts: PlantedText[] = [];

/** Whoever imports with the mark imports all sources of the project so, each as another module than without. */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const mark = new URL(context.parentURL ?? 'file:///').searchParams.get('planted');
    const isOwn = resolved.url.startsWith(OWN) && !resolved.url.includes('/node_modules/');
    if (mark === null || !isOwn || resolved.url.includes(MARK)) return resolved;
    return { ...resolved, url: `${resolved.url}?${MARK}${mark}` };
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const at = new URL(url).searchParams.get('planted');
    const text = at === null ? undefined : texts[Number(at)];
    if (text === undefined || !new URL(url).pathname.endsWith(`/${text.file}`)) return loaded;
    const source = String(loaded.source);
    if (source.split(text.find).length !== 2) throw new Error(`${text.file}: the text to plant is stale`);
    return { ...loaded, source: source.replace(text.find, () => text.put) };
  },
});

/** A module of the project over sources in which one text is another. `url`: that of the module as it is. */
export async function importPlanted<T>(url: string, text: PlantedText): Promise<T> {
  const at = texts.push(text) - 1;
  return (await import(`${url}?${MARK}${at}`)) as T;
}
