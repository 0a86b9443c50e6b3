import { explain } from '../../domain/failure.ts';
import type { PullZone } from '../../domain/zone.ts';
import { listHeight } from '../../state/list/layout.ts';
import type { State, ZonesView } from '../../state/model.ts';
import { fit, width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count, duration } from '../../text/units.ts';
import { cell, cursorSign, listLine, listLines, padLines, paragraphs } from '../row.ts';
import type { Badge, Look } from '../theme.ts';

export function zonesCrumb({ views, zones }: State): string {
  return views.length > 1 ? 'zones' : `zones${zones.narrow ? ` /${sanitise(zones.narrow, 'text')}` : ''}`;
}

/** What the program is connected to. The address of a simulator is a port that was free. */
export function accountsBadge({ demo, endpoint }: State): Badge {
  return { text: demo ? 'simulated account' : endpoint, slot: 'dim' };
}

/** How many zones there are, and what of them is known. */
export function zonesLine(state: State, _: ZonesView, look: Look): string {
  const { zones } = state;
  if (zones.items.length === 0) return '';
  const { items, total, nextPage, shieldOf } = zones;
  const shielded = items.filter((zone) => zone.shieldZoneId).length;
  const logging = items.filter((zone) => zone.logging).length;
  // Counts of the pages read are no counts of the account.
  const read = nextPage === null ? '' : `${count(items.length)} read: `;
  const shield = shieldOf ? `${count(shielded)} with Shield` : 'Shield not known yet';
  return look.paint(
    'dim',
    ` ${count(total ?? items.length)} zones  ${read}${count(logging)} with logging  ${shield}`,
  );
}

/** The picker: column titles, then one line a zone; in-between states have words of their own. */
export function zonesBody(state: State, view: ZonesView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const { zones } = state;
  const lines = [titles(columns, position(state, view), look)];
  const line = (zone: PullZone, isCursor: boolean) => zoneLine(zone, isCursor, columns, look);
  lines.push(...listLines(zones.shown, view, listHeight(state), line));
  if (lines.length === 1) {
    lines.push(...paragraphs(emptyWords(state), columns, look, 'text'));
  } else if (zones.loading.kind === 'loading') {
    const words = `reading more zones, ${duration(state.now - zones.loading.since)}; Esc cancels`;
    lines.push(listLine(words, false, columns, look, 'dim'));
  } else if (zones.loading.kind === 'failed' && lines.length < height) {
    const { what, next } = explain(zones.loading.failure);
    lines.push(listLine(`the list is not complete: ${what} ${next}`, false, columns, look, 'error'));
  }
  return padLines(lines, columns, height);
}

type Widths = { name: number; id: number; flags: number; hosts: number };

function widths(columns: number): Widths {
  const id = 9;
  const flags = 21;
  const left = columns - 1 - id - flags - 3;
  const name = Math.max(12, Math.min(32, Math.floor(left * 0.36)));
  return { name, id, flags, hosts: Math.max(0, left - name) };
}

function titles(columns: number, place: string, look: Look): string {
  const w = widths(columns);
  const text = ` ${fit('NAME', w.name)} ${fit('ID', w.id, 'right')} ${fit('LOGS  SHIELD', w.flags)} ${fit('HOSTNAMES', w.hosts)}`;
  return look.paint('header', fit(text, columns - place.length, 'left', ' ') + place);
}

function position(state: State, view: ZonesView): string {
  const { shown, items, total } = state.zones;
  if (shown.length === 0) return '';
  const of =
    shown.length === items.length ? (total ?? items.length) : `${shown.length} of ${total ?? items.length}`;
  return ` ${view.cursor + 1}/${of}`;
}

function zoneLine(zone: PullZone, isCursor: boolean, columns: number, look: Look): string {
  const w = widths(columns);
  const { on, off } = look.glyph;
  const mark = cursorSign(isCursor, look);
  const logging = zone.logging ? look.paint('success', `${on} on `) : look.paint('dim', `${off} off`);
  const shield =
    zone.shieldZoneId === undefined
      ? look.paint('dim', '?    ')
      : zone.shieldZoneId === null
        ? look.paint('dim', `${off} off`)
        : look.paint('success', `${on} on `);
  const state = zone.suspended
    ? look.paint('error', 'SUSPENDED')
    : zone.enabled
      ? '         '
      : look.paint('warning', 'DISABLED ');
  const name = look.paint(isCursor ? 'cursor' : 'text', cell(zone.name, w.name, look, 'text'));
  const id = look.paint('dim', cell(zone.id, w.id, look, 'strict', 'right'));
  const hosts = look.paint('dim', fit(hostWords(zone.hostnames, w.hosts, look), w.hosts));
  return `${mark}${name} ${id} ${logging} ${shield} ${state} ${hosts}`;
}

/** As many whole names as fit, and how many more there are: half a name can be another zone's. */
function hostWords(hostnames: readonly string[], columns: number, look: Look): string {
  const names = hostnames.slice(0, columns).map((each) => sanitise(each, 'text', columns * 4));
  const more = (shown: number) => (shown < hostnames.length ? ` +${hostnames.length - shown}` : '');
  const words = (shown: number) => names.slice(0, shown).join(' ') + more(shown);
  const fits = names.findLastIndex((_, at) => width(words(at + 1)) <= columns);
  if (fits >= 0) return words(fits + 1);
  return fit(names[0] ?? '', Math.max(0, columns - more(1).length), 'left', look.glyph.cut) + more(1);
}

function emptyWords(state: State): string[] {
  const { zones } = state;
  if (zones.loading.kind === 'failed') {
    const { what, meaning, next } = explain(zones.loading.failure);
    const { kind } = zones.loading.failure;
    const demo = kind === 'noKey' ? ['', 'To look around without an account: edgescope --demo'] : [];
    return ['', what, meaning, next, ...demo];
  }
  if (zones.loading.kind === 'loading') {
    return ['', `reading the zones, ${duration(state.now - zones.loading.since)}; Esc cancels`];
  }
  if (zones.narrow !== '') {
    const unread = zones.nextPage === null ? '' : ' among those read, and not all were: Ctrl-r reads again';
    return ['', `no zone matches${unread}; Esc shows all of them`];
  }
  return ['', zones.nextPage === null ? 'this account has no pull zones' : 'not read; Ctrl-r asks'];
}
