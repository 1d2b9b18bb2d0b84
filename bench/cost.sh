#!/bin/sh
# Instructions per tick of the released program, all in: sensing, mind, safety, world and metrics, as
# `tropism experiment … --jobs 1` runs them, without a trace. The slope between two caps takes out
# what a run costs whatever its length. Needs valgrind. Usage: bench/cost.sh [SEEDS [FROM_H TO_H]]
set -eu
cd "$(dirname "$0")/.."
seeds=${1:-2} from=${2:-0.1} to=${3:-0.3}
program=${TROPISM:-target/release/tropism}
[ -n "${TROPISM:-}" ] || cargo build --release --quiet --package tropism-cli
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

count() { # CONDITION CAP_H
    valgrind --tool=callgrind --callgrind-out-file="$folder/$1-$2" "$program" experiment \
        "bench/cost/$1.toml" --seeds "$seeds" --cap "$2" --jobs 1 --quiet --fresh \
        --out "$folder/results-$1-$2" 2>&1 | sed -n 's/.*Collected : //p'
}

for condition in full random_walk; do
    low=$(count "$condition" "$from")
    high=$(count "$condition" "$to")
    echo "$condition $low $high $seeds $from $to" |
        awk '{ printf "%s: %.0f instructions per tick\n", $1, ($3 - $2) / ($4 * 72000 * ($6 - $5)) }'
done
