import fc from 'fast-check';

/** `npm test` tries the same inputs each time; `npm run test:fuzz` sets another seed and tells it. */
export const SEED = Number(process.env['EDGESCOPE_TEST_SEED'] ?? 20_260_101);

/** How many times as many inputs as usual are tried. */
const TIMES = Number(process.env['EDGESCOPE_TEST_TIMES'] ?? 1);

fc.configureGlobal({ seed: SEED });

export { fc };

/** How many inputs to try, where it is `usual` in `npm test`. */
export function runs(usual: number): number {
  return Math.ceil(usual * TIMES);
}
