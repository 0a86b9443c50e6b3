import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { test } from 'node:test';
import { portableName } from '../src/build/packages/build.ts';
import { DEBIAN_ARCHITECTURES, debName } from '../src/build/packages/deb.ts';
import { PLATFORM_NAMES } from '../src/build/packages/pinned.ts';
import { readCommandLine } from '../src/config/command/command-line.ts';
import { PROGRAM_COMMANDS } from '../src/config/command/program.ts';
import { VARIABLES } from '../src/config/settings/variables.ts';
import { parseQuery } from '../src/domain/query/query-text.ts';
import { parseShieldQuery } from '../src/domain/shield/shield-window.ts';
import { usageOf } from '../src/keymap/line-words.ts';
import { BINDINGS, COMMANDS } from '../src/keys/bindings.ts';
import { anchorsOf, codeSpans, DOCUMENTS, linksOf, textOf } from './support/documents.ts';
import { OPENED } from './support/platform.ts';
import { DRAWN, markersOf, PARTS, renewed } from './support/readme.ts';
import { ROOT } from './support/source.ts';

const LONGEST_README = 100;
/** Of the README and docs, with their tables and commands; `docs/decisions` is for developers, and nobody has to read it to use the program. */
const MOST_WORDS = 12_000;
/** What has a letter or a digit in it, between blanks. */
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const DECISIONS = 'docs/decisions';
/** Beside the documents for users, which link to them. */
const TOURS = [
  'VISION.md',
  'src/README.md',
  'test/README.md',
  'test/bench/README.md',
  'test/engines/README.md',
  ...readdirSync(join(ROOT, DECISIONS)).map((name) => `${DECISIONS}/${name}`),
];
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

test('the documents have tables as the program has them (npm run readme renews them), each in one place', () => {
  for (const document of DRAWN) assert.equal(textOf(document), renewed(textOf(document)), document);
  for (const name of Object.keys(PARTS)) {
    const { begin, end } = markersOf(name);
    const places = DRAWN.flatMap((document) => textOf(document).split(begin).slice(1));
    assert.equal(places.length, 1, `${name} stands in ${places.length} places`);
    assert.ok(places[0]?.includes(end), name);
  }
});

test('the README is short, and leads to every document', () => {
  assert.ok(textOf('README.md').split('\n').length <= LONGEST_README);
  const linked = new Set(linksOf('README.md'));
  assert.deepEqual(
    ['VISION.md', ...DOCUMENTS].filter((document) => document !== 'README.md' && !linked.has(document)),
    [],
  );
});

test('what a user has to read is short', () => {
  const documents = DOCUMENTS.filter((document) => document === 'README.md' || document.startsWith('docs/'));
  const words = documents.map((document) => [document, wordsIn(textOf(document))] as const);
  const all = words.reduce((sum, [, count]) => sum + count, 0);
  assert.ok(all < MOST_WORDS, `${all} words: ${words.map((each) => each.join(' ')).join(', ')}`);
});

