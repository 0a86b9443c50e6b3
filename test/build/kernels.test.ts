import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KERNEL_FILES, keptKernel, sealOf } from '../../src/build/kernels.ts';

test('the code of each kernel bears the seal of its sources, its compiler and itself', () => {
  assert.equal(KERNEL_FILES.length, 1);
  for (const file of KERNEL_FILES) {
    const { code, seal } = keptKernel(readFileSync(file, 'utf8'));
    assert.equal(Buffer.from(code, 'base64').subarray(0, 4).toString('latin1'), '\0asm', file);
    assert.equal(seal, sealOf(code), `${file}: run npm run kernels`);
    assert.notEqual(seal, sealOf(`${code.slice(0, -4)}AAAA`), file);
  }
});
