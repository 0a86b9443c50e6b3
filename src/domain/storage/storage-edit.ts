import { maskUrlSecrets } from '../../text/mask.ts';
import { nearestNames } from '../query/nearest.ts';
import { REGION_CODES, type StorageZone, type StorageZonePatch } from './storage.ts';

export type StorageField = keyof StorageZonePatch;

/** The zone that the user wants: touched fields only. Regions that it has need not be named. */
export type StorageDraft = StorageZonePatch;

/** A remark on one field. An error keeps the change from being sent, a warning does not. */
type StorageIssue = { field: StorageField; severity: 'error' | 'warning'; message: string };

/** One line of the preview. `before: null` = nobody can know it, which differs from empty. */
export type StorageChange = {
  field: StorageField;
  before: string | null;
  after: string;
  /** Why it cannot be taken back; null = it can. */
  irreversible: string | null;
};

/** What reverts a change, and the fields that nothing reverts. */
export type StorageInverse = {
  patch: StorageZonePatch;
  impossible: readonly { field: StorageField; why: string }[];
};

type FieldRow = {
  /** Its name when read; null where it cannot be read. */
  readAs: string | null;
  /** What to know before changing it. */
  note: string;
  /** The value of a word on the command line; null = invalid. */
  read: (word: string) => string | boolean | readonly string[] | null;
  /** Values offered before the zone is known; empty where any text may stand. */
  offered: readonly string[];
  /** The value that a later change can restore; null where nothing can, which `lost` explains. */
  present: (zone: StorageZone) => string | boolean | null;
  lost: (zone: StorageZone, patch: StorageZonePatch) => string;
};

const ALL_REGIONS = [...new Set([...REGION_CODES.standard, ...REGION_CODES.edge])].sort();

/** The fields that can be written, by the API's own names. */
export const STORAGE_FIELDS: Readonly<Record<StorageField, FieldRow>> = {
  ReplicationZones: {
    readAs: 'ReplicationRegions',
    note: 'A region can be added, never removed.',
    read: regionCodes,
    offered: ALL_REGIONS,
    present: () => null,
    lost: (zone, patch) => `${addedRegions(zone, patch).join(' ')} for ever: a region can never be removed`,
  },
  OriginUrl: {
    readAs: null,
    note: 'Cannot be read back: the API does not disclose its present value.',
    read: (word) => word,
    offered: [],
    present: () => null,
    lost: () => 'its present value cannot be read, so nothing can put it back',
  },
  Custom404FilePath: {
    readAs: 'Custom404FilePath',
    note: 'Can be changed, but not unset through the API.',
    read: (word) => word,
    offered: [],
    present: (zone) => zone.custom404FilePath,
    lost: () => 'there is none yet, and a 404 path cannot be cleared: it can only be changed',
  },
  Rewrite404To200: {
    readAs: 'Rewrite404To200',
    note: 'Affects only URLs without an extension.',
    read: (word) => (/^(true|false)$/i.test(word) ? word.toLowerCase() === 'true' : null),
    offered: ['true', 'false'],
    present: (zone) => zone.rewrite404To200,
    lost: () => 'the answer does not say what it is now, so nothing can put it back',
  },
};

export const STORAGE_FIELD_NAMES = Object.keys(STORAGE_FIELDS) as StorageField[];

/** Codes seen so far are letters; anything that is one word of letters and digits may be a new one. */
const REGION_CODE = /^[A-Z][A-Z0-9-]{0,15}$/;
const TIERS: Readonly<Record<string, keyof typeof REGION_CODES>> = {
  '0': 'standard',
  standard: 'standard',
  '1': 'edge',
  edge: 'edge',
};

/** The sparse patch: what differs from the zone as read, and the origin whenever it was typed. Never null. */
export function patchOf(zone: StorageZone, draft: StorageDraft): StorageZonePatch {
  const added = addedRegions(zone, draft);
  return {
    // The whole list is sent, so that it means the same whether the server adds to its own or replaces it.
    ...(added.length > 0 ? { ReplicationZones: [...zone.replicationRegions, ...added] } : {}),
    ...(draft.OriginUrl ? { OriginUrl: draft.OriginUrl } : {}),
    ...(draft.Custom404FilePath && draft.Custom404FilePath !== zone.custom404FilePath
      ? { Custom404FilePath: draft.Custom404FilePath }
      : {}),
    ...(draft.Rewrite404To200 !== undefined && draft.Rewrite404To200 !== zone.rewrite404To200
      ? { Rewrite404To200: draft.Rewrite404To200 }
      : {}),
  };
}

