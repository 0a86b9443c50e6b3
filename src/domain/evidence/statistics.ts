/** What the platform counted of a zone in the hour that begins `at` this time (Unix ms UTC). Null = not told. */
export type StatHour = { at: number; requests: number | null; serverErrors: number | null };
