/** The code of a thread that reads: a file beside this one. The bundle has its text in the place of this module. */
export const WORKER_CODE: URL | string = new URL('./saved-worker.ts', import.meta.url);
