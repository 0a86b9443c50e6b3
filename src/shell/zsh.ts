import type { CompletionWords } from './completion-words.ts';
import { inQuotes } from './quoting.ts';

/** A completion script for zsh, to be sourced or put into a folder of `fpath` as `_edgescope`. */
export function zshScript({
  lists,
  valued,
  files,
  queries,
  assigning,
  fileCommands,
}: CompletionWords): string {
  const tables = [...lists].map(([key, offers]) => {
    const widest = Math.max(...offers.map(({ word }) => word.length));
    const lines = offers.map(
      ({ word, help }) => `      ${inQuotes(word)} ${inQuotes(`${word.padEnd(widest)}  -- ${help}`)}`,
    );
    return `    ${inQuotes(key)})\n      offers=(\n${lines.join('\n')}\n      ) ;;`;
  });
  const asking = queries.map(
    ({ command, subject, before }) => `      ${command}) subject=${subject} before=${before} ;;`,
  );
  return `#compdef edgescope
# zsh completion of edgescope: source <(edgescope completion zsh), after compinit
_edgescope_offer() {
  local -a offers words_only shown
  local i ending=' '
  case "$1" in
${tables.join('\n')}
    *) return 1 ;;
  esac
  for ((i = 1; i <= $#offers; i += 2)); do
    words_only+=("$2\${offers[i]}")
    shown+=("\${offers[i + 1]}")
  done
  [[ "$1" == (terms|fields)/* ]] && ending=''
  compadd -l -S "$ending" -d shown -a words_only
}

_edgescope() {
  local command='' skip='' word subject='' negated='' assigned='' verb=''
  integer operands=0 before=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n "$skip" ]]; then skip=''; continue; fi
    case "$word" in
      ${valued.join('|')}) skip="$word" ;;
      --*) ;;
      -*[:~]*) operands+=1 ;;
      -*) ;;
      *)
        if [[ -z "$command" ]]; then command="$word"; else operands+=1; fi
        ((operands == 2)) && [[ -z "$verb" ]] && verb="$word" ;;
    esac
  done
  if [[ -n "$skip" ]]; then
    case "$skip" in
      ${files.join('|')}) _files ;;
      *) _edgescope_offer "choices/$skip" ;;
    esac
    return
  fi
  case "$command" in
${asking.join('\n')}
      ${assigning.join('|')}) assigned="$command" ;;
  esac
  case "$PREFIX" in
    --*=*)
      word="\${PREFIX%%=*}"
      compset -P '*='
      _edgescope_offer "choices/$word"
      return ;;
    --*) _edgescope_offer "options/\${command:-zones}"; return ;;
  esac
  if [[ -z "$command" ]]; then
    case "$PREFIX" in
      -*) _edgescope_offer options/zones ;;
      *) _edgescope_offer commands ;;
    esac
    return
  fi
  if ((operands == 0)) && _edgescope_offer "words/$command"; then return; fi
  if [[ -n "$subject" ]] && ((operands >= before)); then
    [[ "$PREFIX" == -* ]] && negated=-
    case "$PREFIX" in
      *:*)
        word="\${\${PREFIX#-}%%:*}"
        compset -P '*:'
        compset -P '*,'
        _edgescope_offer "values/$subject/$word:" ;;
      *) _edgescope_offer "terms/$subject" "$negated" ;;
    esac
  elif [[ -n "$assigned" ]] && ((operands == 1)); then
    _edgescope_offer "verbs/$assigned"
  elif [[ -n "$assigned" && "$verb" == set ]]; then
    case "$PREFIX" in
      *=*)
        word="\${PREFIX%%=*}"
        compset -P '*='
        compset -P '*,'
        _edgescope_offer "assigned/$assigned/$word=" ;;
      *) _edgescope_offer "fields/$assigned" ;;
    esac
  fi
  ${fileCommands.length > 0 ? `case "$command" in\n    ${fileCommands.join('|')}) _files ;;\n  esac` : 'return 0'}
}

if [[ "\${funcstack[1]}" == _edgescope ]]; then _edgescope "$@"; else compdef _edgescope edgescope; fi
`;
}
