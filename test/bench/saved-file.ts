import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { logRecordOf } from '../../src/api/schemas/log-row.ts';
import { ndjsonLine } from '../../src/domain/handover/line-formats.ts';
import { logRow } from '../../src/domain/handover/shapes.ts';
import { accountZones } from '../../src/simulator/account/account-zones.ts';
import { dayLine } from '../../src/simulator/logs/logs-v2.ts';
import { NO_INCIDENTS } from '../../src/simulator/traffic/incidents.ts';
import { rowJson } from '../../src/simulator/traffic/rows.ts';
import { createTraffic } from '../../src/simulator/traffic/traffic-source.ts';
import { secondOf } from '../support/simulator/truth.ts';

/** The same rows twice, and how many of them have the word that is looked for in their line. */
export type SavedFiles = { v1: string; ndjson: string; rows: number; misses: number };

const SEED = 7;
const RATE = 300;
const BEGIN = Date.UTC(2026, 7, 1, 10) / 1000;
/** Seconds written at once. */
const STEP = 20;

const made = new Map<string, SavedFiles>();

/** A log of the busiest zone of the simulator, seeded, as lines of v1 and as `edgescope logs` prints it. */
export function savedFiles(folder: string, rows: number): SavedFiles {
  const [v1, ndjson] = [join(folder, `${rows}.log`), join(folder, `${rows}.ndjson`)];
  const known = made.get(v1);
  if (known !== undefined && existsSync(v1)) return known;
  const [zone] = accountZones(SEED, RATE);
  if (zone === undefined) throw new Error('the simulated account has no zone');
  const traffic = createTraffic({ schedule: NO_INCIDENTS, isSteady: true });
  const [lines, objects] = [openSync(v1, 'w'), openSync(ndjson, 'w')];
  let [written, misses] = [0, 0];
  for (let second = BEGIN; written < rows; second += STEP) {
    const chunk = Array.from({ length: STEP }, (_, i) => secondOf(traffic, zone, second + i)).flat();
    const texts = chunk.slice(0, rows - written).map((row) => ({
      line: dayLine(row, zone),
      object: `${ndjsonLine(logRow(logRecordOf(JSON.parse(rowJson(row, zone)), 0)))}\n`,
    }));
    writeSync(lines, texts.map(({ line }) => line).join(''));
    writeSync(objects, texts.map(({ object }) => object).join(''));
    misses += texts.filter(({ line }) => line.includes('MISS')).length;
    written += texts.length;
  }
  closeSync(lines);
  closeSync(objects);
  const files = { v1, ndjson, rows, misses };
  made.set(v1, files);
  return files;
}
