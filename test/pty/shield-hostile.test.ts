// The built program on a real terminal: what attackers write must act on nothing that a terminal does with its bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SHIELD_DIMENSIONS } from '../../src/domain/shield/shield.ts';
import { HOSTILE, type Hostile, type Passing, ROW_MOVES, rewriting } from '../session/rewriting.ts';
import { isRead, title } from '../session/shield-support.ts';
import { headsOf } from '../support/heads.ts';
import { sequenceKinds } from '../support/sequences.ts';
import { startSimulator } from '../support/simulator/server.ts';
import type { Terminal } from '../support/terminal.ts';
import { credentials, openProgram } from './support.ts';

type Row = Record<string, unknown>;
/** What a walk left behind. */
type Walk = { terminal: Terminal; styles: Set<string>; debug: string };

/** With what words the server refuses; null = it answers. */
type Said = { error: string | null };

const CANARY = `canary-${'0123456789abcdef'.repeat(4)}`;
/** Signs of the program's own: frames, bars, marks. */
const OWN_SIGNS = /^[ -~▌┄·…▁▂▃▄▅▆▇█●○↑↓│┊╱╳▀]*$/;
/** The same walk over words that nobody minds. */
const HARMLESS: readonly Hostile[] = HOSTILE.map((_, i) => ({ input: `value-${i}`, strict: `value-${i}` }));

/** Colour is what the second layer lets through: with it any place that forgets to escape shows itself. */
const PAINT = '38;2;1;2;3';
const PAINTED: readonly Hostile[] = HOSTILE.map((_, i) => {
  const [head, tail] = [`v${i}`, `x${'y'.repeat(250)}`];
  return { input: `${head}\x1b[${PAINT}m${tail}`, strict: `${head}\\x1b[${PAINT}m${tail}` };
});

test('strings of attackers in everything that Shield tells act on nothing in any view, show as escapes, and add no style to the screen', async (t) => {
  const harmless = await walk(t, HARMLESS);
  const hostile = await walk(t, HOSTILE);
  await walk(t, PAINTED);
  assert.deepEqual(hostile.terminal.events, []);
  const known = new Set([...sequenceKinds(harmless.terminal.output()).keys(), ...ROW_MOVES]);
  const added = [...sequenceKinds(hostile.terminal.output()).keys()].filter((kind) => !known.has(kind));
  assert.deepEqual(added, []);
  assert.deepEqual(hostile.terminal.modes(), harmless.terminal.modes());
  const looks = [...hostile.styles].filter((style) => !harmless.styles.has(style));
  assert.deepEqual(looks, []);
  for (const { terminal, debug } of [harmless, hostile]) {
    assert.ok(debug.length > 1000, 'the debug file was written');
    for (const shown of [terminal.output(), debug]) assert.ok(!shown.includes(CANARY));
  }
});

