import type { CompletionWords } from './completion-words.ts';
import { inQuotes } from './quoting.ts';

/** A completion script for bash 3.2 and newer; needs no package beside it. */
export function bashScript({
  lists,
  valued,
  files,
  queries,
  assigning,
  fileCommands,
}: CompletionWords): string {
  const tables = [...lists].map(
    ([key, offers]) => `    ${inQuotes(key)}) echo ${inQuotes(offers.map(({ word }) => word).join(' '))} ;;`,
  );
  const asking = queries.map(
    ({ command, subject, before }) => `      ${command}) subject=${subject} before=${before} ;;`,
  );
  return `# bash completion of edgescope: source <(edgescope completion bash)
_edgescope_words() {
  case "$1" in
${tables.join('\n')}
  esac
}

_edgescope() {
  local line="\${COMP_LINE:0:COMP_POINT}" cur prev='' command='' operands=0 skip='' word list='' head=''
  local subject='' before=0 negated='' assigned='' verb='' candidate end='' cut=''
  local -a typed
  # Bash breaks words at colons, which terms of a query have in them, so the line is read again.
  read -ra typed <<<"$line"
  case "$line" in *[[:space:]]) typed+=('') ;; esac
  cur="\${typed[\${#typed[@]}-1]}"
  [ "\${#typed[@]}" -gt 1 ] && prev="\${typed[\${#typed[@]}-2]}"
  for word in "\${typed[@]:1:\${#typed[@]}-2}"; do
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
      ${valued.join(' | ')}) skip=yes ;;
      --*) ;;
      -*[:~]*) operands=$((operands + 1)) ;;
      -*) ;;
      *)
        if [ -z "$command" ]; then command="$word"; else operands=$((operands + 1)); fi
        [ "$operands" -eq 2 ] && [ -z "$verb" ] && verb="$word"
        ;;
    esac
  done
  COMPREPLY=()
  if [ -n "$skip" ]; then
    case "$prev" in
      ${files.join(' | ')}) compopt -o default 2>/dev/null; return ;;
    esac
    list="$(_edgescope_words "choices/$prev")"
  else
    case "$command" in
${asking.join('\n')}
      ${assigning.join(' | ')}) assigned="$command" ;;
    esac
    case "$cur" in
      --*=*) head="\${cur%%=*}="; list="$(_edgescope_words "choices/\${cur%%=*}")" ;;
      --*) list="$(_edgescope_words "options/\${command:-zones}")" ;;
      *)
        if [ -z "$command" ]; then
          case "$cur" in
            -*) list="$(_edgescope_words options/zones)" ;;
            *) list="$(_edgescope_words commands)" ;;
          esac
        elif [ "$operands" -eq 0 ] && [ -n "$(_edgescope_words "words/$command")" ]; then
          list="$(_edgescope_words "words/$command")"
        elif [ -n "$subject" ] && [ "$operands" -ge "$before" ]; then
          case "$cur" in -*) negated=- ;; esac
          word="\${cur#-}"
          case "$word" in
            *:*)
              head="$negated\${word%%:*}:"
              list="$(_edgescope_words "values/$subject/\${word%%:*}:")"
              case "$word" in *,*) head="\${cur%,*}," ;; esac
              ;;
            *) head="$negated"; list="$(_edgescope_words "terms/$subject")" ;;
          esac
        elif [ -n "$assigned" ] && [ "$operands" -eq 1 ]; then
          list="$(_edgescope_words "verbs/$assigned")"
        elif [ -n "$assigned" ] && [ "$verb" = set ]; then
          case "$cur" in
            *=*)
              head="\${cur%%=*}="
              list="$(_edgescope_words "assigned/$assigned/\${cur%%=*}=")"
              case "$cur" in *,*) head="\${cur%,*}," ;; esac
              ;;
            *) list="$(_edgescope_words "fields/$assigned")" ;;
          esac
        fi
        case "$command" in
          ${fileCommands.length > 0 ? `${fileCommands.join(' | ')}) compopt -o default 2>/dev/null ;;` : '*) ;;'}
        esac
        ;;
    esac
  fi
  # What bash takes for a word begins behind the last sign at which it breaks.
  case "$COMP_WORDBREAKS" in *:*) case "$cur" in *:*) cut="\${cur%:*}:" ;; esac ;; esac
  case "$COMP_WORDBREAKS" in *=*) case "$cur" in *:*) ;; *=*) cut="\${cur%%=*}=" ;; esac ;; esac
  for word in $list; do
    candidate="$head$word"
    case "$candidate" in
      "$cur"*)
        case "$candidate" in *[:=]) end=open ;; esac
        COMPREPLY+=("\${candidate#"$cut"}")
        ;;
    esac
  done
  if [ "\${#COMPREPLY[@]}" -eq 1 ] && [ -n "$end" ]; then compopt -o nospace 2>/dev/null; fi
  return 0
}

complete -F _edgescope edgescope
`;
}
