import type { ApiKey } from '../../domain/api-key.ts';
import { type ListPlace, NO_LIST, type PagedList } from '../list/list.ts';

export type KeysState = PagedList<ApiKey> & {
  request: number;
  /** Numbers the showings of a value. */
  reveals: number;
  /** The key whose showing is being written into the audit file: nothing is shown before that is done. */
  recording: { request: number; id: string } | null;
  /** The one key whose value is on screen, and until when, Unix ms. */
  revealed: { id: string; until: number } | null;
};

export const NO_KEYS: KeysState = {
  ...NO_LIST,
  request: 0,
  reveals: 0,
  recording: null,
  revealed: null,
};

/** How long a value stays on screen, ms. */
export const REVEAL_TIME = 10_000;

export type KeysView = ListPlace & { kind: 'keys' };
