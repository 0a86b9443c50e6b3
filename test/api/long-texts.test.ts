import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pullZone } from '../../src/api/account-calls.ts';
import { parseJson } from '../../src/api/http/json.ts';
import { scrubber } from '../../src/api/http/origin.ts';
import { errorOf, retryAfterOf } from '../../src/api/http/response.ts';
import { logRecordOf } from '../../src/api/schemas/log-row.ts';
import { logRecordOfLine } from '../../src/api/schemas/log-v1.ts';
import { createSavedLineReader } from '../../src/api/schemas/saved-log.ts';
import { shieldAnswerOf, shieldDayOf } from '../../src/api/shield-calls.ts';
import { timestampOf } from '../../src/api/timestamp.ts';
import { fragmentShape } from '../../src/domain/clients/traffic-profile.ts';
import { codeSpan, proseLine } from '../../src/domain/handover/line-formats.ts';
import { withPseudonyms } from '../../src/domain/handover/pseudonyms.ts';
import { shieldDetail } from '../../src/domain/shield/shield.ts';
import { parseStyledLine } from '../../src/terminal/styled-text.ts';
import { firstOf, fit, wrapText } from '../../src/text/fit.ts';
import { maskSecrets, maskUrlSecrets } from '../../src/text/mask.ts';
import { sanitise, unsanitise } from '../../src/text/sanitise.ts';
import { Secret } from '../../src/text/secret.ts';
import { isSecretField } from '../../src/text/secret-values.ts';
import { shellCommand } from '../../src/text/shell-command.ts';
import { excessGrowth } from '../support/growth.ts';
import { logEntry } from './support.ts';

const LONG = 32_768;
const ASKED = { page: 0, pageSize: 100 };

const PUMPS = [
  'a',
  's',
  'countsed',
  '1',
  '1.',
  ':',
  '::1',
  ' ',
  '\n',
  '%25',
  '%2F',
  '//',
  '//a:b@',
  'token=',
  '?a=b&',
  '"',
  '""',
  '\\',
  '\x1b[',
  '|',
  '{',
  '[',
  '<',
  'é',
  '日',
  '\u202e',
  '\ud800',
  '_',
  '"key":',
  'key="',
  '<key>',
  '<a ',
  'name="key" ',
  'Cookie:',
  'Bearer ',
  'eyJaaaaaaaa.',
];

const line = createSavedLineReader();

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the name of a context': (text) => group({ key: { a: 'b' }, context: { [text]: 1 } }),
  'a value of a context': (text) => group({ key: { a: 'b' }, context: { ruleIds: text } }),
  'the name of a dimension': (text) => group({ key: { [text]: 'b' } }),
  'the key of a group': (text) => group({ key: { a: text } }),
  'a group of another shape': (text) => shieldAnswerOf({ groups: [text, { key: text }] }, 0, ASKED),
  'an event': (text) =>
    shieldAnswerOf(
      { rows: [{ timestamp: text, fields: { [text]: text }, log: { [text]: text } }] },
      0,
      ASKED,
    ),
  'an event of a day': (text) => shieldDayOf({ logs: [{ timestamp: 1e12, labels: {}, log: text }] }, 0),
  'what is shown of an event': (text) =>
    shieldDetail({ Headers: [{ Name: text, Value: text }], TriggerMatch: text }),
  'each field of a row': (text) => {
    for (const name of Object.keys(logEntry())) logRecordOf({ ...logEntry(), [name]: text }, 0);
  },
  'a line of a day': (text) =>
    logRecordOfLine(`HIT|200|1785542400000|1|1|1.2.3.4|-|${text}|DE|${text}|id|DE`, 0),
  'a saved line': (text) => line(text, 0),
  'a saved line in quotes': (text) => line(`"${text}"`, 0),
  'an error': (text) => errorOf({ error: { code: text, message: text }, detail: text }),
  'a zone': (text) => pullZone.safeParse({ Id: text, Name: text, Hostnames: [{ Value: text }] }),
  'a number of JSON': (text) => parseJson(JSON.stringify([text, text])),
  'a time': (text) => timestampOf(text),
  'a pause that a server asks for': (text) => retryAfterOf(text, 0, 0),
  'a URL with secrets': (text) => maskUrlSecrets(`https://a.example/?token=${text}`),
  'a text with secrets': (text) => maskSecrets(`Cookie: key ${text}`),
  'the name of a field': (text) => isSecretField(text),
  'a word of a command': (text) => shellCommand([text]),
  'a text with our own key': scrubber({ accessKey: new Secret('a1:/"token='), token: null }, ''),
  'a forwarded line': (text) => line(`<1>1 - ${text} - - - [a@1 b="${text}"] ${text}`, 0),
  'a text shown': (text) => sanitise(text, 'strict') + sanitise(text, 'text'),
  'a text that is taken back': (text) => unsanitise(text),
  'a text in a column': (text) => fit(sanitise(text, 'text'), 40) + firstOf(text, 40),
  'a text in lines': (text) => wrapText(sanitise(text, 'text'), 80),
  'a line of cells': (text) => parseStyledLine(text),
  'a cell of Markdown': (text) => codeSpan(text),
  'a line of Markdown': (text) => proseLine(text),
  'a line with addresses': (text) => withPseudonyms([text], () => 1),
  'a fragment that a rule matched': (text) => fragmentShape(text),
};

for (const [name, read] of Object.entries(readers)) {
  test(`${name} of any length takes time in proportion to it`, () => {
    const slow = PUMPS.flatMap((pump) => {
      const attack = (size: number) => `${pump.repeat(Math.ceil(size / pump.length))}!`;
      const grown = excessGrowth((size) => read(attack(size)), LONG);
      return grown === null ? [] : [`${JSON.stringify(pump)}: ${grown.toFixed(0)} times`];
    });
    assert.deepEqual(slow, []);
  });
}

function group(fields: object): unknown {
  return shieldAnswerOf({ groups: [{ count: 1, ...fields }] }, 0, ASKED);
}
