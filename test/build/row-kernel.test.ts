import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rowKernelCode } from '../../src/build/row-kernel.ts';

test('the code of the kernel is what its source compiles to', async () => {
  const kept = join(import.meta.dirname, '..', '..', 'src', 'kernel', 'row-kernel-code.ts');
  assert.equal(readFileSync(kept, 'utf8'), await rowKernelCode(), 'run npm run kernel');
});
