import { ndjsonLine } from '../../domain/handover/line-formats.ts';
import { commandOf } from '../../domain/handover/place.ts';
import { gapLine } from '../../domain/handover/shapes.ts';
import { curlOf } from '../../domain/handover/wire-request.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { againOnTop, onTop } from '../../screens/screens.ts';
import { COPIES, type CopyId, type CopyOffer, type HandoverOverlay } from '../../state/handover-model.ts';
import { moved } from '../../state/list.ts';
import type { Acted } from '../../state/messages.ts';
import { noticed, reported, type State } from '../../state/model.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import { panelPage } from './panel-page.ts';

type CopyMenu = Extract<HandoverOverlay, { kind: 'copyMenu' }>;

/** Bytes of text: many terminals drop a sequence of more than 100,000, and this is what fits into one. */
const MOST_COPIED = 74_994;

const NO_COMMAND = 'it contains a name that a command line cannot hold';

/** The copy menu over the view. Its offers are taken now and stay while a live log moves on beneath. */
export function copyMenuOpened(state: State): State {
  const offers = COPIES.map((id) => offerOf(state, id));
  const cursor = Math.max(0, COPIES.indexOf(state.handover.copied ?? 'value'));
  return { ...state, overlay: { kind: 'copyMenu', offers, cursor, top: 0 } };
}

export function copyMenuCommanded(state: State, menu: CopyMenu, command: CommandId): Acted {
  const place = moved(menu, command, menu.offers.length, menu.offers.length);
  if (place) return { ...state, overlay: { ...menu, ...place } };
  const offer = menu.offers[menu.cursor];
  if (!offer) return null;
  if (command === 'showText') {
    const { text } = offer;
    return text === null ? state : { ...state, overlay: { kind: 'plain', text } };
  }
  if (command !== 'open' && command !== 'copy') return null;
  if (offer.text === null) return noticed(state, 'info', offer.whyNot);
  const handover = { ...state.handover, copied: offer.id };
  const next = { ...state, overlay: null, handover };
  return [next, [{ type: 'copy', text: offer.text }]];
}

/** What became of a copy. A terminal does not say whether it took it. */
export function copied(state: State, length: number, isSent: boolean): State {
  // The address of a page stands whole on the line that says it was copied.
  if (isSent && state.notice?.link !== undefined) return state;
  const text = isSent
    ? `copied ${count(length)} characters (OSC 52; if your terminal forbids it: y L shows it)`
    : `not copied: ${count(length)} characters, terminals take ${count(MOST_COPIED)}; :export writes a file, y L shows it`;
  return reported(state, isSent ? 'info' : 'warning', text);
}

function offerOf(state: State, id: CopyId): CopyOffer {
  switch (id) {
    case 'value': {
      const cell = onTop(state, 'cell');
      const value = typeof cell === 'string' ? null : cell.text;
      const text = value === null || value === '' ? null : sanitise(value, 'strict');
      return { id, text, whyNot: 'there is no value under the cursor', remark: '' };
    }
    case 'row': {
      const line = onTop(state, 'under')?.line;
      const shape = line?.kind === 'gap' ? gapLine(line.gap) : line?.shape();
      const text = shape ? ndjsonLine(shape) : null;
      return { id, text, whyNot: 'there is no row under the cursor', remark: '' };
    }
    case 'command': {
      const source = againOnTop(state);
      if (typeof source === 'string') return { id, text: null, whyNot: source, remark: '' };
      const remark = source.screen === 'ask' ? 'asks this again' : '';
      return { id, text: commandOf(source, state.handover.flags), whyNot: NO_COMMAND, remark };
    }
    case 'curl': {
      const asked = onTop(state, 'request');
      if (typeof asked === 'string') return { id, text: null, whyNot: asked, remark: '' };
      const { remark } = asked;
      const store = state.history?.name ?? '';
      const flags = [...state.handover.flags, ...(store === '' ? [] : ['--store', store])];
      const text = 'request' in asked ? curlOf(asked.request) : commandOf(asked.command, flags);
      return { id, text, whyNot: NO_COMMAND, remark };
    }
    case 'panel': {
      const page = panelPage(state);
      return typeof page === 'string'
        ? { id, text: null, whyNot: page, remark: '' }
        : { id, text: page.url, whyNot: '', remark: page.remark };
    }
  }
}
