import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { ROOT } from './source.ts';

/** What users and contributors read, as paths from the root of the project. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** A block of commands, and the line of the document on which it begins. */
export type Fenced = { document: string; line: number; script: string };

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

export function textOf(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8');
}

/** Every block of the documents in a language, in order. */
export function fenced(language: string, documents = DOCUMENTS): Fenced[] {
  return documents.flatMap((document) => {
    const text = textOf(document);
    return [...text.matchAll(FENCE)].flatMap(({ 1: name, 2: script = '', index }) =>
      name === language ? [{ document, line: text.slice(0, index).split('\n').length, script }] : [],
    );
  });
}

/** The words that stand as code in the running text and in tables; in those a bar is written `\|`. */
export function codeSpans(document: string): string[] {
  const prose = textOf(document).replace(FENCE, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
}

/** What is linked to: files as they are written in the document, and places in it. */
export function linksOf(document: string): string[] {
  const prose = textOf(document)
    .replace(FENCE, '')
    .replace(/`[^`\n]+`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The places in a document that can be linked to: its headings, as the hosts of repositories name them. */
export function anchorsOf(document: string): string[] {
  return [
    ...textOf(document)
      .replace(FENCE, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
