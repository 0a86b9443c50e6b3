import type { LogRecord } from '../../log.ts';
import type { OneCounts } from '../counts.ts';

/** One count of rows. A result stays as it is while more rows come. */
export type PartCounter = { add(record: LogRecord): void; counts(): OneCounts };
