import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kernelCodes } from '../../src/build/kernels.ts';

test('the code of each kernel is what its source compiles to', async () => {
  const codes = [...(await kernelCodes())];
  assert.equal(codes.length, 2);
  for (const [file, code] of codes) assert.equal(readFileSync(file, 'utf8'), code, 'run npm run kernels');
});
