import type { Client } from '../api/client.ts';
import type { CommandLine } from '../config/command/command-line.ts';
import { exitCodeOf, explain } from '../domain/failure.ts';
import { changeSheet, storageSheet } from '../domain/handover/sheet.ts';
import { findStorageZone, notFoundWords, type StorageZone } from '../domain/storage/storage.ts';
import type { Journal } from '../domain/storage/storage-change.ts';
import {
  assignmentsOf,
  changesOf,
  hasErrors,
  inverseOf,
  isEmptyPatch,
  issuesOf,
  patchOf,
  type StorageDraft,
} from '../domain/storage/storage-edit.ts';
import { settlementWords, VERDICTS } from '../domain/storage/storage-verdict.ts';
import { carryOut, settleIntent } from '../effects/storage-write.ts';
import { sanitise } from '../text/sanitise.ts';
import { say } from '../text/say.ts';
import { shellCommand } from '../text/shell-command.ts';
import { endOf, FAILED, failed, type Printer, printSheet, wrongUsage, wrongUsageWith } from './printer.ts';
import { coverageOf, everyPage } from './zones-command.ts';

/** What a change needs: the calls that write, and the files of undo and audit. */
export type Writing = { client: Client; journal: Journal };

/** `writing`: null for whoever may only look. */
export type StoragePrinter = Printer & { writing: Writing | null };

/** `storage [zone] [set Field=value… --confirm <name> --write]`: lists, shows or changes; resolves to the exit code. */
export async function printStorage(o: StoragePrinter, line: CommandLine): Promise<number> {
  const { writing } = o;
  if (line.edit !== null && writing === null)
    return wrongUsage(o, 'nothing can be changed here; nothing was sent');
  const zones = await everyPage(o, 'storage');
  if (!zones.ok) return failed(o, zones.failure);
  if (line.zone === null) {
    await tellIntents(o, null);
    o.covered?.(coverageOf(zones.value, zones.unread));
    return printSheet(o, storageSheet(zones.value));
  }
  const found = findStorageZone(zones.value, line.zone);
  if (found.kind !== 'found') {
    const { own, names } = notFoundWords(line.zone, found);
    return wrongUsageWith(o, sanitise(names, 'text'), sanitise(own, 'text'));
  }
  await tellIntents(o, found.zone);
  const read = await o.client.storageZone(found.zone.id);
  if (!read.ok) return failed(o, read.failure);
  const zone = read.value;
  o.covered?.(coverageOf([zone]));
  return line.edit === null || writing === null
    ? printSheet(o, storageSheet([zone]))
    : change({ ...o, ...writing }, zone, line.edit.draft, line.edit.confirm);
}

async function change(
  o: Printer & Writing,
  zone: StorageZone,
  draft: StorageDraft,
  confirm: string,
): Promise<number> {
  if (confirm !== zone.name) {
    const why = `--confirm '${confirm}' is not the name of this zone, which is '${zone.name}'; nothing was sent`;
    return wrongUsage(o, sanitise(why, 'text'));
  }
  const issues = issuesOf(zone, draft);
  for (const { field, severity, message } of issues) {
    tell(o, `${severity === 'error' ? '' : 'note: '}${field}: ${message}`);
  }
  if (hasErrors(issues)) return wrongUsage(o, 'nothing was sent');
  const patch = patchOf(zone, draft);
  if (isEmptyPatch(patch)) {
    tell(o, 'the zone has these values already; nothing was sent');
    return printSheet(o, changeSheet(zone, draft, null));
  }
  for (const each of changesOf(zone, patch)) {
    tell(o, `${each.field}: ${(each.before ?? 'unknown') || 'none'} -> ${each.after}`);
    if (each.irreversible !== null) tell(o, `  IRREVERSIBLE: ${each.irreversible}`);
  }
  const { client, journal, clock } = o;
  const { signal } = endOf(o);
  const end = await carryOut({ client, journal, clock, change: { zone, patch }, signal });
  switch (end.kind) {
    case 'drift':
      for (const { name, before, after } of end.differences) {
        tell(o, `${name} was ${before || 'none'} and is ${after || 'none'}`);
      }
      tell(o, 'the zone was changed by somebody else meanwhile; nothing was sent');
      return FAILED;
    case 'unread':
      return failed(o, end.failure);
    case 'unrecorded':
      tell(o, `nothing was sent: undo and audit must be on the disk first. ${end.problem}`);
      return FAILED;
    case 'cancelled':
      tell(o, 'cancelled; nothing was sent');
      return FAILED;
    case 'verdict':
  }
  const { verdict, unrecorded, open } = end;
  await printSheet(o, changeSheet(zone, patch, end));
  tell(o, `${VERDICTS[verdict.kind]}: ${verdict.reasons.join('; ')}`);
  for (const { name, before, after } of verdict.sideEffects) {
    tell(o, `also changed: ${name}, from ${before || 'none'} to ${after || 'none'}`);
  }
  const { failure } = verdict;
  if (failure !== null) {
    const key = failure.errorKey === undefined ? '' : ` (${failure.errorKey})`;
    say(o.stderr, `${explain(failure, clock.now()).what}${key}`);
  }
  if (open !== null) tell(o, `look again then: edgescope storage ${open.zone.id}`);
  if (unrecorded !== null) tell(o, `the verdict is not in the audit file: ${unrecorded}`);
  if (verdict.kind !== 'notApplied') tellUndo(o, zone, patch);
  if (verdict.kind === 'applied' || verdict.kind === 'sideEffects') return 0;
  return failure === null ? FAILED : exitCodeOf(failure);
}

function tellUndo(o: Pick<Printer, 'stderr'>, zone: StorageZone, patch: ReturnType<typeof patchOf>): void {
  const inverse = inverseOf(zone, patch);
  for (const { field, why } of inverse.impossible) tell(o, `no undo for ${field}: ${why}`);
  if (isEmptyPatch(inverse.patch)) return;
  const words = assignmentsOf(inverse.patch);
  const command =
    words &&
    shellCommand(['edgescope', 'storage', zone.id, 'set', ...words, `--confirm=${zone.name}`, '--write']);
  say(o.stderr, `to undo: ${command ?? 'no command line can hold it; U on the zone takes it back'}`);
}

/** Changes of a run that died: reported, and settled where their zone is the one asked for. */
async function tellIntents(o: StoragePrinter, zone: StorageZone | null): Promise<void> {
  if (o.writing === null) return;
  const { journal } = o.writing;
  for (const intent of await journal.openIntents(o.clock.now())) {
    const name = `the change of ${intent.zone.name} at ${new Date(intent.at).toISOString()}`;
    if (intent.zone.id !== zone?.id) {
      tell(o, `${name} has no verdict, its program ended: look with edgescope storage ${intent.zone.id}`);
      continue;
    }
    const settlement = await settleIntent({ ...o, journal }, intent, new AbortController().signal);
    tell(o, `${name}, whose program ended: ${settlementWords(settlement)}`);
  }
}

function tell(o: Pick<Printer, 'stderr'>, text: string): void {
  say(o.stderr, sanitise(text, 'text'));
}
