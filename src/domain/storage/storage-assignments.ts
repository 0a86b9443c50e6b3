import { nearestNames } from '../query/nearest.ts';
import type { StorageZonePatch } from './storage.ts';
import {
  fieldsIn,
  STORAGE_FIELD_NAMES,
  STORAGE_FIELDS,
  type StorageDraft,
  wantedIn,
} from './storage-edit.ts';

type Assigned = { ok: true; draft: StorageDraft } | { ok: false; message: string };

/**
 * `Field=value` words → a draft. Names are the API's, in any case; regions are separated by commas and add to those the
 * zone has; a switch is `true` or `false`. What a value may be is judged against the zone, later.
 */
export function readAssignments(words: readonly string[]): Assigned {
  let draft: StorageDraft = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at <= 0) return { ok: false, message: `'${word}' is no Field=value` };
    const name = word.slice(0, at);
    const value = word.slice(at + 1);
    const field = STORAGE_FIELD_NAMES.find((each) => each.toLowerCase() === name.toLowerCase());
    if (field === undefined) {
      const [near] = nearestNames(name, STORAGE_FIELD_NAMES);
      const names = near === undefined ? `; fields: ${STORAGE_FIELD_NAMES.join(', ')}` : `; nearest: ${near}`;
      return { ok: false, message: `no field is called '${name}'${names}` };
    }
    if (draft[field] !== undefined) return { ok: false, message: `${field} is given twice` };
    const given = STORAGE_FIELDS[field].read(value);
    if (given === null) return { ok: false, message: `${field} takes true or false, not '${value}'` };
    draft = { ...draft, [field]: given };
  }
  if (words.length === 0) {
    return { ok: false, message: `set needs Field=value; fields: ${STORAGE_FIELD_NAMES.join(', ')}` };
  }
  return { ok: true, draft };
}

/** The `Field=value` words that a patch is read from; null where one of them would show a secret. */
export function assignmentsOf(patch: StorageZonePatch): string[] | null {
  const fields = fieldsIn(patch);
  const values = fields.map((field) => {
    const value = patch[field];
    return typeof value === 'object' ? value.join(' ') : String(value);
  });
  if (fields.some((field, i) => wantedIn(patch, field) !== values[i])) return null;
  return fields.map((field, i) => `${field}=${values[i]}`);
}
