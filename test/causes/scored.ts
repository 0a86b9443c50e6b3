import type { Facts } from '../../src/domain/inquiry/answer-table.ts';
import type { Scene, TruthCause } from './double/double.ts';
import type { Judged } from './judged.ts';

/** What is right of an answer about a scene, by what it tells scripts. */
export type Score = {
  /** The verdict, and where something is wrong its first cause. */
  isRight: boolean;
  /** Both bounds of its beginning lie within a minute of the truth; null: no cause was right, or it began before what is kept. */
  isSinceRight: boolean | null;
  /** A change is held against it that did not bring it about. */
  isInnocentBlamed: boolean;
  requests: number;
};

/** What a cause of each kind is called; a sender may be told by what he was answered with. */
const CALLED: Readonly<Record<TruthCause['what'], readonly string[]>> = {
  origin: ['origin fails'],
  fewer: ['fewer requests'],
  misses: ['misses'],
  sender: ['one sender', 'refused', 'not found', 'rule'],
  refused: ['refused', 'rule'],
  notFound: ['not found'],
  clientErrors: ['client errors'],
  rule: ['refused', 'rule'],
  redirected: ['redirected'],
};

const MINUTE = 60_000;

/** Rows are kept so long: what began before has no beginning in them. */
const KEPT = 71 * 60 * MINUTE;

type Told = {
  what: string;
  with: readonly { field: string; value: string }[];
  since: { from: string | null; to: string | null } | null;
  evidence: readonly { kind: string; at?: string; fields?: readonly { field: string }[] }[];
};

export function scored(scene: Scene, { table, requests }: Judged): Score {
  const { verdict, findings = [] } = table;
  const causes = findings.map(({ facts }) => facts as Facts as unknown as Told);
  const [first] = causes;
  const isInnocentBlamed = causes.some((cause) => blames(cause, scene));
  if (scene.verdict === 'calm' || first === undefined) {
    const isRight = scene.verdict === 'calm' && verdict !== 'wrong';
    return { isRight, isSinceRight: null, isInnocentBlamed, requests };
  }
  // Of two at once either may be first: which spoils more is a matter of judgement.
  const truth = scene.causes.find((cause) => isOf(first, cause));
  const isSinceRight = truth === undefined ? null : isSince(first, truth, scene.now);
  return { isRight: truth !== undefined, isSinceRight, isInnocentBlamed, requests };
}

function isOf(told: Told, truth: TruthCause): boolean {
  if (!CALLED[truth.what].includes(told.what)) return false;
  // Where nothing names it, it is all of its kind.
  const naming = truth.names.filter(({ field }) => field !== 'status' && field !== 'cache');
  if (naming.length === 0) return true;
  return naming.some((name) => told.with.some((each) => isName(each, name)));
}

/** A path is told as a term: `/api/*`, and what is wider than the truth names others, too; an address may have lost its last part. */
function isName(told: { field: string; value: string }, truth: { field: string; value: string }): boolean {
  const paths = ['page', 'path', 'shape'];
  if (paths.includes(told.field) && paths.includes(truth.field)) {
    const [a, b] = [told, truth].map(({ value }) => value.replace(/\*$/, ''));
    return (a ?? '').startsWith(b ?? '');
  }
  if (told.field !== truth.field) return false;
  return (
    told.value === truth.value ||
    (told.field === 'ip' &&
      told.value.split('.').slice(0, 3).join() === truth.value.split('.').slice(0, 3).join())
  );
}

function isSince({ since }: Told, { from, fromSlack }: TruthCause, now: number): boolean | null {
  if (from < now - KEPT) return since?.from === null;
  if (since === null || since.from === null || since.to === null) return false;
  const off = Math.max(Math.abs(Date.parse(since.from) - from), Math.abs(Date.parse(since.to) - from));
  return off <= MINUTE + fromSlack;
}

/** Whether a change is told that no cause of the scene is of. */
function blames({ evidence }: Told, { causes }: Scene): boolean {
  const changes = evidence.filter(({ kind }) => kind === 'change');
  return changes.some(({ at }) =>
    causes.every(({ change }) => change === null || Math.abs(change.at - Date.parse(at ?? '')) > 1000),
  );
}
