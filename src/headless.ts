import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import type { Client } from './api/client.ts';
import { onSignal } from './config/command/exit-codes.ts';
import type { Environment } from './config/config-error.ts';
import type { StoreAccess } from './config/settings/configured-stores.ts';
import type { Journal } from './domain/storage/storage-change.ts';
import type { SavedInput } from './effects/saved/saved-input.ts';
import { type PrintedCommand, printCommand } from './print/command.ts';
import { createOutput, unwritten } from './print/output.ts';
import type { Printer, StoreOpener } from './print/printer.ts';
import { notifierOf } from './text/notification.ts';
import { say, sayDefect } from './text/say.ts';

/** A printed command, and where its output goes. */
export type PrintOptions = Omit<PrintedCommand, 'writing'> &
  Pick<Printer, 'stderr' | 'format' | 'clock'> & { stdout: Writable };

const FAILED = 1;

/** How long the reader may take to accept whole lines after a signal, ms. */
const GRACE = 1_000;

/**
 * The API's quota bounds a long print, not the processor: with these flags V8 collects earlier, and a million rows
 * pass through half the memory (380 → 185 MB) for half again the processor time. A short print is over before it
 * matters.
 */
const SMALL_HEAP = ['--memory-saver-mode', '--semi-space-growth-factor=1'] as const;

/** Characters that make a print a long one. */
const LONG = 16_000_000;

/** The composition root of the piped twin: prints a command's data and resolves to the exit code. */
export function print(
  o: PrintOptions & {
    client: Client & { close(): Promise<void> };
    journal: () => Promise<Journal>;
    /** The store for what is older than the platform's logs. */
    history: NonNullable<Printer['history']>;
    /** The folder where stored files are spooled while they are loaded into a store. */
    spool: string;
    /** What it shows of the terminal. */
    env: Environment;
  } & Pick<Printer, 'serviceManager'>,
): Promise<number> {
  const { client, history, serviceManager } = o;
  const { exec } = o.line;
  const notifier = notifierOf(o.env);
  const stored = { client, folder: o.spool };
  return run(
    o,
    (printer) =>
      printCommand(
        { ...printer, client, history, stored, serviceManager, notifier, exec },
        { ...o, writing: async () => ({ client, journal: await o.journal() }) },
      ),
    () => client.close(),
  );
}

/** The same for saved logs, which need no account. */
export function printOpened(
  o: Omit<PrintOptions, 'watch'> & { inputs: readonly SavedInput[] },
): Promise<number> {
  return run(o, async (printer) => {
    const { line, query, inputs, flags } = o;
    return line.command === 'ask'
      ? (await import('./print/ask/ask-saved.ts')).printAskSaved({ ...printer, flags }, line, query, inputs)
      : (await import('./print/open-command.ts')).printOpen(printer, line, query, inputs);
  });
}

/** The commands about a store, which need no account either. */
export function printStored(
  o: PrintOptions & { access: StoreAccess; open: StoreOpener; inputs: readonly SavedInput[] },
): Promise<number> {
  return run(o, async (printer) => {
    if (o.line.command === 'keep')
      return (await import('./print/keep/keep-import.ts')).keepImported(printer, o.inputs, o.open);
    const { printStore, storeTask } = await import('./print/keep/store.ts');
    return printStore(printer, storeTask(o.line, o.access, o.open));
  });
}

/** Runs a command until it is done, a signal or its reader ends it; whole lines leave first. */
async function run(
  o: Pick<PrintOptions, 'stdout' | 'stderr' | 'format' | 'clock'>,
  work: (printer: Omit<Printer, 'client'>) => Promise<number>,
  close = async () => {},
): Promise<number> {
  const isPipe = !isTerminal(o.stdout);
  const ended = Promise.withResolvers<number>();
  let endCode: number | null = null;
  let endedAt: number | null = null;
  let isMuted = false;
  // Nobody wants to hear of errors after the reader is gone.
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) o.stderr.write(chunk);
      done();
    },
  });
  o.stderr.on('error', () => {});
  Object.defineProperty(stderr, 'columns', { get: () => (o.stderr as { columns?: number }).columns });
  const output = createOutput(o.stdout, o.clock, (fault) => {
    if (fault !== null) say(o.stderr, unwritten(fault));
    isMuted = true;
    ended.resolve(fault === null ? 0 : FAILED);
  });
  onSignal(ended.resolve);
  // Node would print what the error quotes without sanitising it.
  process.once('uncaughtException', (error) => {
    sayDefect(stderr, error);
    ended.resolve(FAILED);
  });
  let written = 0;
  let isSmall = false;
  const write = (text: string) => {
    written += text.length;
    if (isPipe && !isSmall && written > LONG) {
      isSmall = true;
      for (const flag of SMALL_HEAP) setFlagsFromString(flag);
    }
    return output.write(text);
  };
  const printer: Omit<Printer, 'client'> = {
    stderr,
    format: o.format,
    clock: o.clock,
    write,
    onEnd: (callback) => void ended.promise.then(callback),
    isWatched: isTerminal(o.stderr) && !isTerminal(o.stdout),
    isStderrTerminal: isTerminal(o.stderr),
    descriptor: (o.stdout as { fd?: number }).fd ?? null,
  };
  printer.onEnd((code) => {
    endCode = code;
    endedAt = o.clock.monotonic();
  });
  const running = work(printer);
  const interrupted = ended.promise.then(async (code) => {
    await close();
    // A command that was interrupted ends with whole lines, unless the reader does not take them.
    if (!isMuted) await Promise.race([running, o.clock.sleep(GRACE)]);
    return code;
  });
  // An interrupt stays one, whatever the command made of it.
  const code = await Promise.race([
    running.then((own) => (endCode !== null ? interrupted : own)),
    interrupted,
  ]);
  await close();
  if (!isMuted) await output.flushed(GRACE - (endedAt === null ? 0 : o.clock.monotonic() - endedAt));
  return code;
}

function isTerminal(stream: Writable): boolean {
  return (stream as { isTTY?: boolean }).isTTY === true;
}
