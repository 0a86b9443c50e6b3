import type { QuerySubject } from '../../domain/query/query.ts';
import { parseQuery } from '../../domain/query/query-text.ts';
import { parseWindow } from '../../domain/query/window-text.ts';
import { parseShieldQuery, parseShieldWindow } from '../../domain/shield/shield-window.ts';

export function parsedBy(subject: QuerySubject, text: string, now: number): ReturnType<typeof parseQuery> {
  return subject === 'shield' ? parseShieldQuery(text, now) : parseQuery(text, 'logs', now);
}

export function windowBy(subject: QuerySubject, text: string, now: number): ReturnType<typeof parseWindow> {
  return subject === 'shield' ? parseShieldWindow(text, now) : parseWindow(text, now);
}