/** The fields that a patch has, in the order of the table of fields. */
export function fieldsIn(patch: StorageZonePatch): StorageField[] {
  return STORAGE_FIELD_NAMES.filter((field) => patch[field] !== undefined);
}

export function isEmptyPatch(patch: StorageZonePatch): boolean {
  return Object.keys(patch).length === 0;
}

/** The regions of a draft that the zone has not yet, each once. */
export function addedRegions(zone: StorageZone, draft: StorageDraft): string[] {
  const codes = (draft.ReplicationZones ?? []).filter((code) => !zone.replicationRegions.includes(code));
  return [...new Set(codes)];
}

/** Region codes from a list written with commas or spaces, in capitals. */
export function regionCodes(text: string): string[] {
  return text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((code) => code !== '');
}

/** Region codes offered for the zone's tier, without those it has; others may be typed. */
export function offeredRegions(zone: StorageZone): readonly string[] {
  const known = knownRegions(zone) ?? ALL_REGIONS;
  return known.filter((code) => code !== zone.region && !zone.replicationRegions.includes(code));
}

/** All remarks on a draft before it is sent. */
export function issuesOf(zone: StorageZone, draft: StorageDraft): StorageIssue[] {
  return [
    ...addedRegions(zone, draft).flatMap((code) => regionIssues(zone, code)),
    ...of('OriginUrl', draft.OriginUrl === undefined ? null : originTrouble(draft.OriginUrl)),
    ...of('Custom404FilePath', draft.Custom404FilePath === undefined ? null : pathTrouble(zone, draft)),
    ...rewriteNotes(zone, draft),
  ];
}

export function hasErrors(issues: readonly StorageIssue[]): boolean {
  return issues.some((issue) => issue.severity === 'error');
}

/** What a patch changes, field by field. */
export function changesOf(zone: StorageZone, patch: StorageZonePatch): StorageChange[] {
  return fieldsIn(patch).map((field) => ({
    field,
    before: valueIn(zone, field),
    after: wantedIn(patch, field),
    irreversible:
      STORAGE_FIELDS[field].present(zone) === null ? STORAGE_FIELDS[field].lost(zone, patch) : null,
  }));
}

/** The patch that restores what `patch` changes on `before`. */
export function inverseOf(before: StorageZone, patch: StorageZonePatch): StorageInverse {
  const changes = changesOf(before, patch);
  const back = changes.filter(({ irreversible }) => irreversible === null);
  return {
    patch: Object.fromEntries(back.map(({ field }) => [field, STORAGE_FIELDS[field].present(before)])),
    impossible: changes.flatMap(({ field, irreversible: why }) => (why === null ? [] : [{ field, why }])),
  };
}

/** The present value as text; null where the API keeps it secret, the empty text where there is none. */
export function valueIn(zone: StorageZone, field: StorageField): string | null {
  if (field === 'ReplicationZones') return zone.replicationRegions.join(' ');
  if (field === 'Custom404FilePath') return zone.custom404FilePath ?? '';
  return STORAGE_FIELDS[field].present(zone)?.toString() ?? null;
}

/** The value that a patch gives a field, as text without the secrets that a URL may hold. */
export function wantedIn(patch: StorageZonePatch, field: StorageField): string {
  const value = patch[field];
  return maskUrlSecrets(typeof value === 'object' ? value.join(' ') : String(value ?? ''));
}

/** The patch as it may be shown and kept, with tokens in URLs masked. */
export function shownPatch(patch: StorageZonePatch): StorageZonePatch {
  return patch.OriginUrl === undefined ? patch : { ...patch, OriginUrl: maskUrlSecrets(patch.OriginUrl) };
}

export function tierName(zone: StorageZone): string {
  const tier = TIERS[String(zone.tier).toLowerCase()];
  return tier === undefined ? String(zone.tier ?? '') : tier === 'edge' ? 'Edge' : 'Standard';
}

function knownRegions(zone: StorageZone): readonly string[] | null {
  const tier = TIERS[String(zone.tier).toLowerCase()];
  return tier === undefined ? null : REGION_CODES[tier];
}

function of(field: StorageField, message: string | null): StorageIssue[] {
  return message === null ? [] : [{ field, severity: 'error', message }];
}

