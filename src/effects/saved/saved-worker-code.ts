/** The code of a reading thread: the file beside this one. The bundle replaces this module by its text. */
export const WORKER_CODE: URL | string = new URL('./saved-worker.ts', import.meta.url);
