import { sayingImported } from '../../inquiry/saved-inquiry.ts';
import { isCauseTerm, NO_CAUSE_OF_ANSWER } from '../../query/cause-terms.ts';
import { through } from '../clients/ask-bypass.ts';
import { timeline } from '../clients/ask-timeline.ts';
import { compare } from '../comparison/ask-comparison.ts';
import { causes } from '../evidence/ask-causes.ts';
import { changes } from '../evidence/ask-changes.ts';
import { incidents } from '../incidents/ask-incidents.ts';
import { misses } from '../misses/ask-misses.ts';
import { rule } from '../rules/ask-blast-radius.ts';
import { falsePositives } from '../rules/ask-false-positives.ts';
import { wrong } from '../wrong/ask-wrong.ts';
import { type Asked, type Brief, type Known, type Made, unaskable } from './asked.ts';
import type { QuestionId } from './questions.ts';

const MAKERS: Readonly<Record<QuestionId, (o: Brief) => Made>> = {
  ...{ wrong, misses, compare, through, incidents, timeline, rule, changes, causes },
  'false-positives': falsePositives,
};

/** What is answered by evidence alone; the others read rows, of which no origin errors are told to them. */
const OF_NO_ROWS: readonly QuestionId[] = ['causes', 'changes'];

/** The requests of a question and what becomes of their answers: the same on a screen and in a pipe. */
export function inquiryOf(asked: Asked, known: Known): Made {
  if (!OF_NO_ROWS.includes(asked.question) && asked.terms.some(isCauseTerm))
    return unaskable(NO_CAUSE_OF_ANSWER);
  const answered = MAKERS[asked.question]({ ...asked, ...known });
  return answered.ok ? { ...answered, inquiry: sayingImported(answered.inquiry) } : answered;
}
