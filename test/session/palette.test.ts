import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, logRows, ZONE } from './log-screen.ts';
import { openLog, openSession } from './support.ts';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 10 },
];
const last = (screen: readonly string[]) => (screen.at(-1) ?? '').trim();
/** What stands over the line that is edited, without the mark over its mistake. */
const told = (screen: readonly string[]) =>
  (screen.findLast((line, at) => at < screen.length - 1 && !/^ *v+ *$/.test(line)) ?? '').trim();

for (const size of SIZES) {
  const { columns, rows } = size;

  test(`at ${columns}x${rows} a zone, a term, a grouping and a window are gone to by what is typed`, async (t) => {
    const { terminal } = await openSession({ t, ...size });
    await terminal.waitFor(ZONE.slice(0, 8));
    await terminal.type(':logs shop-f<Tab>');
    await terminal.waitFor((screen) => last(screen) === `:logs ${ZONE}`);
    await terminal.type('<Enter>');
    await terminal.waitFor((screen) => /LIVE$/.test(screen[0] ?? ''));
    await terminal.type(':5xx<Enter>');
    await terminal.waitFor(/status:5xx/);
    await terminal.type(':by country<Enter>');
    await terminal.waitFor(/^ COU.* ROWS/m);
    await terminal.type('q:time last:1h<Enter>');
    await terminal.waitFor((screen) => /last:1h/.test(screen.join('\n')) && !/ ROWS/.test(screen.join('\n')));
    await terminal.type(':shield<Enter>');
    await terminal.waitFor(/EVENTS/);
    await terminal.type(':q<Enter>');
    assert.deepEqual(await terminal.exit(), { code: 0 });
  });

  test(`at ${columns}x${rows} a guess runs nothing, and the line says what was meant`, async (t) => {
    const { terminal, simulator } = await openLog({ t, ...size });
    const asked = simulator.stats().requests;
    await terminal.type(':attack<Enter>');
    await terminal.waitFor((screen) => told(screen) === "no command 'attack'; nearest: back");
    assert.equal(last(terminal.screen()), ':attack');
    await terminal.type('<C-u>logs shop-fronted<Enter>');
    await terminal.waitFor((screen) => /no such zone; nearest: shop/.test(told(screen)));
    assert.match(last(terminal.screen()), /^:logs shop-fronted/);
    await terminal.type('<C-u>status:9xx<Enter>');
    await terminal.waitFor((screen) => /404, 5xx$/.test(told(screen)) && /^:status:9xx/.test(last(screen)));
    await terminal.type('<C-u>zone<Enter>');
    await terminal.waitFor((screen) => told(screen) === ':zone needs <zone> [query...]');
    assert.equal(terminal.ended, null);
    assert.ok(simulator.stats().requests - asked < 5);
    await terminal.type('<Esc>');
    await terminal.waitFor((screen) => /LIVE$/.test(screen[0] ?? '') && !last(screen).startsWith(':'));
  });

  test(`at ${columns}x${rows} the commands stand best first with their keys, and an arrow chooses one to run`, async (t) => {
    const { terminal } = await openLog({ t, ...size });
    await terminal.type(':');
    await terminal.waitFor('COMMANDS OF THIS VIEW');
    await terminal.type('req');
    await terminal.waitFor((screen) => / :requests +@ /.test(screen.join('\n')));
    assert.doesNotMatch(terminal.text(), /^▌/m);
    await terminal.type('<Enter>');
    await terminal.waitFor((screen) => told(screen) === "no command 'req'; nearest: requests");
    await terminal.type('<Down>');
    await terminal.waitFor(/^▌:requests/m);
    await terminal.type('<Enter>');
    await terminal.waitFor(/GET \/pul/);
  });
}

test('the storage zone, the keys and the help are gone to by their nouns', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor(ZONE);
  await terminal.type(':storage<Enter>');
  await terminal.waitFor(/storage zones/i);
  await terminal.waitFor(/^▌\S+/m);
  const first = /^▌(\S+)/m.exec(terminal.text())?.[1] ?? '';
  await terminal.type(`q:storage ${first}<Enter>`);
  await terminal.waitFor((screen) => new RegExp(`storage.*${first}`).test(screen[0] ?? ''));
  await terminal.type(`:storage ${first}x<Enter>`);
  await terminal.waitFor((screen) => /no such storage zone; nearest: /.test(told(screen)));
  await terminal.type('<C-u>keys<Enter>');
  await terminal.waitFor((screen) => /keys/.test(screen[0] ?? ''));
  await terminal.type(':5xx<Enter>');
  await terminal.waitFor((screen) => /this view has no query/.test(told(screen)));
  await terminal.type('<C-u>help hidden<Enter>');
  await terminal.waitFor('no key is described by these words');
});

test('a zone beyond the pages that were read is found when its page comes', async (t) => {
  const { terminal } = await openSession({ t, simulator: { zones: 1200 } });
  await terminal.waitFor(/ 1\/1,?200 /);
  await terminal.type(':logs zone-that-is-not<Enter>');
  await terminal.waitFor(/no zone is called 'zone-that-is-not'/);
});

test('a function key says what to press instead and does nothing, also while a line is typed', async (t) => {
  const { terminal } = await openLog({ t });
  await terminal.type('<F5>');
  await terminal.waitFor((screen) => last(screen) === 'F5: Ctrl-r reads again');
  await terminal.type('<F10>');
  await terminal.waitFor((screen) => last(screen) === 'F10: q goes back, and from the first view quits');
  await terminal.type(':lo<F1>');
  await terminal.waitFor((screen) => told(screen) === 'F1: ? lists the keys' && last(screen) === ':lo');
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => isLive(screen) && logRows(screen).length > 3);
});
