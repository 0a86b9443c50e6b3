import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, scrubber } from '../../src/api/http/origin.ts';
import { Secret } from '../../src/text/secret.ts';
import { excessGrowth } from '../support/growth.ts';

const KEY = 'c0ffee-1234/5678+9abc.def"x\\y';
const scrub = scrubber({ accessKey: new Secret(KEY), token: null }, '[masked]');
const ofEach = (form: (character: string, code: number) => string) =>
  [...KEY].map((character) => form(character, character.charCodeAt(0))).join('');
const hex = (code: number) => code.toString(16);

test('no path leads away from the origin that the key is for', () => {
  for (const base of ['https://api.example', 'https://api.example/v2/']) {
    for (const path of [
      '@evil.example/x',
      '.evil.example/x',
      ':8443/x',
      ':p@evil.example/',
      'x',
      '',
      '\\\\evil.example',
    ]) {
      assert.equal(addressOf(base, path), null, `${base} ${path}`);
    }
    for (const path of ['/x?y=1', '//evil.example/x', '/../../x', '/@evil.example']) {
      assert.equal(addressOf(base, path)?.host, 'api.example', `${base} ${path}`);
    }
  }
});

test('our own key is taken out of a text in any escaped form', () => {
  const forms: Record<string, string> = {
    bare: KEY,
    'percent-encoded': encodeURIComponent(KEY),
    'each character percent-encoded': ofEach((_, code) => `%${hex(code)}`),
    'in capitals': ofEach((_, code) => `%${hex(code).toUpperCase()}`),
    'percent-encoded twice': ofEach((_, code) => `%25${hex(code)}`),
    'in JSON': JSON.stringify(KEY).slice(1, -1),
    'in JSON in JSON': JSON.stringify(JSON.stringify(KEY)).slice(3, -3),
    'in escapes of JSON': ofEach((_, code) => `\\u00${hex(code)}`),
    'in escapes within JSON': ofEach((_, code) => `\\\\u00${hex(code)}`),
    'in escapes of a shell': ofEach((_, code) => `\\x${hex(code)}`),
    'with its slashes escaped': KEY.replaceAll('/', '\\/'),
    'in entities': ofEach((_, code) => `&#${code};`),
    'in hexadecimal entities': ofEach((_, code) => `&#x${hex(code)};`),
    'now this way and now that': ofEach((character, code) =>
      code % 3 === 0 ? character : code % 3 === 1 ? `%${hex(code)}` : `\\u00${hex(code)}`,
    ),
  };
  for (const [name, form] of Object.entries(forms))
    assert.equal(scrub(`before ${form} behind`), 'before [masked] behind', name);
});

test('one escaped character, be it which and how it will, hides the key from nothing', () => {
  const forms = (character: string, code: number) => [
    ...['', '25', '2525', '25252525'].map((more) => `%${more}${hex(code)}`),
    ...['\\', '\\\\', '\\\\\\\\'].flatMap((slashes) => [
      `${slashes}${character}`,
      `${slashes}u00${hex(code)}`,
      `${slashes}x${hex(code).toUpperCase()}`,
    ]),
    ...[`&#${code};`, `&#0000${code};`, `&#x${hex(code)};`, `&#X000${hex(code).toUpperCase()};`],
  ];
  for (const [at, character] of [...KEY].entries()) {
    for (const form of forms(character, character.charCodeAt(0))) {
      const text = `${KEY.slice(0, at)}${form}${KEY.slice(at + 1)}`;
      assert.equal(scrub(`{"a":"${text}"}`), '{"a":"[masked]"}', text);
    }
  }
});

test('our own key is taken out of base64, wherever it stands in it', () => {
  for (const before of ['', 'u', 'u:', 'me:', 'AccessKey: ']) {
    const text = Buffer.from(`${before}${KEY} and more`).toString('base64');
    assert.match(scrub(text), /\[masked\]/, before);
    assert.match(
      scrub(text.replaceAll('+', '-').replaceAll('/', '_')),
      /\[masked\]/,
      `${before}, for addresses`,
    );
  }
});

test('a text that only resembles the key stays as it came, and costs as much as it is long', () => {
  assert.equal(scrub('c0ffee-1234 %63 \\u0063 &#99; YzBmZmVl'), 'c0ffee-1234 %63 \\u0063 &#99; YzBmZmVl');
  for (const part of ['\\', '%25', '&#0', '%', 'c0ffee-', '&#x0']) {
    assert.equal(
      excessGrowth((size) => void scrub(part.repeat(size / part.length)), 65_536),
      null,
      part,
    );
  }
});
