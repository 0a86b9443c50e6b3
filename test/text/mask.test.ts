import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskUrlSecrets } from '../../src/text/mask.ts';
import { excessGrowth } from '../support/growth.ts';
import { fc, runs } from '../support/properties.ts';

const RUNS = runs(300);
const NAMES = [
  'token',
  'bcdn_token',
  'X-Amz-Signature',
  'X-Amz-Security-Token',
  'X-Amz-Credential',
  'X-Goog-Signature',
  'sig',
  'signature',
  'Signature',
  'access_token',
  'id_token',
  'refreshToken',
  'api_key',
  'apiKey',
  'AccessKey',
  'access-key',
  'key',
  'client_secret',
  'password',
  'pwd',
  'jwt',
  'auth',
  'Authorization',
  'hdnts',
  'hmac',
  'md5',
  'PHPSESSID',
  'user[token]',
  'token[0]',
  'sig2',
];
const everyEncoding = (s: string) => [...s].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');

test('the value of every name that opens something is masked, in a query, a fragment and a path', () => {
  for (const name of NAMES) {
    assert.equal(
      maskUrlSecrets(`https://a.b/c?x=1&${name}=VALUE&y=2`),
      `https://a.b/c?x=1&${name}=[masked]&y=2`,
    );
    assert.equal(maskUrlSecrets(`/c#${name}=VALUE`), `/c#${name}=[masked]`);
    assert.equal(
      maskUrlSecrets(`/${name}=VALUE&expires=9/video.m3u8`),
      `/${name}=[masked]&expires=9/video.m3u8`,
    );
    assert.equal(maskUrlSecrets(`/${name}=VALUE/video.m3u8`), `/${name}=[masked]/video.m3u8`);
  }
});

test('a name is known through any percent-encoding of it', () => {
  for (const name of NAMES) {
    const once = everyEncoding(name);
    const twice = once.replaceAll('%', '%25');
    assert.equal(maskUrlSecrets(`/c?${once}=VALUE&y=2`), `/c?${once}=[masked]&y=2`);
    assert.equal(maskUrlSecrets(`/c?${twice}=VALUE&y=2`), `/c?${twice}=[masked]&y=2`);
    assert.equal(maskUrlSecrets(`/${once}%3DVALUE/a`), `/${once}%3D[masked]/a`);
  }
});

test('a URL inside a parameter is masked with what follows it kept', () => {
  assert.equal(
    maskUrlSecrets('/r?to=https%3A%2F%2Fa%3Ftoken%3DVALUE%26b%3D1&z=2'),
    '/r?to=https%3A%2F%2Fa%3Ftoken%3D[masked]%26b%3D1&z=2',
  );
  assert.equal(
    maskUrlSecrets('/r?to=https%253A%252F%252Fa%253Fsig%253DVALUE%2526b&z=2'),
    '/r?to=https%253A%252F%252Fa%253Fsig%253D[masked]%2526b&z=2',
  );
});

test('a separator that is encoded, or the base64 signs, belong to the value', () => {
  assert.equal(maskUrlSecrets('/c?token=VAL%26UE/+;x==&y=2'), '/c?token=[masked]&y=2');
  assert.equal(maskUrlSecrets('/bcdn_token=VA/LUE&expires=1/f'), '/bcdn_token=[masked]&expires=1/f');
});

test('what is masked already stays as it is', () => {
  for (const url of ['/c?token=[masked]&y=2', '/sig=[masked]/f', 'https://u:[masked]@h/?key=[masked]']) {
    assert.equal(maskUrlSecrets(url), url);
  }
});

test('the password of an authority is masked', () => {
  assert.equal(maskUrlSecrets('https://user:VA@LUE@host/x'), 'https://user:[masked]@host/x');
  assert.equal(
    maskUrlSecrets('/r?to=https%3A%2F%2Fu%3AVALUE%40h%2Fx'),
    '/r?to=https%3A%2F%2Fu%3A[masked]%40h%2Fx',
  );
});

test('URLs without secrets stay as they came', () => {
  const plain = [
    '',
    '/',
    '/videos/a%20b.m4s?v=1&w=%C3%A9',
    '/design?monkey=1&author=x',
    '/a?expires=1&token_path=%2Fx&token_ver=2',
    'https://host:8080/@user/x',
    '/?token=',
    '/keys',
    '%',
    '%zz=1',
    '/a=b/c=d',
  ];
  for (const url of plain) assert.equal(maskUrlSecrets(url), url);
});

test('no value survives, wherever its parameter stands', () => {
  const piece = fc.constantFrom(
    'a',
    '1',
    '/',
    '?',
    '&',
    '=',
    '#',
    ';',
    '%20',
    '%3D',
    '%26',
    '%253d',
    '%',
    ':',
    '@',
    '~',
    'q=',
  );
  const junk = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const separator = fc.constantFrom('?', '&', '/', '#', ';', '%3F', '%26', '%2526');
  fc.assert(
    fc.property(junk, separator, fc.constantFrom(...NAMES), junk, (before, sign, name, after) => {
      const masked = maskUrlSecrets(`${before}${sign}${name}=CANARY${after}`);
      assert.ok(!masked.includes('CANARY'), masked);
    }),
    { numRuns: RUNS },
  );
});

test('a hostile URL costs as much as it is long, not the square of its length', () => {
  for (const part of ['%25', '=', 'token', '//a:b', '/%2F', '1_', 'token=', '/token=a', '%2F%2F']) {
    const work = (size: number) => maskUrlSecrets(`token?${part.repeat(size / part.length)}`);
    assert.equal(excessGrowth(work, 65_536), null, part);
  }
});

test('a path that an attacker filled with names of secrets is masked, for what its length costs', () => {
  const mask = (names: number) =>
    assert.equal(maskUrlSecrets(`/${'token=x/'.repeat(names)}`), `/${'token=[masked]/'.repeat(names)}`);
  assert.equal(excessGrowth(mask, 16_384), null);
});
