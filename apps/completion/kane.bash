# SPDX-License-Identifier: MIT
# Completion for bash: the program says what may come next (apps/kane/completion.c); where it says nothing, files.

_kane() {
    local line=${COMP_LINE:0:COMP_POINT} words candidate
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local begun=${words[-1]}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        [[ $candidate == "$begun"* ]] && COMPREPLY+=("$candidate")
    done < <(KANE_COMPLETE=$begun "${words[@]:0:${#words[@]}-1}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    [[ $begun == *=* && $COMP_WORDBREAKS == *=* ]] && COMPREPLY=("${COMPREPLY[@]#*=}") # bash keeps what stands before =
    return 0
}
complete -o default -F _kane kane
