import { test } from 'node:test';
import type { FaultRule } from '../support/simulator/fault-plan.ts';
import { title } from './shield-support.ts';
import { openSession } from './support.ts';

/** What either may do wrong, both at once, and what is said of it instead of an answer. */
const TROUBLES: readonly { fault: FaultRule['fault']; said: RegExp }[] = [
  { fault: { kind: 'forbidden', text: 'Not for this plan.' }, said: /forbids this \(HTTP 403\)/ },
  {
    fault: { kind: 'literal', text: '{"Items":[]}' },
    said: /is not what its documentation says/,
  },
  { fault: { kind: 'hang' }, said: /did not answer in time|is left alone/ },
];
const ASKED = [/^\/\d+\/\d\d-\d\d-\d{4}$/, /^\/user\/audit\//] as const;

const isAnswered = (screen: readonly string[]): boolean =>
  /(READ|PARTIAL.*|FAILED.*)$/.test(title(screen).trim());
const isLog = (screen: readonly string[]): boolean =>
  screen.some((line) => /^.?\d\d:\d\d:\d\d |^ TIME /.test(line));

test('causes or changes that are refused, of another shape or late cost their own lines', async (t) => {
  for (const { fault, said } of TROUBLES) {
    const faults = ASKED.map((path) => ({ match: { path }, fault }));
    const { terminal } = await openSession({
      t,
      simulator: { rate: 5, incidents: true, faults },
      columns: 160,
      rows: 50,
      args: ['logs', 'checkout'],
    });
    await terminal.waitFor(isLog);
    for (const key of ['<:causes>', '<:changes>']) {
      await terminal.type(key);
      await terminal.waitFor((screen) => isAnswered(screen) && said.test(screen.join('\n')));
      await terminal.type('<Esc>');
      await terminal.waitFor(isLog);
    }
    await terminal.close();
  }
});
