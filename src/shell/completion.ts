/** The completion scripts by shell. Each asks the program (`completion -- <words>`), so that one place knows what fits. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  // For bash 3.2 and newer; needs no package beside it.
  bash: `# bash completion of edgescope: source <(edgescope completion bash)
_edgescope() {
  local line="\${COMP_LINE:0:COMP_POINT}" cur word help end='' cut=''
  local -a typed
  # Bash breaks words at colons, which terms of a query have in them, so the line is read again.
  read -ra typed <<<"$line"
  case "$line" in *[[:space:]]) typed+=('') ;; esac
  cur="\${typed[\${#typed[@]}-1]}"
  # What bash takes for a word begins behind the last sign at which it breaks.
  case "$COMP_WORDBREAKS" in *:*) case "$cur" in *:*) cut="\${cur%:*}:" ;; esac ;; esac
  case "$COMP_WORDBREAKS" in *=*) case "$cur" in *:*) ;; *=*) cut="\${cur%%=*}=" ;; esac ;; esac
  COMPREPLY=()
  while IFS=$'\\t' read -r word help; do
    case "$word" in
      '') compopt -o default 2>/dev/null ;;
      "$cur"*)
        case "$word" in *[:=]) end=open ;; esac
        COMPREPLY+=("\${word#"$cut"}")
        ;;
    esac
  done < <("\${typed[0]}" completion -- "\${typed[@]:1}" 2>/dev/null)
  if [ "\${#COMPREPLY[@]}" -eq 1 ] && [ -n "$end" ]; then compopt -o nospace 2>/dev/null; fi
  return 0
}

complete -F _edgescope edgescope
`,

  // To be sourced, or put into a folder of fpath as _edgescope.
  zsh: `#compdef edgescope
# zsh completion of edgescope: source <(edgescope completion zsh), after compinit
_edgescope() {
  local word help ending
  local -a offers helps shown
  integer widest=0 i
  while IFS=$'\\t' read -r word help; do
    if [[ -z "$word" ]]; then _files; continue; fi
    offers+=("$word")
    helps+=("$help")
    ((\${#word} > widest)) && widest=\${#word}
  done < <("\${words[1]}" completion -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  for ((i = 1; i <= $#offers; i += 1)); do
    [[ "\${offers[i]}" == *[:=] ]] && ending='' || ending=' '
    shown=("\${(r:widest:)offers[i]}  -- \${helps[i]}")
    compadd -l -S "$ending" -d shown -- "\${offers[i]}"
  done
}

if [[ "\${funcstack[1]}" == _edgescope ]]; then _edgescope "$@"; else compdef _edgescope edgescope; fi
`,

  // For fish 3.1 and newer, to be sourced or saved as completions/edgescope.fish.
  fish: `# fish completion of edgescope: edgescope completion fish | source
function __edgescope_complete
    set -l tokens (commandline -opc)
    for offer in ($tokens[1] completion -- $tokens[2..-1] (commandline -ct) 2>/dev/null)
        if test -n "$offer"
            echo $offer
        else
            __fish_complete_path (commandline -ct)
        end
    end
end

complete -c edgescope -f -a '(__edgescope_complete)'
`,
};
