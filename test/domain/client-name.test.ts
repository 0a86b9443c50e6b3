import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientName } from '../../src/domain/logs/client-name.ts';
import { fc, runs, unicodeText } from '../support/properties.ts';

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const NAMES: Readonly<Record<string, string>> = {
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/142.0.0.0 Safari/537.36`]: 'Chrome 142 Win',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.3595.53`]:
    'Edge 142 Win',
  [`Mozilla/5.0 (Linux; Android 10; K) ${KHTML} Chrome/142.0.0.0 Mobile Safari/537.36`]: 'Chrome 142 Android',
  [`Mozilla/5.0 (Linux; Android 14; SM-S921B) ${KHTML} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`]:
    'Samsung 28 Android',
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/141.0.0.0 Safari/537.36`]: 'Chrome 141 CrOS',
  [`Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/120.0.0.0 Safari/537.36`]:
    'HeadlessChrome 120 Linux',
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0`]:
    'Opera 125 Mac',
  [`Mozilla/5.0 (Linux; Android 9; CUBOT X19) ${KHTML} Chrome/99.0.0.0 Mobile Safari/537.36`]:
    'Chrome 99 Android',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox 145 Linux',
  [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`]: 'Safari 18 iOS',
  [`${IPHONE} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`]: 'Chrome 142 iOS',
  [`${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/442.0.0.40.115;FBBV/1]`]: 'Facebook 442 iOS',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': 'Googlebot 2.1',
  [`Mozilla/5.0 ${KHTML}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36`]:
    'bingbot 2.0',
  'Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)': 'PetalBot',
  'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@example.com)': 'ClaudeBot 1.0',
  'Mozilla/5.0 (compatible; Bytespider; spider-feedback@example.com)': 'Bytespider',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)': 'facebookexternalhit 1.1',
  'curl/8.5.0': 'curl 8.5',
  'python-requests/2.31.0': 'python-requests 2.31',
  'okhttp/4.12.0': 'okhttp 4.12',
  'Go-http-client/1.1': 'Go-http-client 1.1',
  'sqlmap/1.8#stable (https://sqlmap.org)': 'sqlmap 1.8',
};

/** Of no form that is known: whatever is left out might be what tells. */
const WHOLE = [
  '',
  '-',
  'curl',
  'Mozilla/5.0',
  'Mozilla/5.0 zgrab/0.x',
  'Roku/DVP-12.0 (12.0.0 build 4182-88)',
  '(null) curl/8',
  '\u001b]52;c;cm0gLXJmIH4=\u0007curl/8',
  'see https://example.com/bot.html',
  'Mozilla/5.0 (compatible; research; bot@example.com)',
];

test('a client is named by its family and version', () => {
  for (const [userAgent, name] of Object.entries(NAMES)) assert.equal(clientName(userAgent), name);
});

test('a user agent of no known form stays whole', () => {
  for (const userAgent of WHOLE) assert.equal(clientName(userAgent), userAgent);
});

test('a name is never longer than what it names', () => {
  const words = fc.array(
    fc.constantFrom(
      'Mozilla/5.0',
      '(',
      ')',
      ' ',
      ';',
      'Chrome/142',
      'Windows',
      'bot',
      'Version/1',
      'Safari/',
      '/',
      '9',
    ),
    { maxLength: 12 },
  );
  const texts = fc.oneof(
    words.map((each) => each.join('')),
    unicodeText({ maxLength: 90 }),
  );
  fc.assert(
    fc.property(texts, (text) => clientName(text).length <= text.length),
    { numRuns: runs(100) },
  );
});

test('a hostile text of 60 kB costs what its beginning costs: what stands far behind is not looked at', () => {
  const robot = 'Googlebot/2.1';
  assert.equal(clientName(`Mozilla/5.0 (${' '.repeat(300)}${robot}`), 'Googlebot 2.1');
  for (const pump of ['x', '(', 'a/', '; ', '[', '9.']) {
    const text = `Mozilla/5.0 ${pump.repeat(60_000 / pump.length)} ${robot}`;
    assert.equal(clientName(text), text);
  }
});
