#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions per call of the kernels of `kane bench`, counted by valgrind (callgrind): the difference of two runs with
# different numbers of calls, so that reading files and starting is not counted. Repeatable on any machine.
#
#   apps/bench/instructions.sh [build/release/bin/kane]
#   apps/bench/instructions.sh build/release/bin/kane eval-coach run-coach ...
#       these alone
#   apps/bench/instructions.sh build/release/bin/kane jacobians
#       evaluations and Jacobians alone, and what a Jacobian costs in evaluations
#   apps/bench/instructions.sh build/release/bin/efficiency
#       the ways of efficiency.h instead, a row for each number of bodies
set -eu
kane=${1:-build/release/bin/kane}
few=1000
many=3000
bench=bench

count() { # name, calls
    said=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$kane" $bench --only "$1" --repeat "$2" 2>&1) || {
        printf '%s\n' "$said" | grep -v '^==' >&2
        exit 1
    }
    printf '%s\n' "$said" | sed -n 's/.*refs: *//p' | tr -d ,
}

measure() { # name, few calls, many
    a=$(count "$1" "$2")
    b=$(count "$1" "$3")
    printf '%-24s %10d instructions\n' "$1" $(((b - a) / ($3 - $2)))
}

if [ "$(basename "$kane")" = efficiency ]; then
    bench=
    for structure in guided free chain; do
        for bodies in 3 7 10 20 50 100 200; do
            printf '%-6s %3d' $structure $bodies
            for subject in move f-products f-checked f-known f-transpose f-reduced products checked known transpose titan \
                reduced kane_eval; do
                a=$(count $structure-$bodies-$subject 1)
                b=$(count $structure-$bodies-$subject 2)
                printf ' %11d' $((b - a))
            done
            printf '\n'
        done
    done
    exit
fi

# Evaluation and Jacobian (which begins with one) of a model: instructions, and their ratio.
if [ "${2:-}" = jacobians ]; then
    for model in sedan:eval-sedan:jacobian-sedan hexapod:eval-hexapod:jacobian-hexapod \
        squeezer:eval-squeezer:jacobian-squeezer four-bar:eval-four-bar:jacobian-four-bar \
        wagon:eval-s1002:jacobian-s1002 wagon-constraint:eval-constraint:jacobian-constraint \
        wagon-tables:eval-tables:jacobian-tables feve:eval-feve:jacobian-feve coach:eval-coach:jacobian-coach \
        coach-flexible:eval-coach-flexible:jacobian-coach-flexible l15:l15:l15-jacobian \
        chain-100:chain-100:chain-100-jacobian chain-200:chain-200:chain-200-jacobian; do
        kernels=${model#*:}
        for kernel in ${kernels%:*} ${kernels#*:}; do
            a=$(count "$kernel" 20)
            b=$(count "$kernel" 60)
            set -- "$@" $(((b - a) / 40))
        done
        printf '%-18s %10d %10d %7d.%02d evaluations\n' "${model%%:*}" "$3" "$4" $(($4 / $3)) $((100 * $4 / $3 % 100))
        set -- "$1" "$2"
    done
    exit
fi

if [ $# -gt 1 ]; then
    shift
    for name; do
        case $name in
        run-* | study-*) measure "$name" 1 2 ;;
        *) measure "$name" $few $many ;;
        esac
    done
    exit
fi

for name in eval-cone eval-s1002 eval-s1002-straight eval-constraint eval-tables jacobian-cone jacobian-s1002 \
    jacobian-constraint jacobian-tables eval-coach eval-coach-straight eval-coach-tables \
    jacobian-coach jacobian-coach-tables contact-one contact-two normal-one normal-two gap-one gap-two guide creep-kalker \
    creep-linear creep-she creep-polach creep-fastsim l15 l15-derivative l15-jacobian chain-20 chain-20-derivative \
    chain-20-jacobian; do
    measure $name $few $many
done

# Cases of studies, without the first one, which makes the tables.
for name in study-wagon study-wagon-alone study-wagon-motion study-wagon-tables study-wagon-tables-alone study-coach \
    study-coach-alone; do
    measure $name 1 5
done
