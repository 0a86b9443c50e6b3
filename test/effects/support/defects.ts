import type { LogSlice } from '../../../src/api/client.ts';
import type { Defect } from './model.ts';

/** Mistakes of what asks for the tail; those of the tail itself are in `mutation/defects`. */
export const DEFECTS = {
  'offset paging': {
    fetch: (fetch) => async (request, options) => {
      const pages: LogSlice[] = [];
      for (let offset = 0; ; ) {
        const page = await fetch({ ...request, offset }, options);
        if (!page.ok) return page;
        pages.push(page.value);
        offset += page.value.records.length;
        if (page.value.hasMore && page.value.records.length > 0) continue;
        const records = pages.flatMap((value) => value.records);
        return { ok: true, value: { ...page.value, records, hasMore: false } };
      }
    },
  },
  'advance on error': {
    fetch: (fetch) => async (request, options) => {
      const result = await fetch(request, options);
      const { records, hasMore, serverNow } = EMPTY;
      return result.ok || result.failure.kind === 'cancelled'
        ? result
        : { ok: true, value: { records, hasMore, serverNow, sentAt: 0, receivedAt: 0 } };
    },
  },
  'ignore hasMore': {
    fetch: (fetch) => async (request, options) => {
      const result = await fetch(request, options);
      return result.ok ? { ok: true, value: { ...result.value, hasMore: false } } : result;
    },
  },
} as const satisfies Record<string, Defect>;

const EMPTY = { records: [], hasMore: false, serverNow: null };
