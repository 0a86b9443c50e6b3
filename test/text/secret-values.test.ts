import assert from 'node:assert/strict';
import { test } from 'node:test';
import { masked } from '../../src/api/masking.ts';
import { maskSecrets, maskUrlSecrets } from '../../src/text/mask.ts';
import { isSecretField } from '../../src/text/secret-values.ts';
import { CREDENTIALS } from '../support/credentials.ts';
import { excessGrowth } from '../support/growth.ts';
import { fc, runs } from '../support/properties.ts';

const HEADERS = [
  'Authorization',
  'Proxy-Authorization',
  'X-Forwarded-Authorization',
  'X-Vault-Token',
  'Private-Token',
  'X-Access-Token',
  'X-Goog-Api-Key',
  'X-Api-Key',
  'X-Auth-Token',
  'X-Amz-Security-Token',
  'X-Session-Id',
  'Cookie',
  'Set-Cookie',
];
const PASSWORDS = ['password', 'Passwd', 'user_password', 'newPassword', 'client_secret', 'api_key'];
const PARAMETERS = ['code', 'ticket', 'Policy', 'Key-Pair-Id', 'SAMLResponse', 'code_verifier', 'Signature'];

test('a header that opens something is masked by the kind of its name, whatever it is called', () => {
  for (const name of HEADERS) {
    assert.ok(isSecretField(name), name);
    for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
      assert.deepEqual(masked([{ Name: spelling, Value: 'CANARY' }]), [
        { Name: spelling, Value: '[masked]' },
      ]);
      assert.deepEqual(masked({ [spelling]: 'CANARY' }), { [spelling]: '[masked]' });
      assert.deepEqual(masked([[spelling, 'CANARY']]), [[spelling, '[masked]']]);
      assert.deepEqual(masked({ Key: `REQUEST_HEADERS:${spelling}`, Value: 'CANARY' }), {
        Key: `REQUEST_HEADERS:${spelling}`,
        Value: '[masked]',
      });
      assert.equal(
        maskSecrets(`GET / HTTP/1.1\r\nHost: a.b\r\n${spelling}: CANARY; x=CANARY\r\nAccept: */*`),
        `GET / HTTP/1.1\r\nHost: a.b\r\n${spelling}:[masked]\r\nAccept: */*`,
      );
    }
  }
});

test('a password in a body of any form is masked, and what stands around it is not', () => {
  for (const name of PASSWORDS) {
    const bodies = [
      [`{"user":"ann","${name}":"CANARY","n":1} y`, `{"user":"ann","${name}":[masked],"n":1} y`],
      [`x {"a":{"${name}" : "CAN\\"ARY"},"n":1} y`, `x {"a":{"${name}" : [masked]},"n":1} y`],
      [`{'${name}': 'CANARY', 'n': 1} y`, `{'${name}': [masked], 'n': 1} y`],
      [`found {\\"${name}\\":\\"CANARY\\",\\"n\\":1}`, `found {\\"${name}\\":[masked],\\"n\\":1}`],
      [`<a><${name}>CANARY</${name}><n>1</n></a>`, `<a><${name}>[masked]</${name}><n>1</n></a>`],
      [`<${name} type="x"><![CDATA[CANARY]]></${name}>`, `<${name} type="x">[masked]</${name}>`],
      [`<login ${name}="CANARY" n="1"/>`, `<login ${name}=[masked] n="1"/>`],
      [
        `--b\r\nx: y; name="${name}"\r\n\r\nCANARY\r\n--b--`,
        `--b\r\nx: y; name="${name}"\r\n\r\n[masked]\n--b--`,
      ],
      [`user=ann&${name}=CANARY&n=1`, `user=ann&${name}=[masked]&n=1`],
      [`%7B%22${name}%22%3A%22CANARY%22%7D`, `%7B%22${name}%22%3A[masked]%7D`],
    ];
    for (const [body = '', left] of bodies) assert.equal(maskSecrets(body), left);
    assert.equal(
      masked(`{"user":"ann","${name}":"CANARY","n":1}`),
      `{"user":"ann","${name}":"[masked]","n":1}`,
      'JSON stays JSON',
    );
  }
});

test('what is called a value belongs to the name beside it', () => {
  for (const value of ['Value', 'OldValue', 'newValue', 'StringValue'])
    assert.deepEqual(masked({ Name: 'AccessKey', [value]: 'CANARY', Kind: 'x' }), {
      Name: 'AccessKey',
      [value]: '[masked]',
      Kind: 'x',
    });
});

