import type { LogRecord } from '../../log.ts';
import type { OneCounts } from '../counts.ts';

/** One counting of rows that all count. What it told does not change as more come. */
export type PartCounter = { add(record: LogRecord): void; counts(): OneCounts };
