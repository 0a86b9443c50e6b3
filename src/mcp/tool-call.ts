import { Writable } from 'node:stream';
import type { ReadingClient } from '../api/client.ts';
import { type CommandLine, readCommandLine } from '../config/command/command-line.ts';
import { EXIT_CODES } from '../config/command/exit-codes.ts';
import { pseudonymised } from '../domain/handover/pseudonyms.ts';
import type { Query } from '../domain/query/query.ts';
import { parseQuery, windowFirst } from '../domain/query/query-text.ts';
import { parseShieldQuery } from '../domain/shield/shield-window.ts';
import { printCommand } from '../print/command.ts';
import type { Coverage } from '../print/printer.ts';
import { shellCommand } from '../text/shell-command.ts';
import { isoOf } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import type { Budget } from './budget.ts';
import { type Trusted, untrustedFenced } from './fence.ts';
import { type AskedLine, USUAL_PRICE } from './tools.ts';
import { type Clean, cleanLine, cleanText } from './untrusted.ts';

/** What the calls of one agent share. */
export type AgentSession = {
  guest: (signal: AbortSignal) => ReadingClient;
  clock: Clock;
  budget: Budget;
  pseudonyms: Pseudonyms;
  /** Zones whose health was read: see `Printer`. */
  readBefore: Set<string>;
  /** Notices since the last call: that requests wait and why, that a server sent what nobody asked for. */
  notices: string[];
  /** What a command needs to see the same account. */
  flags: readonly string[];
  /** A word that nobody can guess, a new one each time. */
  mark: () => string;
};

type ToolResult = { text: string; isError: boolean };

/** The output of a command, and its words: `remarks` are its own, and `said` may quote strangers. */
type Printed = {
  code: number;
  lines: string[];
  remarks: string[];
  said: string[];
  coverage: Coverage | null;
};

const WRONG_USAGE = 2 as const;

/** UTF-16 units passed on of a sentence from standard error, and how many sentences. */
const LONGEST_SENTENCE = 500;
const MOST_SENTENCES = 20;

/** Carries out a tool call as the command that it is. One at a time: its price is what was sent meanwhile. */
export async function callTool(
  session: AgentSession,
  asked: AskedLine,
  { requests = USUAL_PRICE, signal }: { requests?: number; signal: AbortSignal },
): Promise<ToolResult> {
  const { budget, clock, pseudonyms } = session;
  const real = asked.query === undefined ? asked : { ...asked, query: pseudonyms.meant(asked.query) };
  const read = readToolCall(real, session.flags, Math.floor(clock.now()));
  // This program's words, about what the agent wrote itself.
  if (!read.ok)
    return refusal(
      session,
      null,
      cleanText(read.why, pseudonyms.mask, LONGEST_SENTENCE),
      EXIT_CODES[WRONG_USAGE],
    );
  const command = read.command === null ? null : pseudonyms.maskCommand(read.command);
  if (budget.left === 0) return refusal(session, command, spentWords(budget));
  const sent = budget.begin(requests);
  const printed = await printedBy(session, signal, (printer) =>
    printCommand(printer, { ...read, watch: null, writing: null, flags: session.flags }),
  );
  return resultOf(session, command, printed, { sent: sent() });
}

type Print = Parameters<typeof printCommand>[0];

async function printedBy(
  { guest, clock, readBefore, notices }: AgentSession,
  signal: AbortSignal,
  print: (printer: Print) => Promise<number>,
): Promise<Printed> {
  let [out, err] = ['', ''];
  let coverage: Coverage | null = null;
  const remarks: string[] = [];
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      err += String(chunk);
      done();
    },
  });
  const code = await print({
    stderr,
    remarked: (words) => void remarks.push(words),
    format: 'ndjson',
    client: guest(signal),
    clock,
    readBefore,
    write: async (text) => {
      out += text;
    },
    onEnd(callback) {
      const end = () => callback(130);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    },
    covered(told) {
      coverage = told;
    },
  });
  const lines = out.split('\n').filter((line) => line !== '');
  return { code, lines, remarks: [...remarks, ...notices.splice(0)], said: sentencesOf(err), coverage };
}

/** The sentences of standard error, each with the lines under it. */
function sentencesOf(err: string): string[] {
  return err
    .split(/^edgescope: /m)
    .map((told) => told.trim().replace(/\n\s*/g, ' '))
    .filter((told) => told !== '');
}

function spentWords({ most }: Budget): string {
  return `All ${most} requests of this session are sent, so nothing was asked. Answer from what was read, and say what it covers. Whoever started edgescope mcp can allow more: --most-requests.`;
}

