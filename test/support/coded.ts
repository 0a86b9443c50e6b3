import type { LogRecord } from '../../src/domain/log.ts';
import { TEXT_NAMES } from '../../src/domain/log.ts';
import {
  type CodedRows,
  createCodedReader,
  NO_SPAN,
  SPAN_WIDTH,
} from '../../src/domain/logs/columns/coded-rows.ts';
import { createRowCoder, keptRows } from '../../src/domain/logs/columns/row-coder.ts';
import type { LinePacker } from '../../src/effects/saved/saved-packer.ts';

/** Codes records as if their texts had been found in the bytes of a file. What it gives is good until the next. */
export function createCoder(): (records: readonly LogRecord[]) => CodedRows {
  const coder = createRowCoder(1 << 20);
  return (records) => {
    coder.begin();
    const { rows } = coder;
    let length = 0;
    for (const record of records) {
      const row = rows.count++;
      TEXT_NAMES.forEach((column, place) => {
        const text = record[column];
        const at = row * SPAN_WIDTH + place * 2;
        rows.spans[at] = text === null ? NO_SPAN : length;
        length += rows.bytes.write(text ?? '', length, 'latin1');
        rows.spans[at + 1] = length;
      });
      rows.times[row] = record.timestamp;
      rows.statuses[row] = record.statusCode;
      rows.sent[row] = record.bytesSent;
      rows.bodies[row] = record.bodyBytesSent ?? Number.NaN;
      rows.authorized[row] = record.authorizationHeader === null ? 0 : 1;
      rows.derived[row] = record.url === `${record.scheme}://${record.host}${record.path}` ? 1 : 0;
    }
    return coder.finished();
  };
}

/** Rows of one batch, good for ever. */
export function batchOf(records: readonly LogRecord[]): CodedRows {
  return keptRows(coded(records));
}

const coded = createCoder();

/** The record that the fast way makes of a line in the midst of others; null = it leaves the line to the schema. */
export function packedRecord(packer: LinePacker, line: string | Buffer): LogRecord | null {
  const bytes = Buffer.concat([Buffer.from('before\n'), Buffer.from(line), Buffer.from('\nbehind')]);
  const window = { bytes, start: 7, end: bytes.length - 7, isCut: false };
  let record: LogRecord | null = null;
  for (const part of packer.pack(window)) if (part.kind === 'coded') record = createCodedReader(part.rows)(0);
  return record;
}
