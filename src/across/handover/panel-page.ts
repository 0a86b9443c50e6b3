import { type PanelPage, panelAddress } from '../../domain/handover/panel.ts';
import { onTop, screenOf } from '../../screens/screens.ts';
import { shieldZoneOf } from '../../state/log-zones.ts';
import type { Step } from '../../state/messages.ts';
import { noticed, type State } from '../../state/model.ts';
import type { Shown } from '../../state/screen.ts';
import { topView } from '../../state/view-stack.ts';

/** A page of the dashboard; `remark` says where it is not that of the very line. */
type Page = { url: string; remark: string };

/** The page of what is under the cursor, copied and linked. */
export function panelOpened(state: State): Step {
  const page = panelPage(state);
  if (typeof page === 'string') return [noticed(state, 'info', page), []];
  const { url, remark } = page;
  const text = `${url} copied${remark === '' ? '' : `; ${remark}`}`;
  return [{ ...state, notice: { tone: 'info', text, link: url } }, [{ type: 'copy', text: url }]];
}

/** The page of what is under the cursor, or of what it belongs to; or why there is none. */
export function panelPage(state: State): Page | string {
  const view = topView(state);
  const shown = screenOf(view).panel?.(state, view) ?? inLog(state);
  if (typeof shown === 'string') return shown;
  const [closest] = shown.pages;
  const found = panelAddress(state.handover.panel, shown.pages, shown.thing);
  if (found === null) return 'the dashboard has no page of this that is known';
  const what = closest === 'shield' ? 'Shield zone' : closest;
  const remark = `the page of the ${found.page}: nobody knows that of the ${what}; "panel" in a profile sets it`;
  return { url: found.url, remark: found.page === closest ? '' : remark };
}

/** The zone of the line, or the only one; in Shield its event or rule. */
function inLog(state: State): Shown | string {
  const view = topView(state);
  const asked = screenOf(view).askedOf?.(state, view) ?? onTop(state, 'about');
  if (typeof asked === 'string') return asked;
  const under = onTop(state, 'under');
  const [only, ...others] = asked?.zones ?? [];
  const zone = others.length === 0 ? only : asked?.zones.find(({ id }) => id === under?.zone);
  if (!zone) return only ? 'this log has several zones: a row chooses one' : 'saved logs have no page';
  const id = zone.id === '' ? {} : { id: zone.id };
  if (asked?.subject !== 'shield') return { thing: id, pages: ['zone'] };
  const event = under?.one?.kind === 'event' ? under.one.event : null;
  const cell = onTop(state, 'cell');
  const value = typeof cell === 'string' || typeof cell.asked === 'string' ? null : cell.asked;
  const rule = value?.field === 'rule' ? value.value : (event?.fields['ruleId'] ?? null);
  const shield = shieldZoneOf(state, zone) ?? null;
  const closest: PanelPage[] = event ? ['event'] : rule === null ? [] : ['rule'];
  const thing = {
    ...id,
    ...(shield !== null && { shield }),
    ...(rule !== null && { rule }),
    ...(event?.logId != null && { event: event.logId }),
  };
  return { thing, pages: [...closest, 'shield', 'zone'] };
}