function refusal(
  session: AgentSession,
  command: string | null,
  refused: string,
  outcome?: string,
): ToolResult {
  const trusted = {
    ...(outcome === undefined ? {} : { outcome }),
    refused,
    command,
    price: priceOf(session, 0),
  };
  return { text: untrustedFenced(() => trusted, { rows: [], said: [] }, session.mark()), isError: true };
}

function resultOf(
  session: AgentSession,
  command: string | null,
  printed: Printed,
  { sent }: { sent: number },
): ToolResult {
  const { code, lines, coverage } = printed;
  const { mask } = session.pseudonyms;
  const sentences = (all: readonly string[]) =>
    all.slice(0, MOST_SENTENCES).map((each) => cleanText(each, mask, LONGEST_SENTENCE));
  const [remarks, said] = [sentences(printed.remarks), sentences(printed.said)];
  const rows = lines.map((line) => cleanLine(line, mask));
  const trusted = (leftOut: number): Trusted => ({
    outcome: EXIT_CODES[code as keyof typeof EXIT_CODES] ?? 'the request failed',
    coverage: coverage && coverageOf(coverage, leftOut),
    price: priceOf(session, sent),
    command,
    ...(remarks.length === 0 ? {} : { remarks }),
  });
  return { text: untrustedFenced(trusted, { rows, said }, session.mark()), isError: code !== 0 };
}

function priceOf({ budget }: AgentSession, requests: number): Clean {
  return { requests, left: budget.left, ofSession: budget.most };
}

/** `rowsLeftOut`: printed lines that did not fit into the result. */
function coverageOf({ of, range, read, total, given, gaps, isWhole }: Coverage, rowsLeftOut: number): Clean {
  return {
    isWhole: isWhole && rowsLeftOut === 0,
    of,
    ...(range === null ? {} : { from: isoOf(range.from), to: isoOf(range.to) }),
    read,
    total,
    given: given - rowsLeftOut,
    rowsLeftOut,
    gaps,
  };
}

/** A line as the command line reads it, and as text for a shell; null where no shell can take it. */
type ReadLine = { ok: true; line: CommandLine; query: Query; command: string | null };

/** The command line needs one, and none of it is printed. */
const PACKAGE = { name: 'edgescope', version: '0.0.0', description: '' };

/** A tool's call as a command of this program, or why it is none. `now`: Unix ms. */
export function readToolCall(
  { command, operands, options = [], query: text = '' }: AskedLine,
  flags: readonly string[],
  now: number,
): ReadLine | { ok: false; why: string } {
  const asked = [command, ...operands, ...options, ...flags];
  // The rest of the line decides which log the terms are of.
  const about = readCommandLine(asked, import.meta, PACKAGE);
  if (!about.ok) return { ok: false, why: about.message };
  const parsed =
    about.value.subject === 'shield' ? parseShieldQuery(text, now) : parseQuery(text, 'logs', now);
  if (!parsed.ok) {
    const { message, column, hint } = parsed.error;
    return { ok: false, why: `the query, at character ${column + 1}: ${message}; ${hint}` };
  }
  const { query } = parsed;
  const terms = windowFirst(query);
  // Behind `--` nothing counts as an option.
  const words = [...asked, ...(terms === '' ? [] : ['--', terms])];
  const usage = readCommandLine(words, import.meta, PACKAGE);
  if (!usage.ok) return { ok: false, why: usage.message };
  return { ok: true, line: usage.value, query, command: shellCommand(['edgescope', ...words]) };
}

type Pseudonyms = ReturnType<typeof createPseudonyms>;

/** A pseudonym as a whole value of a query. */
const NAMED = /(?<=[:,])ip-(\d{1,9})(?=[\s,]|$)/g;

/** Addresses and their pseudonyms: an address keeps its number for the session. */
export function createPseudonyms() {
  const numbers = new Map<string, number>();
  const addresses: string[] = [];
  const numberOf = (address: string) => {
    const known = numbers.get(address);
    if (known !== undefined) return known;
    addresses.push(address);
    numbers.set(address, addresses.length);
    return addresses.length;
  };
  return {
    mask: (text: string) => pseudonymised(text, numberOf),
    /** A command with pseudonyms alone for its addresses: with them it does not run. */
    maskCommand: (command: string) => pseudonymised(command, numberOf, true),
    /** A query with the addresses of its pseudonyms. */
    meant: (query: string) => query.replace(NAMED, (name, number) => addresses[Number(number) - 1] ?? name),
  };
}

/** Texts as they are. */
export const NO_PSEUDONYMS: Pseudonyms = {
  mask: (text) => text,
  maskCommand: (command) => command,
  meant: (query) => query,
};
