import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptKernel, sealOf } from '../../src/build/kernel.ts';

test('the code of the kernel bears the seal of its sources, its compiler and itself', () => {
  const { code, seal } = keptKernel();
  assert.equal(Buffer.from(code, 'base64').subarray(0, 4).toString('latin1'), '\0asm');
  assert.equal(seal, sealOf(code), 'run npm run kernel');
  assert.notEqual(seal, sealOf(`${code.slice(0, -4)}AAAA`));
});
