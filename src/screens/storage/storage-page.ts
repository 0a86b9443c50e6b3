import { explain } from '../../domain/failure.ts';
import type { ChangeEnd } from '../../domain/storage/storage-change.ts';
import {
  changesOf,
  inverseOf,
  isEmptyPatch,
  issuesOf,
  patchOf,
  type StorageChange,
  shownPatch,
  wantedIn,
} from '../../domain/storage/storage-edit.ts';
import { VERDICTS, type Verdict } from '../../domain/storage/storage-verdict.ts';
import type { CommandId } from '../../keys/bindings.ts';
import type { StorageEditView } from '../../state/account-model.ts';
import { layoutOf } from '../../state/list/screen-layout.ts';
import { scrolled } from '../../state/list.ts';
import type { State } from '../../state/model.ts';
import { clockZone } from '../../state/model.ts';
import { readingTold } from '../../state/request-log.ts';
import { wrapText } from '../../text/fit.ts';
import { asciiJson, sanitise } from '../../text/sanitise.ts';
import { duration, timeOfDay } from '../../text/units.ts';

/** A paragraph or line of the page, and its tone. */
type Said = { tone: 'text' | 'dim' | 'title' | 'success' | 'warning' | 'error' | 'down'; text: string };

const said =
  (tone: Said['tone']) =>
  (text: string): Said => ({ tone, text });
const plain = said('text');
const dim = said('dim');
const title = said('title');
const warning = said('warning');
const error = said('error');

/** All of an edit but its form, in lines: preview, dialog, the change under way, and how it ended. */
export function storagePage(state: State, view: StorageEditView): Said[] {
  return paragraphsOf(state, view).flatMap(({ tone, text }) =>
    wrapText(text, state.size.columns - 2).map((line) => ({ tone, text: line })),
  );
}

/** Scrolls the page, as far as it goes; null when the command does not scroll. */
export function pageScrolled(
  state: State,
  view: StorageEditView,
  command: CommandId,
): StorageEditView | null {
  const top = scrolled(view.top, command, storagePage(state, view).length, layoutOf(state).body.height);
  return top === null ? null : { ...view, top };
}

function paragraphsOf(state: State, view: StorageEditView): Said[] {
  const { stage } = view;
  switch (stage.kind) {
    case 'opening':
      return [dim(readingTold(`reading ${nameOf(view)} afresh`, stage.since, state))];
    case 'unopened': {
      const { what, meaning, next } = explain(stage.failure, state.now);
      return [error(what), plain(meaning), plain(next), dim('Ctrl-r tries again, Esc goes back')];
    }
    case 'preview':
      return preview(state, view);
    case 'confirming':
      return [...dialog(state, view), ...preview(state, view)];
    case 'writing':
      return writing(state, view);
    case 'ended':
      return ended(state, view, stage.end);
    case 'editing':
      return [];
  }
}

/** What the bottom line waits for, and why it refused what was typed. */
function dialog(state: State, view: StorageEditView): Said[] {
  const mistake = state.prompt?.error;
  return [
    title(`To send this, type the name of the zone: ${nameOf(view)}`),
    ...(mistake ? [error(`${mistake.message}; ${mistake.hint}`)] : []),
    plain(''),
  ];
}

function preview(state: State, view: StorageEditView): Said[] {
  const patch = patchOf(view.zone, view.draft);
  const changes = changesOf(view.zone, patch);
  const warnings = issuesOf(view.zone, view.draft).filter((issue) => issue.severity === 'warning');
  const { undo } = view;
  return [
    ...(undo
      ? [plain(`Takes back the change of ${timeOfDay(undo.at, { zone: clockZone(state), date: true })}.`)]
      : []),
    ...(undo?.inverse.impossible ?? []).map(({ field, why }) => warning(`Stays: ${field}. ${why}.`)),
    ...changes.flatMap(changeWords),
    ...warnings.map((issue) => warning(`Note on ${issue.field}: ${issue.message}`)),
    plain(''),
    dim('The request, sent once:'),
    plain(`POST /storagezone/${view.zone.id} HTTP/1.1`),
    plain(`Host: ${sanitise(state.endpoint, 'strict', 200)}`),
    plain('Content-Type: application/json'),
    plain(asciiJson(shownPatch(patch))),
    ...(shownPatch(patch).OriginUrl === patch.OriginUrl
      ? []
      : [dim('(what opens the origin is masked here, and sent as typed)')]),
    plain(''),
    dim(
      isEmptyPatch(patch)
        ? 'Nothing differs from the zone as it is.'
        : 'Enter asks for the name of the zone, Esc goes back to the form.',
    ),
  ];
}

function changeWords(change: StorageChange): Said[] {
  const before = change.before === null ? 'unknown' : change.before === '' ? 'none' : change.before;
  const text = `${change.field}:  ${sanitise(before, 'strict')}  ->  ${sanitise(change.after, 'strict')}`;
  return [
    { tone: 'title', text },
    ...(change.irreversible === null ? [] : [error(`  IRREVERSIBLE: ${change.irreversible}`)]),
  ];
}

const STEP_WORDS = {
  checking:
    'reading the zone again, and writing undo and audit to the disk. Nothing is sent yet; Esc cancels',
  posting: 'the request is on its way. It is sent once, and ends within 20 s',
  verifying: 'reading the zone back to see what the request did. Esc stops looking',
} as const;

function writing(state: State, view: StorageEditView): Said[] {
  const { job } = state.storage;
  if (!job) return [];
  return [
    title(`${job.step.toUpperCase()} ${duration(state.now - job.since)}`),
    plain(STEP_WORDS[job.step]),
    plain(''),
    ...changesOf(view.zone, job.change.patch).flatMap(changeWords),
  ];
}