function regionIssues(zone: StorageZone, code: string): StorageIssue[] {
  const field = 'ReplicationZones';
  if (!REGION_CODE.test(code))
    return of(field, `'${code}' is no region code: capital letters, such as NY or SYD`);
  if (code === zone.region) return of(field, `${code} is the main region, which cannot be a replica as well`);
  const known = knownRegions(zone);
  if (known === null || known.includes(code)) return [];
  const message = `${code} is not among the regions known for ${tierName(zone)}: ${known.join(' ')}`;
  return [{ field, severity: 'warning', message }];
}

function originTrouble(text: string): string | null {
  if (text === '') return 'an empty origin says neither keep nor clear: give a URL, or leave the field alone';
  if (/[^!-~]/.test(text)) return 'a URL holds no spaces and no letters beyond ASCII; encode them';
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) return 'begin with http:// or https:// and a host';
  if (url.username !== '' || url.password !== '') return 'a user name or password does not belong here';
  return null;
}

function pathTrouble(zone: StorageZone, draft: StorageDraft): string | null {
  const path = draft.Custom404FilePath ?? '';
  if (path === '')
    return zone.custom404FilePath === null ? null : 'a 404 path cannot be cleared, only changed';
  if (!path.startsWith('/')) return 'begin with a slash: it is the path of a file in this zone';
  if (/[^!-~]/.test(path)) return 'a path holds no spaces and no letters beyond ASCII; encode them';
  if (/[?#\\]/.test(path)) return 'a path has no ?, # or backslash';
  const [, ...parts] = path.split('/');
  return parts.some((part) => part === '' || part === '..')
    ? 'name a file: no empty part, no .. and no slash at the end'
    : null;
}

function rewriteNotes(zone: StorageZone, draft: StorageDraft): StorageIssue[] {
  if (!draft.Rewrite404To200 || zone.rewrite404To200) return [];
  return [{ field: 'Rewrite404To200', severity: 'warning', message: STORAGE_FIELDS.Rewrite404To200.note }];
}

/** One setting of a zone as text. `value: null` = the API keeps it secret; `field` = it can be changed. */
type StorageSetting = { name: string; value: string | null; field: StorageField | null };

/** Every field of the read model but its passwords, by the API's own names, what can be changed first. */
export function settingsOfZone(zone: StorageZone): StorageSetting[] {
  const fixed = (name: string, value: string): StorageSetting => ({ name, value, field: null });
  return [
    {
      name: 'ReplicationRegions',
      value: zone.replicationRegions.join(' ') || 'none',
      field: 'ReplicationZones',
    },
    { name: 'OriginUrl', value: null, field: 'OriginUrl' },
    { name: 'Custom404FilePath', value: zone.custom404FilePath ?? 'none', field: 'Custom404FilePath' },
    { name: 'Rewrite404To200', value: valueIn(zone, 'Rewrite404To200'), field: 'Rewrite404To200' },
    fixed('Name', zone.name),
    fixed('Id', zone.id),
    fixed('Region', zone.region),
    fixed('ZoneTier', tierName(zone)),
    fixed('StorageHostname', zone.hostname),
    fixed('S3Hostname', zone.s3Hostname ?? 'none'),
    fixed('StorageUsed', `${zone.storageUsed} bytes`),
    fixed('FilesStored', String(zone.filesStored)),
    fixed('PullZones', zone.pullZones.map((each) => `${each.name} (${each.id})`).join(', ') || 'none'),
    fixed('ReplicationChangeInProgress', String(zone.replicationChangeInProgress)),
    fixed('DateModified', zone.modifiedAt === null ? 'unknown' : new Date(zone.modifiedAt).toISOString()),
    fixed('Deleted', String(zone.deleted)),
    fixed('StorageZoneType', String(zone.type ?? 'unknown')),
    fixed('PriceOverride', String(zone.priceOverride)),
    fixed('Discount', String(zone.discount)),
    fixed('UserId', zone.userId ?? 'unknown'),
  ];
}

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

/** The `Field=value` words of a patch; null where one of them would show a secret. */
export function assignmentsOf(patch: StorageZonePatch): string[] | null {
  const fields = fieldsIn(patch);
  const values = fields.map((field) => {
    const value = patch[field];
    return typeof value === 'object' ? value.join(' ') : String(value);
  });
  if (fields.some((field, i) => wantedIn(patch, field) !== values[i])) return null;
  return fields.map((field, i) => `${field}=${values[i]}`);
}
