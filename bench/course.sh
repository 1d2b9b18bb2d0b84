#!/bin/sh
# Counts instructions per robot-step in the open room of the course at 100 Hz, all in: sensing, mind,
# safety and world. The slope between two run lengths takes out what a run costs whatever its length.
# Needs valgrind. The script is any file; the shared one is used where it is there.
#
#   bench/course.sh [SCRIPT] > bench/results/course.csv
set -eu
cd "$(dirname "$0")/.."
find_shared() { # the nearest folder above that holds the shared data
    folder=$PWD
    while [ "$folder" != / ] && [ ! -d "$folder/shared/golden" ]; do folder=$(dirname "$folder"); done
    echo "$folder/shared/data/scripts/line-follow-fsm.js"
}
script=${1:-$(find_shared)}
program=target/release/examples/robot_steps
cargo build --release --quiet -p tropism-lab --features javascript --example robot_steps
first=2000
last=6000
count() { # TICKS MIND [few]
    ticks=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" \
        scenarios/machines/room.toml "$ticks" "$@" 2>&1 | sed -n 's/.*Collected : //p'
}
row() { # NAME MEASURED MIND [few]
    name=$1 measured=$2
    shift 2
    a=$(count "$first" "$@")
    b=$(count "$last" "$@")
    echo "$name,$measured,$first,$last,$(((b - a) / (last - first)))"
}
echo "mind,measured,first_tick,last_tick,instructions_per_robot_step"
row braitenberg_3b used braitenberg_3b few
row braitenberg_3b all braitenberg_3b
row goal_blend used goal_blend few
row bug2 used bug2 few
row machine used machine few
row bench/course/rule.js all bench/course/rule.js
[ ! -f "$script" ] || row "$(basename "$script")" used "$script" few
[ ! -f "$script" ] || row "$(basename "$script")" all "$script"
