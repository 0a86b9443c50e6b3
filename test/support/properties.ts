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

const CODE_POINTS = 0x110000;
const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any code point but half a pair; fast-check's `binary`, and with it `webUrl`, builds a table of all of them in each process: 86 MB in a second. */
const anyCharacter = fc
  .integer({ min: 0, max: CODE_POINTS - SURROGATES.count - 1 })
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count));

/** At most `maxLength` of any characters. */
export function unicodeText({ maxLength }: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...(maxLength === undefined ? {} : { maxLength }) });
}

/** An address with whatever it may hold, as browsers write it. */
export const anyUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.stringMatching(/^[a-z0-9]{1,12}(\.[a-z0-9]{1,8}){0,3}$/),
    unicodeText(),
    fc.option(unicodeText()),
  )
  .map(
    ([scheme, host, path, query]) =>
      `${scheme}://${host}/${encodeURI(path)}${query === null ? '' : `?${encodeURI(query)}`}`,
  );
