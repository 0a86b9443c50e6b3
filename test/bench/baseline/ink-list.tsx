// The simplest log viewer that Ink 8 alone gives: one <Text> a row, no filter, no ledger, no writer of its own.
// Arguments: `whole` or `incremental`, then `file PATH` or `tail LOGGING_URL PULL_ZONE_ID ACCESS_KEY`.
import { readFileSync } from 'node:fs';
import { Box, render, Text, useInput, useWindowSize } from 'ink';
import { useEffect, useState } from 'react';
import { type Entry, rowText } from '../row-text.ts';

type Page = { data: Entry[] };

const POLL_MS = 340;
// The newest rows can come late; the reading overlaps by this much and drops what it has.
const OVERLAP_MS = 2000;
const KEPT_IDS = 50_000;
const COLOURS: Readonly<Record<string, string>> = {
  HIT: 'green',
  MISS: 'red',
  EXPIRED: 'yellow',
  STALE: 'yellow',
};
const [writes, mode, source = '', zone, accessKey = ''] = process.argv.slice(2);
const lines: string[] = mode === 'file' ? readFileSync(source, 'utf8').trimEnd().split('\n') : [];

function List() {
  const { columns, rows } = useWindowSize();
  const body = rows - 3;
  const [, redraw] = useState(0);
  const [{ cursor, top }, setPlace] = useState({ cursor: 0, top: 0 });
  const [follows, setFollows] = useState(mode === 'tail');
  useEffect(() => (mode === 'tail' ? poll(() => redraw((n) => n + 1)) : undefined), []);
  const last = Math.max(0, lines.length - 1);
  const at = follows ? last : cursor;
  const from = shown(follows ? last : top, at);
  function shown(first: number, row: number): number {
    return Math.max(0, Math.min(first, row, lines.length - body), row - body + 1);
  }
  const go = (to: number) => {
    const row = Math.min(last, Math.max(0, to));
    setFollows(false);
    setPlace({ cursor: row, top: shown(from, row) });
  };
  useInput((input, key) => {
    if (input === 'j') go(at + 1);
    else if (input === 'k') go(at - 1);
    else if (key.pageDown) go(at + body);
    else if (key.pageUp) go(at - body);
    else if (input === 'g') go(0);
    else if (input === 'G') go(last);
    else if (input === 'q') process.exit(0);
  });
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Text inverse>{' a plain list'.padEnd(columns)}</Text>
      {lines.slice(from, from + body).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are places on the screen.
        <Text key={i} wrap="truncate" inverse={from + i === at}>
          <Text color={COLOURS[line.slice(0, line.indexOf(' '))] ?? 'gray'}>{line.slice(0, 9)}</Text>
          {line.slice(9, columns)}
        </Text>
      ))}
      <Box flexGrow={1} />
      <Text wrap="truncate">{`rows ${from + 1}-${Math.min(from + body, lines.length)} of ${lines.length}`}</Text>
    </Box>
  );
}

function poll(changed: () => void): () => void {
  const known = new Set<string>();
  let newest = Date.now() - 30_000;
  let timer: NodeJS.Timeout;
  const ask = async () => {
    const sent = performance.now();
    const window = `from=${iso(newest - OVERLAP_MS)}&to=${iso(Date.now())}`;
    const answer = await fetch(`${source}/v2/pullzones/${zone}/logs?${window}&order=asc&limit=10000`, {
      headers: { AccessKey: accessKey },
    });
    const { data } = answer.ok ? ((await answer.json()) as Page) : { data: [] };
    const fresh = data.filter((entry) => !known.has(entry.requestId));
    for (const entry of fresh) {
      known.add(entry.requestId);
      lines.push(rowText(entry));
      newest = Math.max(newest, Date.parse(entry.timestamp));
    }
    for (const id of known) {
      if (known.size <= KEPT_IDS) break;
      known.delete(id);
    }
    if (fresh.length > 0) changed();
    timer = setTimeout(ask, Math.max(0, POLL_MS - (performance.now() - sent)));
  };
  void ask();
  return () => clearTimeout(timer);
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

render(<List />, {
  alternateScreen: true,
  incrementalRendering: writes === 'incremental',
  maxFps: 60,
  patchConsole: false,
});