test('credentials of each kind are masked by their shape in any text and URL, through percent-encoding', () => {
  for (const [before, secret] of CREDENTIALS) {
    for (const mask of [maskSecrets, maskUrlSecrets]) {
      assert.equal(mask(`/a/${before}${secret} b`), `/a/${before}[masked] b`, secret);
      assert.equal(mask(`/a#${before}${secret}`), `/a#${before}[masked]`);
      assert.equal(mask(`/a?x=${before}${secret}`), `/a?x=${before}[masked]`);
      const encoded = encodeURIComponent(`${before}${secret}`).replaceAll('-', '%2D').replaceAll('.', '%2E');
      assert.match(mask(`/a?x=${encoded}`), /^\/a\?x=[^&]*\[masked\]$/, encoded);
      assert.ok(!mask(`/a?x=${encoded}`).includes(secret.slice(-6)), encoded);
    }
  }
  const pem = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----';
  assert.equal(
    maskSecrets(`x ${pem} y`),
    'x -----BEGIN EC PRIVATE KEY-----[masked]-----END EC PRIVATE KEY----- y',
  );
  assert.equal(maskSecrets(pem.slice(0, -30)), '-----BEGIN EC PRIVATE KEY-----[masked]', 'cut off');
  assert.equal(maskSecrets('"https:\\/\\/u:CANARY@a.b\\/c"'), '"https:\\/\\/u:[masked]@a.b\\/c"');
  for (const plain of ['Basic Crawler', '/eyJidWNrZXQiOiJhIn0.png', '/xoxo-2024-valentine-offers', 'AKIA'])
    assert.equal(maskSecrets(plain), plain);
});

test('a credential is known by its shape where no name goes before it', () => {
  assert.equal(maskSecrets('sent Bearer abcdef0123456789 twice'), 'sent Bearer [masked] twice');
  assert.equal(maskSecrets('sent Basic dXNlcjpwYXNz='), 'sent Basic [masked]');
  assert.equal(maskSecrets('jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2ln end'), 'jwt [masked] end');
});

test('a parameter of a URL that opens something for once is masked', () => {
  for (const name of PARAMETERS)
    assert.equal(maskUrlSecrets(`/cb?a=1&${name}=CANARY&b=2`), `/cb?a=1&${name}=[masked]&b=2`);
});

test('what only resembles a secret stays as it came', () => {
  const plain = [
    'Matched Data: union select found within ARGS:q: 1 union select',
    '{"user":"ann","country_code":"DE","policyId":7}',
    '/?country_code=DE&zipcode=1&author=x&monkey=1&cache_policy=2',
    '<name>x</name>',
    'name="file"\r\n\r\nhello\r\n--b',
    'Host: a.b\r\nAccept: */*',
    'errorKey: "validation"',
  ];
  for (const text of plain) assert.equal(maskSecrets(text), text);
  const fields = {
    errorKey: 'x',
    ErrorKey: 'y',
    continuationToken: 't',
    code: 'c',
    Key: 'ARGS:q',
    ticket: 1,
  };
  assert.deepEqual(masked(fields), fields);
});

test('no value survives between any pieces of bodies', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '"',
    "'",
    ',',
    ':',
    '<a>',
    '</a>',
    '\r\n',
    '\n',
    '\\',
    '--b',
    '&',
    '=',
    ' ',
    '%22',
    'x',
  );
  const junk = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const carrier = fc.constantFrom(
    (v: string) => `"password":"${v}"`,
    (v: string) => `<password>${v}</password>`,
    (v: string) => `\nX-Vault-Token: ${v}\r\n`,
    (v: string) => `name="password"\r\n\r\n${v}\r\n--b`,
  );
  fc.assert(
    fc.property(junk, carrier, junk, (before, carry, after) => {
      const shown = maskSecrets(`${before}\n${carry('CANARY')}${after}`);
      assert.ok(!shown.includes('CANARY'), shown);
    }),
    { numRuns: runs(300), seed: 7 },
  );
});

test('a hostile body costs as much as it is long, not the square of its length', () => {
  const parts = [
    '"a":',
    '"password":"',
    '<password>',
    '<a ',
    'name="password"',
    '\nToken:',
    '\\',
    "'",
    'Bearer ',
    'eyJ',
    'password="',
    '"password":[',
  ];
  for (const part of parts) {
    const work = (size: number) => maskSecrets(`token=${part.repeat(size / part.length)}`);
    assert.equal(excessGrowth(work, 65_536), null, part);
  }
});
