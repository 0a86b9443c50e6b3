import type { CommandName } from './program.ts';

/** Lines of each command as they are typed, and what each is for. */
export const EXAMPLES = {
  zones: [
    ['edgescope', 'the picker, with the account of the environment or of the profile'],
    ['edgescope --demo', 'the same on the embedded simulator'],
    ['edgescope zones --format csv', 'the list, printed'],
  ],
  logs: [
    ['edgescope logs shop-eu status:5xx last:15m', 'what failed in the last quarter of an hour'],
    ["edgescope logs shop-eu --from 'yesterday 03:00' --to 04:00", 'an hour of yesterday, UTC'],
    ['edgescope logs shop-eu by:ip last:5m --limit 20 --format table', 'who asks most, printed'],
    ['edgescope logs shop-eu -f -ip:192.0.2.7 > rows.ndjson', 'follow into a file, one address left out'],
    ["edgescope logs shop-eu --until 'hit<60%'", 'follow until the hit ratio of a minute is that low'],
    [
      'edgescope logs shop-eu --day yesterday --resume place >> day.ndjson',
      'a whole day; the same line goes on with that day where it was cut off',
    ],
  ],
  shield: [
    [
      'edgescope shield shop-eu action:blocked last:6h by:rule,asn',
      'what was blocked, by rule, then by network',
    ],
    ['edgescope shield shop-eu ip:203.0.113.0/24 --rows', 'single events of a network'],
    ["edgescope shield shop-eu --until 'blocked>500/min over 5m'", 'wait for an attack'],
  ],
  storage: [
    ['edgescope storage', 'the list'],
    ['edgescope storage press --format ndjson', 'the settings of one, printed without its passwords'],
    [
      'edgescope storage press set Rewrite404To200=true --confirm press --write',
      'change a setting; the verdict is printed',
    ],
  ],
  open: [
    ['edgescope open incident.ndjson.gz status:5xx', 'filters, groups, search and detail as on a live log'],
    ['zcat 08-01-26/*.log.gz | edgescope open - by:ip', 'day files, through standard input'],
    ['edgescope open -f day.log', 'go on with what is added to the file'],
    [
      'edgescope open eu.log us.log zone:4711 -- \'"union select"\'',
      'several files; free text goes after --',
    ],
  ],
  keys: [['edgescope keys --format csv', 'ids, roles and fingerprints, printed; never a value']],
  sim: [['edgescope sim --port 8080 --seed 7', 'prints its addresses, and a key that it takes']],
  config: [
    ['edgescope config check --profile work', 'what a start with this profile would use'],
    ['edgescope config path', 'the file to write'],
  ],
  completion: [['edgescope completion bash > edgescope.bash', 'a file to be sourced by .bashrc']],
  man: [['edgescope man > edgescope.1', 'man ./edgescope.1 shows it']],
  help: [['edgescope help logs', 'the same as edgescope logs --help']],
} as const satisfies Record<CommandName, readonly (readonly [line: string, does: string])[]>;
