import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from '../../src/api/origin.ts';

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
