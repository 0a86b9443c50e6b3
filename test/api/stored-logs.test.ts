import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, storageBaseOf } from '../../src/api/http/origin.ts';
import { Secret } from '../../src/text/secret.ts';
import { asking, CANARY, json } from './support.ts';

const PASSWORD = 'canary-read-only-0123456789';
const storeAt = (hostname: string, name = 'logs') => ({ name, hostname, password: new Secret(PASSWORD) });
const MONTH = ['pullzone-logs', 'shop', '2026', '11'];

test('a storage zone is opened by its own password, and never by the key of the account', async () => {
  await asking(
    (request, response) => {
      if (request.path.endsWith('/')) json(response, [{ ObjectName: 'a.gzip', Length: 3 }]);
      else response.end('abc');
    },
    async (client, server) => {
      const store = storeAt('se.storage.example');
      const files = await client.storedFiles(store, MONTH);
      assert.equal(files.ok && files.value.files[0]?.name, 'a.gzip');
      const file = await client.storedFile(store, [...MONTH, 'a.gzip']);
      assert.ok(file.ok);
      for await (const chunk of file.value)
        assert.equal(chunk.ok && Buffer.from(chunk.value).toString(), 'abc');
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        ['/logs/pullzone-logs/shop/2026/11/', '/logs/pullzone-logs/shop/2026/11/a.gzip'],
      );
      for (const { headers } of server.requests) {
        assert.equal(headers['accesskey'], PASSWORD);
        assert.ok(!JSON.stringify(headers).includes(CANARY));
      }
      assert.equal(server.requests[1]?.headers['accept-encoding'], 'identity');
    },
  );
});

test('the password goes to the server that is set, or to one of the platform that the account names', () => {
  const usual = 'https://storage.bunnycdn.com';
  const of = (hostname: string) => storageBaseOf(usual, storeAt(hostname));
  assert.equal(of(''), usual);
  assert.equal(of('storage.bunnycdn.com'), usual);
  assert.equal(of('se.storage.bunnycdn.com'), 'https://se.storage.bunnycdn.com');
  for (const foreign of [
    'files.example',
    'bunnycdn.com.files.example',
    'notbunnycdn.com',
    'files.example/.bunnycdn.com',
    'user@storage.bunnycdn.com',
    'files.example#.bunnycdn.com',
    'storage.bunnycdn.com:444',
    'a b',
  ])
    assert.equal(of(foreign), null, foreign);
  assert.equal(storageBaseOf('https://own.example', storeAt('files.example')), 'https://own.example');
  assert.equal(storageBaseOf(null, storeAt('storage.bunnycdn.com')), null);
});

test('nothing is sent where the account names a server of somebody else', async () => {
  await asking(
    (_request, response) => json(response, []),
    async (client, server) => {
      for (const ask of [
        () => client.storedFiles(storeAt('files.example'), MONTH),
        () => client.storedFile(storeAt('files.example'), [...MONTH, 'a.gzip']),
      ]) {
        const answer = await ask();
        assert.ok(!answer.ok);
        assert.deepEqual([answer.failure.kind, answer.failure.detail], ['noStorageServer', 'files.example']);
      }
      assert.equal(server.requests.length, 0);
    },
    { storageUrl: 'https://storage.bunnycdn.com' },
  );
});

test('a password that is refused is told as such, and one that is echoed is masked', async () => {
  await asking(
    (_request, response) =>
      json(response, { HttpCode: 401, Message: `Unauthorized: ${PASSWORD} or ${CANARY}` }, 401),
    async (client) => {
      const answer = await client.storedFiles(storeAt(''), MONTH);
      assert.ok(!answer.ok);
      assert.equal(answer.failure.kind, 'refusedPassword');
      assert.ok(!JSON.stringify(answer).includes('canary'), answer.failure.detail);
      assert.match(answer.failure.detail, /Unauthorized/);
    },
  );
});

test('files of another folder or storage zone are left out of a listing and counted', async () => {
  const file = (ObjectName: string, StorageZoneName: string | null, Path: string | null) => ({
    ObjectName,
    StorageZoneName,
    Path,
  });
  const place = `/logs/${MONTH.join('/')}/`;
  const entries = [
    file('a', 'logs', place),
    file('b', 'other', place),
    file('c', 'logs', '/logs/pullzone-logs/elsewhere/2026/11/'),
    file('d', null, null),
    file('e', 'logs', 'as another server writes it'),
  ];
  await asking(
    (_request, response) => json(response, entries),
    async (client) => {
      const answer = await client.storedFiles(storeAt(''), MONTH);
      assert.ok(answer.ok);
      const { files, strays } = answer.value;
      assert.deepEqual(
        [files.map(({ name }) => name), strays],
        [['a', 'd', 'e'], { outside: 1, ofOthers: 1 }],
      );
    },
  );
});

test('names are names in a path, whatever is in them, and what leads elsewhere is none', async () => {
  await asking(
    (_request, response) => json(response, []),
    async (client, server) => {
      await client.storedFiles(storeAt('', 'my logs'), ['pullzone-logs', 'ü/?#%2e', '2026', '11']);
      assert.equal(server.requests[0]?.path, '/my%20logs/pullzone-logs/%C3%BC%2F%3F%23%252e/2026/11/');
      for (const name of ['', '.', '..', '\ud800']) {
        const answer = await client.storedFiles(storeAt(''), ['pullzone-logs', name, '2026', '11']);
        assert.equal(answer.ok, false, name);
      }
      assert.equal(server.requests.length, 1);
    },
  );
  assert.equal(
    addressOf('https://storage.bunnycdn.com', '/a/%2e%2e/b')?.origin,
    'https://storage.bunnycdn.com',
  );
});

test('the read-only password of a storage zone is taken as a secret, and its other one is left out', async () => {
  await asking(
    (_request, response) =>
      json(response, {
        Id: 6,
        Name: 'logs',
        StorageHostname: null,
        Password: 'canary-full',
        ReadOnlyPassword: PASSWORD,
      }),
    async (client) => {
      const store = await client.partStore('6');
      assert.ok(store.ok);
      assert.equal(store.value.password.reveal(), PASSWORD);
      assert.ok(!JSON.stringify(store.value).includes('canary'));
    },
  );
});

test('a pull zone says where it keeps its log, and that it keeps none', async () => {
  const answers = [
    [{ LoggingSaveToStorage: true, LoggingStorageZoneId: 6 }, '6'],
    [{ LoggingSaveToStorage: true, LoggingStorageZoneId: '9223372036854775807' }, '9223372036854775807'],
    [{ LoggingSaveToStorage: false, LoggingStorageZoneId: 6 }, null],
    [{ LoggingSaveToStorage: true, LoggingStorageZoneId: 0 }, null],
    [{ LoggingSaveToStorage: true, LoggingStorageZoneId: null }, null],
    [{}, null],
  ] as const;
  let n = 0;
  await asking(
    (_request, response) => json(response, { Id: 7, Name: 'shop', ...answers[n]?.[0] }),
    async (client) => {
      for (const [, storageZoneId] of answers) {
        assert.deepEqual(await client.logArchive('7'), {
          ok: true,
          value: { pullZone: 'shop', storageZoneId },
        });
        n += 1;
      }
    },
  );
});
