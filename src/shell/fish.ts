import type { CompletionWords } from './completion-words.ts';
import { inFishQuotes } from './quoting.ts';

/** A completion script for fish 3.1 and newer, to be sourced or saved as `completions/edgescope.fish`. */
export function fishScript({
  lists,
  valued,
  files,
  queries,
  assigning,
  fileCommands,
}: CompletionWords): string {
  const tables = [...lists].map(([key, offers]) => {
    const lines = offers.map(
      ({ word, help }) =>
        `            printf '%s\\t%s\\n' "$argv[2]"${inFishQuotes(word)} ${inFishQuotes(help)}`,
    );
    return `        case ${inFishQuotes(key)}\n${lines.join('\n')}`;
  });
  const asking = queries.map(
    ({ command, subject, before }) =>
      `        case ${command}\n            set subject ${subject}\n            set before ${before}`,
  );
  return `# fish completion of edgescope: edgescope completion fish | source
function __edgescope_offer
    switch $argv[1]
${tables.join('\n')}
        case '*'
            return 1
    end
end

function __edgescope_complete
    set -l command ''
    set -l operands 0
    set -l before 0
    set -l subject ''
    set -l skip ''
    set -l assigned ''
    set -l verb ''
    set -l tokens (commandline -opc)
    set -l cur (commandline -ct)
    for word in $tokens[2..-1]
        if test -n "$skip"
            set skip ''
            continue
        end
        switch $word
            case ${valued.join(' ')}
                set skip $word
            case '--*'
            case '-*:*' '-*~*'
                set operands (math $operands + 1)
            case '-*'
            case '*'
                if test -z "$command"
                    set command $word
                else
                    set operands (math $operands + 1)
                    if test $operands -eq 2
                        set verb $word
                    end
                end
        end
    end
    if test -n "$skip"
        switch $skip
            case ${files.join(' ')}
                __fish_complete_path "$cur"
            case '*'
                __edgescope_offer "choices/$skip" ''
        end
        return
    end
    switch $command
${asking.join('\n')}
        case ${assigning.join(' ')}
            set assigned $command
    end
    switch $cur
        case '--*=*'
            set -l parts (string split -m 1 = -- $cur)
            __edgescope_offer "choices/$parts[1]" "$parts[1]="
            return
        case '--*'
            if test -z "$command"
                set command zones
            end
            __edgescope_offer "options/$command" ''
            return
    end
    if test -z "$command"
        if string match -q -- '-*' $cur
            __edgescope_offer options/zones ''
        else
            __edgescope_offer commands ''
        end
        return
    end
    if test $operands -eq 0
        __edgescope_offer "words/$command" ''
        and return
    end
    if test -n "$subject" -a $operands -ge $before
        if string match -q -- '*:*' $cur
            set -l name (string replace -r -- '^-?([^:]*:).*' '$1' $cur)
            set -l head (string match -r -- '^-?[^:]*:(?:.*,)?' $cur)
            __edgescope_offer "values/$subject/$name" $head
        else if string match -q -- '-*' $cur
            __edgescope_offer "terms/$subject" -
        else
            __edgescope_offer "terms/$subject" ''
        end
    else if test -n "$assigned" -a $operands -eq 1
        __edgescope_offer "verbs/$assigned" ''
    else if test -n "$assigned" -a "$verb" = set
        if string match -q -- '*=*' $cur
            set -l name (string replace -r -- '=.*' '=' $cur)
            set -l head (string match -r -- '^[^=]*=(?:.*,)?' $cur)
            __edgescope_offer "assigned/$assigned/$name" $head
        else
            __edgescope_offer "fields/$assigned" ''
        end
    end
    ${fileCommands.length > 0 ? `if contains -- $command ${fileCommands.join(' ')}\n        __fish_complete_path "$cur"\n    end` : 'return 0'}
end

complete -c edgescope -f -a '(__edgescope_complete)'
`;
}
