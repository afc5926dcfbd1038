#!/usr/bin/env bash
# command_test.sh MPIRUN MILLRACE: the command's ranks together do what one does.
mpirun=$(realpath "$1") millrace=$(realpath "$2")
source "$(dirname "$0")/mpirun.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# expect_same NAME SUBCOMMAND ARGUMENT...: one rank and several leave the same files in the folder that is OUT in the arguments.
expect_same() {
  local name=$1 ranks
  shift
  mkdir one
  "$millrace" "${@//OUT/one}" >one.log 2>&1 || { cat one.log; fail "$name: one rank"; }
  [[ -n $(ls one) ]] || fail "$name: one rank leaves nothing"
  for ranks in 2 4; do
    mkdir many
    run_ranks "$ranks" "$millrace" "${@//OUT/many}" >many.log 2>&1 || { cat many.log; fail "$name: $ranks ranks"; }
    diff -r one many || fail "$name: $ranks ranks leave something else"
    rm -r many
  done
  rm -r one
  echo "ok: $name"
}

# expect_refused NAME PATTERN COMMAND...: status other than 0, the pattern on standard error once, no result, nothing left.
expect_refused() {
  local name=$1 pattern=$2
  shift 2
  if "$@" >log 2>err; then fail "$name: succeeded"; fi
  [[ $(grep -c "^millrace: .*$pattern" err) == 1 ]] || { cat err; fail "$name: not told once"; }
  [[ -z $(find . -name '*some*') ]] || { ls -la; fail "$name: left a file"; }
  echo "ok: $name"
}

head -c 1200000 /dev/urandom >keys
expect_same "sort" sort keys -o OUT/sorted
expect_same "sort of pairs, descending" sort keys --type i32 --value-bytes 8 --descending -o OUT/sorted --check
expect_same "argsort to .npy" sort keys --type f32 --argsort -o OUT/places.npy
head -c 8 keys >few
expect_same "fewer keys than ranks" sort few -o OUT/sorted

expect_same "3-stars" three-star --random 1500 --radius 60 -o OUT/stars.csv --sorted
expect_same "relays" three-star --random 1500 --radius 60 --place --relays OUT/relays.csv

{
  echo "YUV4MPEG2 W64 H96 F25:1 C420jpeg"
  for frame in 1 2 3 4; do
    echo FRAME
    dd if=keys bs=9216 skip=$frame count=1 status=none
  done
} >clip.y4m
expect_same "motion" me clip.y4m --range 8 -o OUT/vectors.bin --overlay OUT/overlay.y4m
expect_same "IDCT" idct clip.y4m --policy uberkernel --device tbb --out-dir OUT

# bench is of one process: rank 0 works, and all end with its status.
run_ranks 3 "$millrace" bench micro-launch --device tbb --seconds 0.01 -o results.json >log 2>err || { cat err; fail "bench"; }
[[ $(grep -c "bench works on rank 0 alone" err) == 1 && $(grep -c "1 measured" log) == 1 ]] || { cat log err; fail "bench: not once"; }
expect_refused "results that are there" "results.json: exists already" \
  run_ranks 3 "$millrace" bench micro-launch --device tbb -o results.json

expect_refused "a missing file" "nokeys" run_ranks 3 "$millrace" sort nokeys -o some
expect_refused "an option that is none" "nonsense" run_ranks 3 "$millrace" sort keys -o some --nonsense
expect_refused "other arguments on rank 1" "different values of argument 6" \
  "$mpirun" -n 1 "$millrace" sort keys -o some --type u32 : -n 1 "$millrace" sort keys -o some --type i32
expect_refused "fewer devices than ranks" "fewer devices" run_ranks 3 "$millrace" sort keys -o some --device simt:0,simt:1
expect_refused "too little memory" "take more ranks" run_ranks 2 "$millrace" sort keys -o some --memory 70000

# Rank 2 is killed while ranks work, as far as one can tell from outside: the launcher ends the others, and what has the
# result's name is the whole result or nothing.
head -c 400000000 /dev/zero >many_keys
run_ranks 4 "$millrace" sort many_keys -o some >log 2>&1 &
launcher=$!
# rank_2: the process of that rank of this test's command, by its environment.
rank_2() {
  local id
  for id in $(pgrep -f "^$millrace sort many_keys -o some"); do
    if tr '\0' '\n' <"/proc/$id/environ" 2>/dev/null | grep -Eqx "(OMPI_COMM_WORLD_RANK|PMI_RANK)=2"; then echo "$id"; fi
  done
}
victim=
while kill -0 "$launcher" 2>/dev/null && [[ -z $victim ]]; do victim=$(rank_2 || true); done
if [[ -n $victim ]]; then kill -9 "$victim" || true; fi
status=0
wait "$launcher" || status=$?
if [[ -z $victim ]]; then fail "a killed rank: there was none to kill"; fi
if ((status == 0)) && [[ ! -e some ]]; then fail "a killed rank: success without a result"; fi
if [[ -e some && $(stat -c %s some) != 400000000 ]]; then fail "a killed rank: a part of a result"; fi
echo "ok: a killed rank (status $status)"

((failures == 0))