function ended(state: State, view: StorageEditView, end: ChangeEnd): Said[] {
  const back = dim('Enter or Esc goes back to the preview.');
  switch (end.kind) {
    case 'cancelled':
      return [title('CANCELLED'), plain('Nothing was sent.'), back];
    case 'unrecorded':
      return [
        error('NOTHING WAS SENT'),
        plain(
          'A change is only made when what it would take to undo it is on the disk, and it could not be written.',
        ),
        warning(sanitise(end.problem, 'text')),
        plain('Make room, or set XDG_STATE_HOME to a directory that can be written.'),
        back,
      ];
    case 'unread': {
      const { what, meaning, next } = explain(end.failure, state.now);
      return [
        error('NOTHING WAS SENT'),
        plain('The zone could not be read again.'),
        warning(what),
        plain(meaning),
        plain(next),
        back,
      ];
    }
    case 'drift':
      return drift(view, end);
    case 'verdict':
      return verdict(state, view, end);
  }
}

/** Three versions: as the user saw it, as it is now, and as the change would have it. */
function drift(view: StorageEditView, end: Extract<ChangeEnd, { kind: 'drift' }>): Said[] {
  const patch = patchOf(view.zone, view.draft);
  const changes = changesOf(view.zone, patch);
  const readAs: Record<string, string> = { ReplicationZones: 'ReplicationRegions' };
  const yours = new Map(changes.map((each) => [readAs[each.field] ?? each.field, each]));
  const value = (text: string) => sanitise(text === '' ? 'none' : text, 'strict', 200);
  const moved = end.differences.flatMap(({ name, before, after }): Said[] => [
    title(name),
    dim(`  you saw   ${value(before)}`),
    warning(`  now       ${value(after)}`),
    plain(`  you want  ${yours.has(name) ? value(yours.get(name)?.after ?? '') : 'as it is'}`),
  ]);
  const still = changes.filter(
    (each) => !end.differences.some(({ name }) => name === (readAs[each.field] ?? each.field)),
  );
  return [
    error('NOTHING WAS SENT: the zone was changed by somebody else since you looked'),
    ...moved,
    ...still.flatMap((each): Said[] => [
      title(each.field),
      dim(`  you saw   ${each.before === null ? 'unknown' : value(each.before)}`),
      plain(`  now       ${each.before === null ? 'unknown' : value(each.before)}`),
      plain(`  you want  ${value(each.after)}`),
    ]),
    plain(''),
    dim('Enter goes back to the form with the zone as it is now; your values are kept.'),
  ];
}

const VERDICT_TONES = {
  applied: 'success',
  sideEffects: 'warning',
  notApplied: 'error',
  unknown: 'down',
} as const;

function verdict(state: State, view: StorageEditView, end: Extract<ChangeEnd, { kind: 'verdict' }>): Said[] {
  const { verdict: found } = end;
  const patch = patchOf(view.zone, view.draft);
  return [
    { tone: VERDICT_TONES[found.kind], text: VERDICTS[found.kind] },
    ...found.reasons.map((reason) => plain(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`)),
    ...fieldWords(found, patch, view),
    ...found.sideEffects.map(({ name, before, after }) =>
      warning(
        `Also changed: ${name}, from ${sanitise(before || 'none', 'strict', 200)} to ${sanitise(after || 'none', 'strict', 200)}`,
      ),
    ),
    ...failureWords(state, found, view),
    plain(''),
    ...undoWords(view, found, end.undoFile),
    ...(end.unrecorded === null
      ? []
      : [warning(`The verdict is not in the audit file: ${sanitise(end.unrecorded, 'text')}`)]),
    dim(
      found.kind === 'notApplied'
        ? 'Enter goes back to the form, Esc as well.'
        : 'Enter or Esc goes back to the settings.',
    ),
  ];
}

function fieldWords(found: Verdict, patch: ReturnType<typeof patchOf>, view: StorageEditView): Said[] {
  return found.fates.map(({ field, fate, after }) => {
    const wanted = sanitise(wantedIn(patch, field), 'strict', 200);
    const said = view.refusal?.field === field ? `  The API: ${view.refusal.message}` : '';
    if (fate === 'applied') return { tone: 'success', text: `  ${field} is ${wanted}` };
    if (fate === 'unseen') return warning(`  ${field} should be ${wanted}; it cannot be seen${said}`);
    return {
      tone: 'error',
      text: `  ${field} is ${sanitise(after || 'none', 'strict', 200)}, not ${wanted}${said}`,
    };
  });
}

/** What the API answered; what it said of a field stands at the field. */
function failureWords(state: State, found: Verdict, view: StorageEditView): Said[] {
  if (found.failure === null) return [];
  const atField = view.refusal !== null && view.refusal.field !== null;
  const { what } = explain(
    atField ? { ...found.failure, detail: '', field: null } : found.failure,
    state.now,
  );
  return [warning(what)];
}

function undoWords(view: StorageEditView, found: Verdict, undoFile: string): Said[] {
  if (found.kind === 'notApplied') return [];
  const inverse = inverseOf(view.zone, patchOf(view.zone, view.draft));
  return [
    ...(isEmptyPatch(inverse.patch)
      ? []
      : [plain(`U in the settings takes back: ${Object.keys(inverse.patch).join(', ')}`)]),
    ...inverse.impossible.map(({ field, why }) => plain(`No undo for ${field}: ${why}`)),
    dim(`Undo file: ${sanitise(undoFile, 'text')}`),
  ];
}

function nameOf(view: StorageEditView): string {
  return sanitise(view.zone.name, 'text', 60);
}
