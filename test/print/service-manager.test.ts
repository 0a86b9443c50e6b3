import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { serviceManagerOf } from '../../src/print/keep/service-manager.ts';
import { unlessInstalled } from '../support/installed.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, MINUTE, ZONE } from './support.ts';

/** What listens in systemd's place: the address of its socket, then each message as JSON. */
const LISTENER = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@', '\\0', 1))
print('bound', flush=True)
while True:
    print(json.dumps(s.recv(65536).decode()), flush=True)
`;

import { ownFolder } from '../support/own-folder.ts';

async function listening(t: TestContext, socket: string) {
  const child: ChildProcess = spawn('python3', ['-c', LISTENER, socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  assert.ok(child.stdout);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'bound');
  return async () => JSON.parse(String((await lines.next()).value));
}

test('systemd hears what it is told, on a socket with a path and on an abstract one', {
  skip: unlessInstalled('systemd-notify') || unlessInstalled('python3'),
}, async (t) => {
  for (const socket of [join(ownFolder(t), 'notify'), `@edgescope-test-${process.pid}`]) {
    const message = await listening(t, socket);
    const manager = serviceManagerOf({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000000' });
    assert.equal(manager?.watchdog, 300_000);
    assert.equal(await manager?.tell('READY=1', 'STATUS=12 rows\nMAINPID=1 stored'), null);
    assert.deepEqual((await message()).trim().split('\n'), ['READY=1', 'STATUS=12 rows MAINPID=1 stored']);
  }
});

test('the program that tells systemd sees no key, and one that is not there is named', async (t) => {
  const folder = ownFolder(t);
  const [stub, seen] = [join(folder, 'stub'), join(folder, 'seen')];
  writeFileSync(stub, `#!/bin/sh\nenv >${seen}\necho "$@" >>${seen}\n`);
  chmodSync(stub, 0o755);
  process.env['EDGESCOPE_ACCESS_KEY'] = 'canary-4711';
  t.after(() => delete process.env['EDGESCOPE_ACCESS_KEY']);
  const env = { NOTIFY_SOCKET: '/run/notify', EDGESCOPE_ACCESS_KEY: 'canary-4711' };
  assert.equal(await serviceManagerOf(env, stub)?.tell('READY=1'), null);
  const told = readFileSync(seen, 'utf8');
  assert.match(told, /^NOTIFY_SOCKET=\/run\/notify$/m);
  assert.match(told, /^READY=1$/m);
  assert.doesNotMatch(told, /canary/);
  assert.equal(
    await serviceManagerOf(env, join(folder, 'none'))?.tell('READY=1'),
    `${join(folder, 'none')}: ENOENT`,
  );
});

test('without systemd nobody is told, and a watchdog of another process is not ours', () => {
  assert.equal(serviceManagerOf({ WATCHDOG_USEC: '1000000' }), null);
  const of = (more: object) => serviceManagerOf({ NOTIFY_SOCKET: '@x', ...more })?.watchdog;
  assert.equal(of({}), null);
  assert.equal(of({ WATCHDOG_USEC: '1000000', WATCHDOG_PID: String(process.pid) }), 1_000);
  assert.equal(of({ WATCHDOG_USEC: '1000000', WATCHDOG_PID: '1' }), null);
});

/** `keep` as a service for a time, ms, with a watchdog of two minutes; what systemd was told, and when. */
function service() {
  const { sim, zone, printed } = bench({ rate: 0.5 });
  const store = new MemoryStore();
  const start = sim.clock.now();
  const read = { from: 0, to: start - 8 * MINUTE, state: 'read', missing: null, mark: 0 } as const;
  store.notes.push({ zone: String(zone.id), ...read });
  const told: { at: number; words: readonly string[] }[] = [];
  const keep = (length: number, answer: string | null = null) =>
    printed(['keep', ZONE], {
      history: async () => ({ ok: true, value: store.open }),
      onEnd: (callback) => void sim.clock.after(length, () => callback(143)),
      serviceManager: {
        watchdog: 2 * MINUTE,
        async tell(...words) {
          told.push({ at: sim.clock.now() - start, words });
          return answer;
        },
      },
    });
  return { sim, store, told, keep };
}

test('a service is ready once its store answered, gives a sign of life twice in the time of its watchdog, and says that it stops', async () => {
  const { sim, store, told, keep } = service();
  store.isAway = true;
  sim.clock.after(3 * MINUTE, () => {
    store.isAway = false;
  });
  assert.equal((await keep(20 * MINUTE)).code, 143);
  const [ready, ...later] = told;
  assert.equal(ready?.words[0], 'READY=1');
  assert.ok(ready.at >= 3 * MINUTE && ready.at < 4 * MINUTE, String(ready.at));
  const last = later.pop();
  assert.equal(last?.words[0], 'STOPPING=1');
  assert.ok(later.length >= 15);
  assert.ok(later.every(({ words }) => words[0] === 'WATCHDOG=1'));
  assert.match(last.words[1] ?? '', /^STATUS=[\d,]+ rows stored; complete to \S+Z, \S+ ago$/);
});

test('a service gives signs of life while its store is away and its zone denied, and none once nothing is heard at all', async () => {
  const { sim, store, told, keep } = service();
  const fault = { kind: 'forbidden', text: 'Pull zone is suspended.' } as const;
  sim.clock.after(5 * MINUTE, () => void sim.setFaults([{ match: { path: '/pullzones/' }, fault }]));
  for (const [at, isAway] of [
    [20, true],
    [45, false],
  ] as const)
    sim.clock.after(at * MINUTE, () => {
      store.isAway = isAway;
    });
  let answered = Promise.resolve();
  const { open } = store;
  Object.assign(store, { open: () => answered.then(open) });
  const gate = Promise.withResolvers<void>();
  sim.clock.after(60 * MINUTE, () => {
    answered = gate.promise;
  });
  sim.clock.after(119 * MINUTE, gate.resolve);
  await keep(120 * MINUTE);
  const signs = told.filter(({ words }) => words[0] === 'WATCHDOG=1').map(({ at }) => at / MINUTE);
  const [last = 0, back = 0] = signs.filter((at) => at > 60).slice(-2);
  const pauses = signs.slice(1).map((at, n) => at - (signs[n] ?? 0));
  assert.deepEqual(
    pauses.filter((pause) => pause > 2),
    [back - last],
  );
  assert.ok(last > 60 && last < 71 && back >= 119, `${last} ${back}`);
});

test('where systemd cannot be told, it is said once', async () => {
  const { keep } = service();
  const { err } = await keep(10 * MINUTE, '/usr/bin/systemd-notify: ENOENT');
  assert.equal(
    err.match(/systemd is not told how this is: \/usr\/bin\/systemd-notify: ENOENT/g)?.length,
    1,
    err,
  );
});
