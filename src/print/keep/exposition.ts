/** Figures of one name, as Prometheus reads them. */
export type MetricFamily = {
  name: string;
  type: 'counter' | 'gauge';
  help: string;
  samples: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
};

/** What the text is, by its version. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The text exposition format of Prometheus: of each name its help and its type, then a sample a line, none of which has a time. */
export function expositionOf(families: readonly MetricFamily[]): string {
  return families
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${inLine(help)}\n`,
      `# TYPE ${name} ${type}\n`,
      ...samples.map(({ labels = {}, value }) => `${name}${labelsOf(labels)} ${value}\n`),
    ])
    .join('');
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${inLine(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** What the format escapes everywhere: a backslash, and what would end the line. */
function inLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
