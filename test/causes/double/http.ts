export type Asked = {
  method: string;
  host: 'main' | 'logging' | 'originErrors';
  path: string;
  headers: Record<string, string>;
  body: string | null;
};
export type Answered = { status: number; headers: Record<string, string>; body: string };

export const text = (status: number, body: string, headers: Record<string, string> = {}): Answered => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body,
});

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answered =>
  text(status, JSON.stringify(value), headers);

export const problem = (status: number, title: string, detail: string | null): Answered =>
  json(status, { type: null, title, status, detail, instance: null });

export const logError = (
  status: number,
  code: string,
  message: string,
  details: string[] | null = null,
): Answered => json(status, { error: { code, message, details } });

export const headerOf = (asked: Asked, name: string): string | undefined =>
  Object.entries(asked.headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** Any key will do, as there is but one account. */
export function known(asked: Asked): boolean {
  const key = headerOf(asked, 'accesskey') ?? headerOf(asked, 'authorization');
  return key !== undefined && key.trim() !== '';
}

/** A whole number within bounds, or the reason why it is not. */
export function wholeOf(value: string | null, low: number, high: number, usual: number): number | null {
  if (value === null || value === '') return usual;
  const n = Number(value);
  return Number.isInteger(n) && n >= low && n <= high ? n : null;
}
