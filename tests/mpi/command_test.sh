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

expect_refused "a missing file" "nokeys" run_ranks 3 "$millrace" sort nokeys -o some
expect_refused "an option that is none" "nonsense" run_ranks 3 "$millrace" sort keys -o some --nonsense
expect_refused "other arguments on rank 1" "different values of argument 5" \
  "$mpirun" -n 1 "$millrace" sort keys -o some --type u32 : -n 1 "$millrace" sort keys -o some --type i32
expect_refused "fewer devices than ranks" "fewer devices" run_ranks 3 "$millrace" sort keys -o some --device simt:0,simt:1
expect_refused "too little memory" "take more ranks" run_ranks 2 "$millrace" sort keys -o some --memory 70000

# Found by their own name, and killed alone; the launcher ends the others.
head -c 400000000 /dev/zero >many
run_ranks 4 "$millrace" sort many -o some >log 2>&1 &
launcher=$!
victim=
for _ in $(seq 200); do
  victim=$(pgrep -f "$millrace sort many -o some" | while read -r id; do
    grep -qs "OMPI_COMM_WORLD_RANK=2" <(tr '\0' '\n' <"/proc/$id/environ") && [[ $(readlink "/proc/$id/exe") == *millrace ]] && echo "$id"
  done | head -1) && [[ -n $victim ]] && break
  sleep 0.05
done
if [[ -n $victim ]]; then
  kill -9 "$victim"
  status=0
  wait "$launcher" || status=$?
  ((status != 0)) || fail "a killed rank: the run succeeded"
  [[ ! -e some ]] || fail "a killed rank: there is a result"
  echo "ok: a killed rank"
else
  wait "$launcher" || true
  echo "skipped: no rank could be found to be killed"
fi

((failures == 0))