/** The walk through every view, on a server whose every string is one of `strings`. */
async function walk(t: TestContext, strings: readonly Hostile[]): Promise<Walk> {
  const said: Said = { error: null };
  const env = await poisoned(t, strings, said);
  const args = ['shield', '1284031', 'by:ip,rule,url', 'last:6h', '--debug', 'debug.jsonl'];
  const terminal = await openProgram({ t, env, args, columns: 200, rows: 40 });
  const styles = new Set<string>();
  const seen: string[] = [];
  const look = () => {
    looksRight(terminal);
    for (const line of terminal.grid().styles) for (const style of line) styles.add(style);
    assert.ok(![...styles].some((style) => style.includes('1;2;3')), terminal.text());
    seen.push(...terminal.screen());
  };
  const go = async (keys: string, until: (screen: string[]) => boolean, what: string) => {
    await terminal.type(keys);
    await terminal.waitFor(until, { what });
    look();
  };
  const isAt = (place: RegExp) => (screen: string[]) => place.test(headsOf(screen));
  /** Goes down to the last line, a page at a time. */
  const through = async (place: RegExp) => {
    assert.match(headsOf(terminal.screen()), place);
    for (let [at, of] = placeOn(terminal); at < of; [at] = placeOn(terminal)) {
      await terminal.type('<PgDn>');
      await terminal.waitFor(() => placeOn(terminal)[0] > at, { what: `more than ${at} of ${of}` });
      look();
    }
  };

  await go('', isRead, 'groups');
  const zone = strings[5]?.strict.slice(0, 10) ?? '';
  assert.ok(title(terminal.screen()).includes(zone), 'the name of the zone');
  await through(/CLIENT ADDRESS/);
  everyIsIn(strings, seen.splice(0), 'groups');
  await go('gs', isAt(/BLOCKED↓|CHALL\.↓/), 'sorted');
  await go(
    '<:unfold>',
    (screen) => isRead(screen) && / CLIENT ADDRESS.* RULE .* URL /.test(headsOf(screen)),
    'all dimensions',
  );
  await go(
    '<:view-before>',
    (screen) => isRead(screen) && !/ RULE .* URL /.test(headsOf(screen)),
    'one dimension',
  );
  await go('gjjj', isAt(/ 4\//), 'a group');
  await go('<Enter>', (screen) => isRead(screen) && /> "?ip[:~]/.test(title(screen)), 'rules of a group');
  await go('<Enter>', (screen) => isRead(screen) && /^ URL/.test(headsOf(screen)), 'urls of a rule');
  await go('<Enter>', (screen) => isRead(screen) && /^ TIME/.test(headsOf(screen)), 'rows');
  await go('<Esc>', isAt(/^ URL/), 'urls again');
  await go('<Esc>', isAt(/^ RULE/), 'rules again');
  await go('<Esc>', isAt(/^ CLIENT ADDRESS/), 'groups again');
  await go('<:view-before>', (screen) => isRead(screen) && /ip[:~]/.test(screen[1] ?? ''), 'the view before');
  await go('<:view-after>', (screen) => isRead(screen) && !/ip[:~]/.test(screen[1] ?? ''), 'the view after');
  await go('j+', (screen) => isRead(screen) && /ip[:~]/.test(screen[1] ?? ''), 'a chip of the server');
  await go(
    'jj-',
    (screen) => isRead(screen) && /-"?ip[:~]|hidden here/.test(screen[1] ?? ''),
    'an exclusion',
  );
  await go('<:form>', (screen) => screen.some((line) => line.includes('as text')), 'the form');
  await go('jj', (screen) => screen.some((line) => line.includes('as text')), 'a row of the form');
  await go('<Tab>', (screen) => !/^ QUERY/.test(headsOf(screen)), 'the line of the query');
  await go('<C-u>ip:', (screen) => /ip[:~]/.test(screen.slice(-2).join('')), 'completion');
  await go('<Esc>', isAt(/CLIENT ADDRESS/), 'groups after the line');
  await go(
    '<:timeline>',
    (screen) => /blocked [\d,]+ .*logged [\d,]+/.test(screen[2] ?? ''),
    'the histogram',
  );
  await go('bG<Enter>', (screen) => isRead(screen) && /^ TIME/.test(headsOf(screen)), 'rows');
  seen.splice(0);
  look();
  await through(/^ TIME/);
  everyIsIn(strings, seen.splice(0), 'rows');
  await go('g<Enter>', isAt(/^ FIELD/), 'an event');
  const header = terminal.screen().findIndex((line) => /^ header /.test(line)) - 4;
  assert.ok(header > 0);
  await go('j'.repeat(header), () => placeOn(terminal)[0] === header + 1, 'a header');
  await through(/^ FIELD/);
  everyIsIn(strings, seen.splice(0), 'an event');
  await go('<Esc>', isAt(/^ TIME/), 'rows again');
  await go(
    '<:day><Enter>',
    (screen) => /1 pages/.test(screen.at(-2) ?? '') && /^ TIME.* 1\//.test(headsOf(screen)),
    'a day',
  );
  seen.splice(0);
  await go('<Enter>', isAt(/^ FIELD/), 'an event of a day');
  await through(/^ FIELD/);
  everyIsIn(strings, seen.splice(0), 'an event of a day');
  await go('<:requests>', (screen) => screen.some((line) => /POST .*200/.test(line)), 'the requests');
  await go('<Esc>', isAt(/^ FIELD/), 'the event again');
  said.error = strings
    .map((each) => each.input)
    .join(' ')
    .slice(0, 4000);
  await go('1', (screen) => /> zones/.test(title(screen)), 'the picker');
  await go('g3', (screen) => / FAILED$/.test(title(screen)), 'an error');
  const debug = readFileSync(join(terminal.home, 'debug.jsonl'), 'utf8');
  return { terminal, styles, debug };
}

/** The line under the cursor and the number of lines, as the headings tell them. */
function placeOn(terminal: Terminal): [number, number] {
  const [, at = '0', of = '0'] = / ([\d,]+)\/([\d,]+)/.exec(headsOf(terminal.screen())) ?? [];
  return [Number(at.replaceAll(',', '')), Number(of.replaceAll(',', ''))];
}

/** Nothing but the program's own signs and printable ASCII, and the chrome where it belongs. */
function looksRight(terminal: Terminal): void {
  for (const line of terminal.screen()) assert.match(line, OWN_SIGNS, terminal.text());
  assert.match(title(terminal.screen()), /^ edgescope > /, terminal.text());
  assert.deepEqual(terminal.events, []);
}

/** Each string stands on one of the lines as far as it has room there. */
function everyIsIn(strings: readonly Hostile[], lines: readonly string[], where: string): void {
  const all = lines.join('\n');
  const missing = strings.filter(({ strict }) => !all.includes(strict.slice(0, 14).trim()));
  assert.deepEqual(
    missing.map(({ strict }) => strict.slice(0, 40)),
    [],
    where,
  );
}

/** A simulator behind a server that puts the strings into every text of Shield's answers. */
async function poisoned(
  t: TestContext,
  strings: readonly Hostile[],
  said: Said,
): Promise<Record<string, string>> {
  const simulator = await startSimulator({ seed: 7, rate: 40, incidents: false, accessKey: CANARY });
  t.after(() => simulator.close());
  const baseUrl = await rewriting(t, simulator.baseUrl, unfiltered, (answer) => {
    if (answer.path.includes('/event-logs/') && said.error !== null)
      Object.assign(answer, { status: 400, body: refusal(said.error) });
    else poison(answer, strings);
  });
  return credentials({ ...simulator, baseUrl });
}

/** Nothing has the values that are asked for after the first answer, so they are not asked for. */
function unfiltered(sent: Buffer): Buffer {
  const { filters: _, ...question } = JSON.parse(sent.toString()) as Row;
  return Buffer.from(JSON.stringify(question));
}

function poison({ path, body }: Passing, strings: readonly Hostile[]): void {
  const at = (n: number) => strings[n % strings.length]?.input ?? '';
  const lists = body as Record<string, Row[] | undefined>;
  // One line for each string: a second page would only tell them again.
  const whole = Math.min(strings.length, (lists['groups'] ?? lists['rows'] ?? []).length);
  if (whole > 0) Object.assign(body, { total: whole, totalPages: 1 });
  for (const list of [lists['groups'], lists['rows']]) list?.splice(strings.length);
  for (const [n, group] of (lists['groups'] ?? []).entries()) {
    group['key'] = Object.fromEntries(
      Object.keys(group['key'] as Row).map((name, m) => [
        name,
        name === 'ruleId' ? ruleIdOf(at(n + m)) : at(n + m),
      ]),
    );
    const context = group['context'] as Row;
    for (const [m, name] of ['country', 'asn', 'features', 'ruleIds'].entries()) context[name] = at(n + m);
  }
  for (const [n, row] of (lists['rows'] ?? []).entries()) {
    row['logId'] = `${at(n)}#${n}`;
    row['fields'] = Object.fromEntries([...SHIELD_DIMENSIONS, at(n)].map((name, m) => [name, at(n + m)]));
    row['log'] = context(strings, n);
  }
  for (const [n, row] of (lists['logs'] ?? []).entries()) {
    row['logId'] = `${at(n)}#${n}`;
    row['labels'] = Object.fromEntries(
      ['asn', 'country', 'ruleId', 'status', at(n)].map((name, m) => [name, at(n + m)]),
    );
    row['log'] = JSON.stringify(context(strings, n));
  }
  if (lists['logs']) Object.assign(body, { hasMoreData: false, continuationToken: null });
  if (path.includes('/waf/rules/')) {
    const rules = strings.map(({ input }, n) => ({ ruleId: ruleIdOf(input), description: at(n + 1) }));
    Object.assign(body as object, [
      { name: at(1), ruleset: at(2), ruleGroups: [{ name: at(3), code: at(4), rules }] },
    ]);
  }
  const zone = path.startsWith('/pullzone') ? lists['Items']?.[0] : undefined;
  if (zone) zone['Name'] = at(5);
}

function refusal(said: string): Row {
  return { type: said, title: said, status: 400, detail: said, instance: said, [said]: said };
}

/** Short enough to leave room for the text of the rule. */
function ruleIdOf(input: string): string {
  return input.slice(0, 30);
}

/** A request context: the documented parts, and every string under a name nobody documents. */
function context(strings: readonly Hostile[], n: number): Row {
  const at = (m: number) => strings[(n + m) % strings.length]?.input ?? '';
  return {
    Message: at(1),
    Url: at(2),
    RemoteIp: at(3),
    UrlEncodedBody: at(4),
    Headers: [5, 6, 7].map((m) => ({ Name: at(m), Value: at(m + 1) })),
    TriggerMatch: { Key: at(8), Value: at(9) },
    [at(10)]: 'under a name from outside',
    echo: `the key is ${CANARY}`,
    nested: { deep: [{ [at(11)]: at(12) }] },
    ...Object.fromEntries(strings.map(({ input }, m) => [`x${m}`, input])),
  };
}
