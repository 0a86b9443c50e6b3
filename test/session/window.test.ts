import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, logRows, ZONE } from './log-screen.ts';
import { openLog, openSession, wholeDay } from './support.ts';

test('t takes a time as people write it, and what is none stays with its reason', async (t) => {
  const { terminal, simulator } = await openLog({ t, args: ['status:5xx'] });
  const day = wholeDay(simulator);
  await terminal.type('t');
  await terminal.waitFor(/window: 30m, yesterday, 11-21 03:00-04:00; UTC/);
  await terminal.type('30m<Enter>');
  await terminal.waitFor((screen) => /last:30m status:5xx/.test(screen[1] ?? '') && isLive(screen));
  await terminal.type('tyesterday 03:00-04:00<Enter>');
  await terminal.waitFor(`from:${day}T03:00Z to:${day}T04:00Z status:5xx`);
  for (const [typed, why] of [
    ['soon', /'soon' is no window; 30m, yesterday, 03:00-04:00/],
    ['02-30', /there is no day 02-30/],
    ['yesterday 25:00', /'25:00' is no time of day/],
    ['2030-01-01', /the window lies in the future/],
    ['yesterday 04:00-03:00', /the window ends before it starts/],
  ] as const) {
    await terminal.type(`t${typed}<Enter>`);
    await terminal.waitFor(why);
    assert.match(terminal.text(), new RegExp(`window: ${typed}`));
    await terminal.type('<Esc>');
    await terminal.waitFor((screen) => !/window: /.test(screen.join('\n')));
    assert.match(terminal.screen()[1] ?? '', /T03:00Z to:/);
  }
  await terminal.type('t<Enter>');
  await terminal.waitFor(/the window stays as it is/);
  await terminal.type('t<Tab>');
  await terminal.waitFor(`window: from:${day}T03:00Z to:${day}T04:00Z`);
});

test('while a window is read its rate is that of the traffic, or none', async (t) => {
  const { terminal } = await openSession({
    t,
    args: ['logs', ZONE, 'from:-30m', 'to:-10m'],
    columns: 120,
    simulator: { seed: 7, rate: 60 },
  });
  const heads = new Set<string>();
  await terminal.waitFor((screen) => {
    if (/READING/.test(screen[0] ?? '')) heads.add(screen[2] ?? '');
    return /COMPLETE|STOPPED/.test(screen[0] ?? '');
  });
  const rateOf = (head: string) => /([\d,.]+|-) req\/s/.exec(head)?.[1] ?? head;
  const rates = [...heads].map(rateOf);
  const all = Number(rateOf(terminal.screen()[2] ?? ''));
  assert.ok(rates.length > 3 && all > 10, `${rates}, at the end ${all}`);
  for (const rate of rates)
    assert.ok(rate === '-' || Math.abs(Number(rate) / all - 1) < 0.2, `${rate} of ${all}`);
});

test('the rows of another day show their date, those of today after them do not', async (t) => {
  const { terminal } = await openLog({ t });
  await terminal.type('tyesterday 23:59 - today 00:01<Enter>');
  await terminal.waitFor((screen) => logRows(screen).some((row) => / {6}00:00:/.test(row)));
  await terminal.type('<Space>g');
  await terminal.waitFor((screen) => logRows(screen).every((row) => /^.\d\d-\d\d 23:59:/.test(row)));
});