test('every link leads to a file that is there, and to a heading in it', () => {
  for (const document of [...DOCUMENTS, ...TOURS]) {
    for (const link of linksOf(document)) {
      if (/^https?:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : relative(ROOT, join(ROOT, dirname(document), path));
      assert.ok(existsSync(join(ROOT, target)), `${document}: ${link}`);
      if (anchor !== undefined) assert.ok(anchorsOf(target).includes(anchor), `${document}: ${link}`);
    }
  }
});

test('what developers read names files and folders that are there, and the index leads to each decision', () => {
  const lost = TOURS.flatMap((document) =>
    codeSpans(document)
      .filter((span) => /^[a-z][\w-]*(?:\/[\w.-]+)+$/.test(span) && !isThere(span, document))
      .map((span) => `${document}: ${span}`),
  );
  assert.deepEqual(lost, []);
  const linked = linksOf(`${DECISIONS}/README.md`).map((link) => `${DECISIONS}/${link}`);
  assert.deepEqual(
    TOURS.filter((document) => dirname(document) === DECISIONS && !linked.includes(document)),
    [`${DECISIONS}/README.md`],
  );
});

test('commands, lines and variables in the running text are those of the program', () => {
  const known = new Set([
    ...Object.keys(VARIABLES).flatMap((names) => names.split(', ')),
    'NODE_EXTRA_CA_CERTS',
  ]);
  const words = COMMANDS.flatMap((id) => [
    usageOf(id) ?? '',
    ...(BINDINGS[id].line?.also ?? []).map((word) => `:${word}`),
  ]);
  const lineWords = new Set(words.map((usage) => usage.split(' ')[0]));
  for (const document of DOCUMENTS.filter((each) => each !== 'CHANGELOG.md')) {
    for (const span of codeSpans(document)) {
      const told = `${document}: ${span}`;
      if (/^edgescope (?!\w+$)[^<…|[]+$/.test(span)) readsAs(span, told);
      const name = /^edgescope ([a-z]+)$/.exec(span)?.[1];
      if (name !== undefined) assert.ok(Object.hasOwn(PROGRAM_COMMANDS, name), told);
      if (/^:[a-z][\w!-]*(?: |$)/.test(span)) assert.ok(lineWords.has(span.split(' ')[0]), told);
      for (const [variable] of span.matchAll(/\bEDGESCOPE_\w+/g)) assert.ok(known.has(variable), told);
      if (/^npm run [\w:]+$/.test(span)) assert.ok(Object.hasOwn(PACKAGE.scripts, span.slice(8)), told);
    }
  }
});

test('every term that the page of the query language lists is one', () => {
  const [, table = ''] = /^\| term \| means \|\n([\s\S]*?)\n\n/m.exec(textOf('docs/query.md')) ?? [];
  const terms = [...table.matchAll(/^\| `(.+?)` \|/gm)].map(([, term = '']) => term);
  assert.ok(terms.length > 10);
  for (const term of terms) {
    const read = parseQuery(term, 'logs', OPENED);
    assert.ok(read.ok, term);
  }
});

test('there are commands for each of ten questions and for each of three engines', () => {
  const followed = (document: string, words: string) =>
    new RegExp(`^\\*\\*${words}[^#]*?^\`\`\`sh$`, 'm').test(textOf(document));
  for (let question = 1; question <= 10; question++)
    assert.ok(followed('docs/incident.md', `${question}\\. `), String(question));
  for (const engine of ['lnav', 'DuckDB', 'ClickHouse']) assert.ok(followed('docs/pipes.md', engine), engine);
});

test('packages are named as they are built, whatever their version', () => {
  const version = '*';
  const made = new Set([
    `edgescope-${version}.tgz`,
    ...PLATFORM_NAMES.map((platform) => `${portableName(version, platform)}.tar.gz`),
    ...Object.values(DEBIAN_ARCHITECTURES).map((architecture) => debName({ version, architecture })),
  ]);
  for (const document of [...DOCUMENTS, 'Containerfile']) {
    const text = readFileSync(join(ROOT, document), 'utf8');
    for (const [name] of text.matchAll(/edgescope[-_][\d*][\w.*-]*\.(?:tgz|tar\.gz|deb)(?![\w.])/g))
      assert.ok(made.has(name), `${document}: ${name}`);
  }
});

test('the changelog has a section of the version, with its day, below one of what is to come', () => {
  const heads = [...textOf('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, head = '']) => head);
  assert.equal(heads[0], '[Unreleased]');
  assert.match(heads[1] ?? '', /^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  assert.ok(heads[1]?.startsWith(`[${PACKAGE.version}] `), heads[1]);
});

test('the forms of issues ask for what the doctor says', () => {
  for (const name of ['bug', 'idea']) {
    const form = readFileSync(join(ROOT, '.github', 'ISSUE_TEMPLATE', `${name}.yml`), 'utf8');
    assert.match(form, /label: edgescope doctor\n/);
    assert.doesNotMatch(form, /\t/);
  }
});

function readsAs(span: string, told: string): void {
  const words = (span.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replace(/^(['"])(.*)\1$/, '$2'),
  );
  const usage = readCommandLine(words.slice(1), import.meta, {
    name: 'edgescope',
    version: '',
    description: '',
  });
  if (['man', 'help'].includes(words[1] ?? '')) return;
  assert.ok(usage.ok, usage.ok ? '' : `${told}: ${usage.message}`);
  const { command, query } = usage.value;
  if (command === 'logs' || command === 'open') assert.ok(parseQuery(query, 'logs', OPENED).ok, told);
  if (command === 'shield') assert.ok(parseShieldQuery(query, OPENED).ok, told);
}

/** A path from the root, `src`, `test` or the folder of the document; a file of the source may lack its ending. */
function isThere(path: string, document: string): boolean {
  return ['', 'src', 'test', dirname(document)].some((from) =>
    ['', '.ts', '.tsx'].some((ending) => existsSync(join(ROOT, from, `${path}${ending}`))),
  );
}
