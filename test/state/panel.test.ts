import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/settings/config-file.ts';
import { PANEL_PAGES, type PanelTemplates, panelAddress } from '../../src/domain/handover/panel.ts';
import type { State } from '../../src/state/model.ts';
import hostile from '../data/hostile-strings.json' with { type: 'json' };
import { pressing } from '../support/pressed.ts';
import { inRows, rules } from '../support/shield.ts';
import { followedState, listedState, played, rowsOf, zoneOf } from '../support/state.ts';
import { storageZoneOf } from '../support/storage.ts';

const OWN: PanelTemplates = {
  ...PANEL_PAGES,
  rule: 'https://panel.example/{shield}/rules/{rule}',
  event: 'https://panel.example/{id}/events?of={event}',
};

function panelOf(state: State, keys = '<:panel>') {
  const { state: next, effects } = pressing(state, keys);
  const copied = effects.flatMap((effect) => (effect.type === 'copy' ? effect.text : []));
  return { copied, link: next.notice?.link, text: next.notice?.text ?? '' };
}

test('the page of the zone under the cursor is copied and linked, from the list, its log and the copy menu', () => {
  const zone = 'https://dash.bunny.net/cdn/2';
  const listed = listedState([zoneOf('1', 'shop'), zoneOf('2', 'api')]);
  const { copied, link, text } = panelOf(listed, 'j<:panel>');
  assert.deepEqual([copied, link, text], [[zone], zone, `${zone} copied`]);
  const log = followedState(rowsOf(0, 3));
  assert.deepEqual(panelOf(log).copied, ['https://dash.bunny.net/cdn/1']);
  assert.deepEqual(panelOf(log, 'yG<Enter>').copied, ['https://dash.bunny.net/cdn/1']);
  const sent = played(pressing(log, '<:panel>').state, { type: 'copied', length: 28, isSent: true }).state;
  assert.equal(sent.notice?.link, 'https://dash.bunny.net/cdn/1');
});

test('a log of several zones opens the page of the row under the cursor', () => {
  const zones = [zoneOf('1', 'shop'), zoneOf('2', 'api')];
  const opened = pressing(listedState(zones), ' j <Enter>').state;
  assert.match(panelOf(opened).text, /a row chooses one/);
  assert.deepEqual(panelOf(opened).copied, []);
});

test('of Shield nothing is known but the zone, which is said; a profile can say more', () => {
  const { copied, text } = panelOf(rules);
  assert.deepEqual(copied, ['https://dash.bunny.net/cdn/1']);
  assert.match(text, /the page of the zone: nobody knows that of the rule; "panel" in a profile sets it/);
  const withOwn = (state: State) => ({ ...state, handover: { ...state.handover, panel: OWN } });
  assert.deepEqual(panelOf(withOwn(rules)).copied, ['https://panel.example/9/rules/A']);
  const [event] = panelOf(withOwn(inRows(3))).copied;
  assert.match(event ?? '', /^https:\/\/panel\.example\/1\/events\?of=\w+$/);
});

test('a storage zone has its page, and what has none says so', () => {
  const zones = [storageZoneOf({ id: '7', name: 'press-images' })];
  const listed = pressing(listedState([]), '<:storage>').state;
  const state: State = { ...listed, storage: { ...listed.storage, items: zones } };
  assert.deepEqual(panelOf(state).copied, ['https://dash.bunny.net/storage/7/file-manager']);
  assert.match(panelOf(pressing(state, '<:keys>').state).text, /no page of these API keys/);
});

test('no text that the platform sends leaves its place in an address', () => {
  const texts = hostile.map(({ input, repeat }) => input ?? repeat?.text ?? '');
  for (const text of [
    ...texts,
    '../../admin',
    '..',
    '.',
    '',
    'a/b?c#d',
    '%2e%2e',
    '@evil.example',
    '\ud800',
  ]) {
    const found = panelAddress(OWN, ['rule'], { shield: '9', rule: text });
    if (found === null) continue;
    assert.match(found.url, /^https:\/\/panel\.example\/9\/rules\/[\w.~%-]+$/, JSON.stringify(text));
    const { host, pathname, search, hash } = new URL(found.url);
    assert.deepEqual([host, search, hash], ['panel.example', '', ''], JSON.stringify(text));
    assert.equal(decodeURIComponent(pathname.slice('/9/rules/'.length)), text.toWellFormed());
  }
  assert.equal(panelAddress(OWN, ['rule'], { shield: '9', rule: '..' }), null);
});

test('a profile names pages and https addresses, and a mistake is told at its place', () => {
  const read = (panel: string) =>
    parseConfig(`{ "profiles": { "default": {\n"panel": ${panel} } } }`, 'config.json');
  assert.ok(read('{ "event": "https://panel.example/{id}/events/{event}" }').ok);
  for (const [panel, column] of [
    ['{ "event": "http://panel.example/{id}" }', 21],
    ['{ "event": "https://{rule}.example/" }', 21],
    ['{ "event": "https://panel.example/{ip}" }', 21],
    ['{ "event": "https://panel.example/\\u001b]8;;" }', 21],
    ['{ "events": "https://panel.example/" }', 12],
    ['["https://panel.example/"]', 10],
  ] as const) {
    const refused = read(panel);
    assert.ok(!refused.ok && refused.error.message.startsWith(`config.json:2:${column}: `), panel);
  }
});
