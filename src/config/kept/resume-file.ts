import * as z from 'zod/mini';
import { replaceFileNow } from '../../files/durable-files.ts';
import { type Configured, refused } from '../config-error.ts';
import { parsedJson, readPrivateFile } from '../private-file.ts';

const LARGEST = 64 * 1024;
const time = z.iso.datetime();
const size = z.int().check(z.nonnegative());

const resumeState = z.strictObject({
  edgescope: z.literal('resume'),
  version: z.literal(2),
  /** What was asked; another question cannot be resumed. */
  question: z.strictObject({
    zone: z.string(),
    query: z.string(),
    format: z.string(),
    limit: z.nullable(size),
  }),
  /** The window in absolute times, as the first run took it. */
  from: time,
  to: time,
  /** Everything before is written. */
  doneTo: time,
  rows: size,
  bytes: size,
  /**
   * The bytes of the file behind standard output written up to `doneTo`, and their SHA-256; null where there is no
   * file.
   */
  output: z.nullable(z.strictObject({ from: size, size, digest: z.string() })),
  /** What was being written when this was saved. */
  pending: z.nullable(z.strictObject({ to: time, bytes: size })),
  isFinished: z.boolean(),
});

/** The progress of reading a closed window. Times are ISO, sizes bytes. */
export type ResumeState = z.infer<typeof resumeState>;

/** The state in the file; null when there is none yet. An unreadable file is refused and left as it is. */
export async function loadResumeState(path: string): Promise<Configured<ResumeState | null>> {
  const text = await readPrivateFile(path, 'resume file', LARGEST);
  if (!text.ok || text.value === null) return text.ok ? { ok: true, value: null } : text;
  const state = resumeState.safeParse(parsedJson(text.value));
  if (state.success) return { ok: true, value: state.data };
  return refused(
    `${path} is not a resume file of this version, or it is damaged; it was left unchanged.`,
    'Name another file, or remove this one and start again.',
  );
}

/** Replaces the file in one step, readable by its owner only. With `isLasting` it also survives a power cut. */
export function saveResumeState(path: string, state: ResumeState, isLasting: boolean): void {
  replaceFileNow(path, `${JSON.stringify(state, null, 2)}\n`, { isLasting });
}
