/**
 * A reader of Prometheus' text exposition format 0.0.4, written from its description
 * (https://prometheus.io/docs/instrumenting/exposition_formats/) and sharing no code with the program. Strict: what the description does not
 * allow is an error, and so is a time, which a sample of a live process needs not.
 */
type Sample = { name: string; labels: Record<string, string>; value: number };

const METRIC = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*/;
const COMMENT = /^# (HELP|TYPE) (\S+) (.*)$/s;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n' };

export class Exposition {
  readonly samples: Sample[] = [];
  readonly types = new Map<string, string>();
  readonly helps = new Map<string, string>();

  constructor(text: string) {
    if (!text.endsWith('\n')) throw new Error('the last line has no end');
    let group = '';
    const groups = new Set<string>();
    const seen = new Set<string>();
    for (const line of text.slice(0, -1).split('\n')) {
      const comment = COMMENT.exec(line);
      if (comment === null && line.startsWith('#')) throw new Error(`neither HELP nor TYPE: ${line}`);
      const sample = comment === null ? sampleOf(line) : null;
      const name = sample?.name ?? comment?.[2] ?? '';
      if (name !== group && groups.has(name)) throw new Error(`the lines of ${name} are no group`);
      group = name;
      groups.add(name);
      if (sample !== null) {
        const key = JSON.stringify([name, Object.entries(sample.labels).sort()]);
        if (seen.has(key)) throw new Error(`twice: ${line}`);
        seen.add(key);
        this.samples.push(sample);
        continue;
      }
      const [, kind, , rest = ''] = comment ?? [];
      const told = kind === 'HELP' ? this.helps : this.types;
      if (told.has(name)) throw new Error(`a second ${kind} of ${name}`);
      if (kind === 'TYPE' && !TYPES.includes(rest)) throw new Error(`no type: ${rest}`);
      if (kind === 'TYPE' && this.samples.some((each) => each.name === name))
        throw new Error(`late: ${line}`);
      told.set(name, kind === 'HELP' ? unescaped(rest, ['\\', 'n']) : rest);
    }
  }

  /** The value of the one sample that has these labels; undefined: there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (each) =>
        each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
    );
    if (found.length > 1) throw new Error(`${found.length} samples of ${name}`);
    return found[0]?.value;
  }
}

function sampleOf(line: string): Sample {
  let left = line;
  const take = (pattern: RegExp, what: string) => {
    const [found] = pattern.exec(left) ?? [];
    if (found === undefined) throw new Error(`${what} is missing at '${left}' of: ${line}`);
    left = left.slice(found.length);
    return found;
  };
  const name = take(METRIC, 'a name');
  const labels: Record<string, string> = {};
  if (left.startsWith('{')) {
    take(/^\{/, 'a brace');
    while (!left.startsWith('}')) {
      const label = take(LABEL, 'a label');
      take(/^="/, 'a value');
      if (Object.hasOwn(labels, label)) throw new Error(`a second ${label}: ${line}`);
      labels[label] = unescaped(take(/^(?:[^"\\]|\\.)*/s, 'a value'), ['\\', '"', 'n']);
      take(/^",?/, 'a quote');
    }
    take(/^\}/, 'a brace');
  }
  take(/^ /, 'a blank');
  const value = take(/^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/i, 'a number alone');
  return { name, labels, value: Number(value.replace(/Inf$/i, 'Infinity')) };
}

function unescaped(text: string, known: readonly string[]): string {
  return text.replace(/\\(.?)/gs, (_, letter: string) => {
    if (!known.includes(letter)) throw new Error(`no escape: \\${letter}`);
    return ESCAPES[letter] ?? '';
  });
}
