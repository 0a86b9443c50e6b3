import { MASK } from '../../../text/mask.ts';
import type { FieldTerm } from '../../query/query.ts';

/** Numbers that the platform's own client in public sends; of its other operators the form of their values was not looked up. */
const BLOCK = 1;
const LOWERCASE = 8;
const BEGINS_WITH = 0;
const CONTAINS = 2;
const STREQ = 15;

/** What a rule calls what our fields read; of headers its name is the value. */
const VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ip: { REMOTE_ADDR: '' },
  path: { REQUEST_URI: '' },
  page: { REQUEST_FILENAME: '' },
  ua: { REQUEST_HEADERS: 'User-Agent' },
  referer: { REQUEST_HEADERS: 'Referer' },
  host: { REQUEST_HEADERS: 'Host' },
};

type Condition = { variableTypes: Readonly<Record<string, string>>; operatorType: number; value: string };

/**
 * The body of `POST /shield/waf/custom-rule` that blocks what the terms match, in the names that the platform's Terraform provider
 * sends. `body`: null where no term can be written; `left`: terms that cannot, without which the rule is wider.
 */
export function ruleBodyOf(
  terms: readonly FieldTerm[],
  shieldZoneId: string,
): { body: string | null; left: readonly FieldTerm[] } {
  const written = terms.map((term) => ({ term, condition: conditionOf(term) }));
  const left = written.filter(({ condition }) => condition === null).map(({ term }) => term);
  const [first, ...others] = written.flatMap(({ condition }) => condition ?? []);
  if (first === undefined) return { body: null, left };
  const rest = {
    ruleName: 'drafted by edgescope',
    ruleDescription: 'read it before it is sent',
    ruleConfiguration: {
      actionType: BLOCK,
      ...first,
      // Our fields are compared in any case.
      transformationTypes: [LOWERCASE],
      chainedRuleConditions: others,
    },
  };
  // An id may exceed what a number of JavaScript holds exactly.
  return { body: `{"shieldZoneId":${shieldZoneId},${JSON.stringify(rest).slice(1)}`, left };
}

/** Null where it was not looked up how a rule says it: several values, what is excluded, networks, patterns, other fields. */
function conditionOf({ field, op, values, negated }: FieldTerm): Condition | null {
  const variableTypes = VARIABLES[field];
  const [value = '', ...more] = values;
  if (variableTypes === undefined || negated || value === '' || more.length > 0 || value.includes(MASK))
    return null;
  const small = value.toLowerCase();
  if (op === 'eq') return { variableTypes, operatorType: STREQ, value: small };
  if (op === 'contains') return { variableTypes, operatorType: CONTAINS, value: small };
  const isBeginning = op === 'wildcard' && field !== 'ip' && small.indexOf('*') === small.length - 1;
  return isBeginning && small.length > 1
    ? { variableTypes, operatorType: BEGINS_WITH, value: small.slice(0, -1) }
    : null;
}
