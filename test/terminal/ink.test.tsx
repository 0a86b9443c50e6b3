import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Box, render, Text, useWindowSize } from 'ink';
import { type ReactElement, useSyncExternalStore } from 'react';
import { TerminalScreen } from '../../src/terminal/cell-screen.ts';
import { systemClock } from '../../src/time/clock.ts';
import { FakeStdout } from './fakes.ts';
import { feed, newEmulator } from './frames.ts';

function open(view: ReactElement) {
  const stdout = new FakeStdout(30, 5);
  const screen = new TerminalScreen({ stdout: stdout.asStdout(), clock: systemClock });
  const stdin = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.ReadStream;
  screen.start();
  const ink = render(view, {
    stdout: screen.inkStdout,
    stdin,
    debug: true,
    interactive: true,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  const written = async (): Promise<string> => {
    for (let count = 0; stdout.writes.length === 0; count += 1) {
      assert.ok(count < 1_000_000, 'nothing was written');
      await turn();
    }
    return stdout.take();
  };
  return { stdout, screen, ink, written };
}

test('what React commits while a frame is prepared leaves in the same write', async () => {
  let value = 1;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const Top = () => <Text>top {useSyncExternalStore(subscribe, () => value)}</Text>;
  const { screen, ink, written } = open(<Top />);
  const emulator = newEmulator(30, 5);
  // The screen's first bytes may leave before Ink has drawn anything.
  while (emulator.lines()[0] !== 'top 1') await feed(emulator, await written());
  screen.onBeforeFrame(() => {
    for (const listener of listeners) listener();
    screen.setRegion('body', { x: 0, y: 2, width: 30, height: 1 }, [`body ${value}`]);
  });
  for (const cause of ['data', 'key', 'data'] as const) {
    value += 1;
    screen.invalidate(cause);
    await feed(emulator, await written());
    assert.deepEqual(emulator.lines().slice(0, 3), [`top ${value}`, '', `body ${value}`], cause);
  }
  ink.unmount();
  await screen.stop();
  emulator.dispose();
});

test('Ink lays out again at a new size', async () => {
  const Size = () => {
    const { columns, rows } = useWindowSize();
    return (
      <Box width={columns} height={rows} justifyContent="flex-end" alignItems="flex-end">
        <Text>
          {columns}x{rows}
        </Text>
      </Box>
    );
  };
  const { stdout, screen, ink, written } = open(<Size />);
  await written();
  stdout.resize(40, 8);
  const emulator = newEmulator(40, 8);
  while (emulator.lines()[7] !== '40x8'.padStart(40)) await feed(emulator, await written());
  ink.unmount();
  await screen.stop();
  assert.equal(screen.inkStdout.listenerCount('resize'), 0);
  emulator.dispose();
});
