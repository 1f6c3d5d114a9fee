# Completions of the command caldera for fish: commands and options as its own help lists them.
function __caldera_listed
    # Lines of two blanks, the word, and what it is for.
    caldera help $argv[2..] 2>/dev/null | string match -rg "^  ($argv[1])\S*(?: \S+)*?  +(.*)\$" | while read -L word
        read -L why
        printf '%s\t%s\n' $word $why
    end
end
complete -c caldera -f -n __fish_use_subcommand -a '(__caldera_listed "[a-z]+")'
complete -c caldera -f -n '__fish_seen_subcommand_from help' -a '(__caldera_listed "[a-z]+")'
for command in run compile info doctor
    complete -c caldera -n "__fish_seen_subcommand_from $command" -a "(__caldera_listed '-[^ =]*=?' $command)"
end
