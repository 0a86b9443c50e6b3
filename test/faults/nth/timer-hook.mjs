// Loaded before the program: the n-th timer that it sets fires long after its time, or at once.
const n = Number(process.env['EDGESCOPE_NTH_TIMER']);
const way = process.env['EDGESCOPE_NTH_WAY'];
const LATE = 15_000;
const { setTimeout: timeout } = globalThis;
let set = 0;

globalThis.setTimeout = Object.assign((callback, ms, ...rest) => {
  set += 1;
  if (set !== n) return timeout(callback, ms, ...rest);
  return timeout(callback, way === 'late' ? (ms ?? 0) + LATE : 0, ...rest);
}, timeout);
