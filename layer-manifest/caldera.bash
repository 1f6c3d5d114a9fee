# Completions of the command caldera for bash.
_caldera() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} i
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W 'run compile info doctor help version' -- "$word"))
        return
    fi
    case $command in
        run)
            for ((i = 2; i < COMP_CWORD; i++)); do
                # Behind this are the application's words.
                if [ "${COMP_WORDS[i]}" = -- ]; then
                    COMPREPLY=($(compgen -c -f -- "$word"))
                    return
                fi
            done
            case $word in
                -*) COMPREPLY=($(compgen -W '--profile --check --html --trace --' -- "$word")) ;;
                *) COMPREPLY=($(compgen -f -- "$word")) ;;
            esac
            ;;
        compile)
            case $word in
                -*) COMPREPLY=($(compgen -W '-o -E --emit= --after= --target= -D -I -cl-std= -g' -- "$word")) ;;
                *) COMPREPLY=($(compgen -f -- "$word")) ;;
            esac
            ;;
        info) COMPREPLY=($(compgen -W '--target' -- "$word")) ;;
        help) COMPREPLY=($(compgen -W 'run compile info doctor' -- "$word")) ;;
    esac
}
complete -F _caldera caldera
