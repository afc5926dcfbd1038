#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# command_test.sh MPIRUN MILLRACE LOST_RANK: the command's ranks together do what one does.
mpirun=$(realpath "$1") millrace=$(realpath "$2") lost_rank=$(realpath "$3")
source "$(dirname "$0")/mpirun.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# expect_same NAME SUBCOMMAND ARGUMENT...: one rank and three leave the same files in the folder that is OUT in the arguments.
expect_same() {
  local name=$1
  shift
  mkdir one
  "$millrace" "${@//OUT/one}" >one.log 2>&1 || { cat one.log; fail "$name: one rank"; }
  [[ -n $(ls one) ]] || fail "$name: one rank leaves nothing"
  mkdir many
  run_ranks 3 "$millrace" "${@//OUT/many}" >many.log 2>&1 || { cat many.log; fail "$name: three ranks"; }
  diff -r one many || fail "$name: three ranks leave something else"
  rm -r one many
  echo "ok: $name"
}

# expect_rejected NAME PATTERN COMMAND...: status other than 0, the pattern on standard error once, no result, nothing left.
expect_rejected() {
  local name=$1 pattern=$2
  shift 2
  if "$@" >log 2>err; then fail "$name: succeeded"; fi
  [[ $(grep -c "^millrace: .*$pattern" err) == 1 ]] || { cat err; fail "$name: not reported once"; }
  [[ -z $(find . -name '*some*') ]] || { ls -la; fail "$name: left a file"; }
  echo "ok: $name"
}

head -c 1200000 /dev/urandom >keys
expect_same "sort" sort keys -o OUT/sorted
expect_same "sort of pairs, descending" sort keys --type i32 --value-bytes 8 --descending -o OUT/sorted --check
expect_same "argsort to .npy" sort keys --type f32 --argsort -o OUT/indices.npy
head -c 8 keys >short
expect_same "fewer keys than ranks" sort short -o OUT/sorted

expect_same "3-stars" three-star --random 1500 --radius 60 -o OUT/stars.csv --sorted
expect_same "relays" three-star --random 1500 --radius 60 --place --relays OUT/relays.csv

# put_clip FIRST: a clip of four frames.
put_clip() {
  echo "YUV4MPEG2 W64 H96 F25:1 C420jpeg"
  for frame in 0 1 2 3; do
    echo FRAME
    dd if=keys bs=9216 skip=$(($1 + frame)) count=1 status=none
  done
}
put_clip 1 >clip.y4m
expect_same "motion" me clip.y4m --range 8 -o OUT/vectors.bin --overlay OUT/overlay.y4m
expect_same "IDCT" idct clip.y4m --policy uberkernel --device tbb --out-dir OUT

# Lines of streams come in any order. One file is no stream: the status is 1, and its line says why.
mkdir streams
"$millrace" encode clip.y4m -o streams/0.264 >log 2>&1 || { cat log; fail "encode"; }
put_clip 5 >other_clip.y4m
"$millrace" encode other_clip.y4m -o streams/1.264 >log 2>&1 || { cat log; fail "encode"; }
for stream in 2 3 4 5 6; do cp "streams/$((stream % 2)).264" "streams/$stream.264"; done
# expect_lines NAME OPTION...: three ranks write the lines of one process.
expect_lines() {
  local name=$1 status=0
  shift
  "$millrace" features "$@" streams streams/0.264 keys -o one.ldjson >log 2>&1 || status=$?
  [[ $status == 1 ]] || { cat log; fail "$name: status $status of one process"; }
  status=0
  run_ranks 3 "$millrace" features "$@" streams streams/0.264 keys -o many.ldjson >log 2>&1 || status=$?
  [[ $status != 0 ]] || { cat log; fail "$name: no failure of three ranks"; }
  [[ $(grep -c "^8 streams, 32 frames, 1 failed" log) == 1 ]] || { cat log; fail "$name: another summary, or not once"; }
  diff <(sort one.ldjson) <(sort many.ldjson) || fail "$name: three ranks write other lines"
  rm one.ldjson many.ldjson
  echo "ok: $name"
}
expect_lines "features"
put_clip 9 >third_clip.y4m
expect_same "encode of several clips" encode clip.y4m other_clip.y4m third_clip.y4m -o OUT/ --container 264
run_ranks 2 "$millrace" encode clip.y4m missing.y4m -o coded/ --json coded.json >log 2>err && fail "encode of a missing clip: succeeded"
[[ $(grep -c "missing.y4m" err) == 1 && -s coded/clip.mp4 ]] || { cat log err; fail "encode of a missing clip: not reported once"; }
grep -q '"failed":1' <(tr -d ' ' <coded.json) || { cat coded.json; fail "encode of a missing clip: no report of all ranks"; }
run_ranks 2 "$millrace" decode streams/0.264 -o decoded.y4m >log 2>err || { cat err; fail "decode"; }
"$millrace" decode streams/0.264 -o alone.y4m >log 2>&1
cmp decoded.y4m alone.y4m || fail "decode on rank 0"
expect_same "decode of several streams" decode streams -o OUT/
expect_same "decode of several streams by a device" decode streams -o OUT/ --device simt:0
run_ranks 2 "$millrace" decode streams/0.264 keys missing.264 -o decoded/ --json decoded.json >log 2>err && fail "decode of a missing stream: succeeded"
[[ $(grep -c "missing.264" err) == 1 && -s decoded/0.y4m ]] || { cat log err; fail "decode of a missing stream: not reported once"; }
grep -q '"failed":2' <(tr -d ' ' <decoded.json) || { cat decoded.json; fail "decode of a missing stream: no report of all ranks"; }
echo "ok: encode and decode"
expect_lines "features by a device" --device simt:0
mkdir first other
cp streams/0.264 streams/1.264 first
cp streams/0.264 other
expect_rejected "folders that differ" "different values of the names of streams" \
  "$mpirun" -n 1 -wdir "$folder/first" "$millrace" features . -o some : -n 1 -wdir "$folder/other" "$millrace" features . -o some
rm -r first other
expect_rejected "features that follow" "--follow needs a single process" run_ranks 2 "$millrace" features streams --follow -o some
expect_rejected "features of standard input" "standard input needs a single process" run_ranks 2 "$millrace" features - -o some

# bench is of one process of a machine: one rank works, and all end with its status.
run_ranks 3 "$millrace" bench micro-launch --device tbb --seconds 0.01 -o results.json >log 2>err || { cat err; fail "bench"; }
[[ $(grep -c "bench works on one rank of each machine" err) == 1 && $(grep -c "1 measured" log) == 1 ]] || { cat log err; fail "bench: not once"; }
expect_rejected "results that are there" "results.json: exists already" \
  run_ranks 3 "$millrace" bench micro-launch --device tbb -o results.json

# Workloads of ranks are of all of them, on 1, 2 and all 3: rank 0 prints and writes.
run_ranks 3 "$millrace" bench ranks --device simt:0 --seconds 0.01 -o ranks.json >log 2>err || { cat log err; fail "bench ranks"; }
[[ $(grep -c "24 measured, 0 wrong, 0 not supported, 0 failed" log) == 1 ]] || { cat log err; fail "bench ranks: not all, or not once"; }
[[ $(grep -c '"strategy":"all ranks"' ranks.json) == 8 && $(grep -c '"ranks":3' ranks.json) == 8 ]] || { cat ranks.json; fail "bench ranks: others"; }
cp ranks.json before.json
run_ranks 3 "$millrace" bench ranks --device simt:0 --seconds 0.01 -o ranks.json --resume >log 2>err || { cat log err; fail "bench ranks --resume"; }
cmp ranks.json before.json || fail "bench ranks --resume: measured again"
run_ranks 3 "$millrace" bench ranks --list >log 2>err || { cat log err; fail "bench ranks --list"; }
[[ $(grep -c "^ranks-sort" log) == 1 ]] || { cat log; fail "bench ranks --list: not once"; }
run_ranks 3 "$millrace" bench ranks-tree --device simt:0 --input strong --seconds 0.01 -o tree.json >log 2>err || { cat log err; fail "bench ranks-tree"; }
if "$millrace" bench ranks --device tbb -o one_rank.json >log 2>err; then fail "bench ranks on one rank: succeeded"; fi
grep -q "not supported: several ranks share it" log || { cat log err; fail "bench ranks on one rank: no reason"; }
echo "ok: bench ranks"
expect_rejected "workloads of ranks beside others" "micro-launch runs on one rank of each machine" \
  run_ranks 2 "$millrace" bench ranks micro-launch -o some.json
expect_rejected "results of ranks that are there" "ranks.json: exists already" run_ranks 2 "$millrace" bench ranks --device simt:0 -o ranks.json
expect_rejected "devices one after another" "--device is given 2 times" \
  run_ranks 2 "$millrace" bench ranks -o some.json --device tbb --device simt:0

expect_rejected "a missing file" "nokeys" run_ranks 3 "$millrace" sort nokeys -o some
expect_rejected "an option that is none" "nonsense" run_ranks 3 "$millrace" sort keys -o some --nonsense
expect_rejected "other arguments on rank 1" "different values of argument 6, here '--type u32'" \
  "$mpirun" -n 1 "$millrace" sort keys -o some --type u32 : -n 1 "$millrace" sort keys -o some --type i32
expect_rejected "fewer devices than ranks" "fewer devices" run_ranks 3 "$millrace" sort keys -o some --device simt:0,simt:1
expect_rejected "too little memory" "take more ranks" run_ranks 2 "$millrace" sort keys -o some --memory 70000

expect_rejected "a device for two ranks" "'simt:0' is twice" run_ranks 2 "$millrace" sort keys -o some --device simt:0,simt:0
expect_rejected "a device without a name" "an empty device name" run_ranks 2 "$millrace" sort keys -o some --device simt:0,
expect_rejected "a comparison of devices" "--device is given 2 times" \
  run_ranks 2 "$millrace" idct clip.y4m --device tbb --device simt:0

# Ranks whose files differ: rank 1 has a folder of its own.
# on_folders SUBCOMMAND ARGUMENT...: with rank 0 in the folder first, rank 1 in other.
on_folders() {
  "$mpirun" -n 1 -wdir "$folder/first" "$millrace" "$@" : -n 1 -wdir "$folder/other" "$millrace" "$@"
}
# put_frames WIDTH HEIGHT FRAMES: a clip.
put_frames() {
  echo "YUV4MPEG2 W$1 H$2 F25:1 C420jpeg"
  for ((frame = 0; frame < $3; ++frame)); do
    echo FRAME
    dd if=keys bs=$(($1 * $2 * 3 / 2)) skip=$((frame % 2)) count=1 status=none
  done
}
mkdir first other
put_frames 640 480 30 >first/clip.y4m
put_frames 320 480 30 >other/clip.y4m
for command in "idct --out-dir ." "me -o some.bin --range 8"; do
  expect_rejected "clips of two sizes: $command" "different values of the width of clip.y4m" on_folders $command clip.y4m
done
put_frames 640 480 29 >other/clip.y4m
for command in "idct --out-dir ." "me -o some.bin --range 8"; do
  expect_rejected "clips of two lengths: $command" "different values of the file clip.y4m" on_folders $command clip.y4m
done
cp first/clip.y4m other/clip.y4m
printf 'DAMAGE' | dd of=other/clip.y4m bs=1 seek=$((3 * 460806 + 39)) conv=notrunc status=none
for command in "idct --out-dir ." "me -o some.bin --range 8"; do
  expect_rejected "a damaged clip: $command" "rank 1: clip.y4m" on_folders $command clip.y4m
done
cp keys first/keys
{ printf 'else'; tail -c +5 keys; } >other/keys
[[ -z $(find . -name '*-idct*') ]] || fail "clips that differ: left a file"
expect_rejected "other keys" "different values of the file keys" on_folders sort keys -o some

# A rank that is lost while others wait for it: they end, and nothing has a result's name.
# expect_lost NAME STATUS PATTERN COMMAND...: ends with that status (any other than 0 if it is empty).
expect_lost() {
  local name=$1 expected=$2 pattern=$3 status=0
  shift 3
  "$@" >log 2>err || status=$?
  if ((status == 0)) || [[ -n $expected && $status != "$expected" ]]; then cat log err; fail "$name: status $status"; fi
  grep -q "$pattern" log err || { cat log err; fail "$name: not reported"; }
  echo "ok: $name (status $status)"
}
expect_lost "an error of a rank alone" 2 "^millrace: rank 2: nobody is notified of this" "$mpirun" -n 4 "$lost_rank" throw
expect_lost "a rank that dies in an exchange" "" "" "$mpirun" -n 4 "$lost_rank" die

# Rank 0 writes to a pipe, from which so little is read that all ranks are in the midst of it when rank 2 gets the signal.
# rank_2 SUBCOMMAND: the process of that rank, by its environment.
rank_2() {
  local id
  for id in $(pgrep -f "^$millrace $1 "); do
    if tr '\0' '\n' <"/proc/$id/environ" 2>/dev/null | grep -Eqx "(OMPI_COMM_WORLD_RANK|PMI_RANK)=2"; then echo "$id"; fi
  done
}
# signal_rank_2 SIGNAL SUBCOMMAND ARGUMENT...: sets status; reads the pipe to its end where the signal is not KILL.
signal_rank_2() {
  local signal=$1 victim reader='' launcher
  shift
  rm -f pipe.y4m
  mkfifo pipe.y4m
  exec 3<>pipe.y4m
  "$mpirun" -n 4 "$millrace" "$@" >log 2>err &
  launcher=$!
  head -c 1000 <&3 >begun || true
  victim=$(rank_2 "$1") || true
  if [[ -z $victim ]]; then cat log err; fail "$*: no rank 2"; else kill -s "$signal" "$victim"; fi
  if [[ $signal != KILL ]]; then cat <&3 >/dev/null & reader=$!; fi
  status=0
  wait "$launcher" || status=$?
  if [[ -n $reader ]]; then kill "$reader"; fi
  exec 3>&-
}
cp first/clip.y4m long.y4m
head -c 40000000 /dev/zero >many_keys
for command in "sort many_keys -o pipe.y4m --json some" "me long.y4m --range 8 -o some.bin --overlay pipe.y4m" \
  "three-star --random 3000 --radius 60 -o pipe.y4m --json some"; do
  signal_rank_2 KILL $command
  if ((status == 0)); then cat log err; fail "a killed rank: $command: status $status"; fi
  if [[ -e some || -e some.bin ]]; then fail "a killed rank: $command: a result"; fi
  echo "ok: a killed rank: $command (status $status)"
done
signal_rank_2 INT me long.y4m --range 8 -o some.bin --overlay pipe.y4m
if ((status != 130)); then cat log err; fail "a rank that is interrupted: status $status"; fi
[[ $(grep -c "interrupted; .* complete and written" err) == 1 && -e some.bin ]] || { cat log err; fail "a rank that is interrupted: not reported"; }
echo "ok: a rank that is interrupted"

# A signal to one rank ends a benchmark of all, which another one continues. On a busy machine the benchmark may end before it gets
# the signal, or before the first of its two results is seen; it is then started again.
bench_words=(bench ranks-sort --device simt:0 --seconds 2 --precision 0.0001 -o stopped.json)
status=0
until ((status != 0)) && ! grep -q "has 2 of 2" err; do
  rm -f stopped.json
  "$mpirun" -n 3 "$millrace" "${bench_words[@]}" >log 2>err &
  launcher=$!
  until grep -q '"workload"' stopped.json 2>/dev/null || ! kill -0 "$launcher" 2>/dev/null; do sleep 0.01; done
  victim=$(rank_2 bench) || true
  if [[ -n $victim ]]; then kill -s INT "$victim" || true; fi
  status=0
  wait "$launcher" || status=$?
done
if ((status != 130)); then cat log err; fail "bench ranks that are interrupted: status $status"; fi
[[ $(grep -c "interrupted; stopped.json has 1 of 2 configurations; --resume continues" err) == 1 ]] || { cat log err; fail "bench ranks that are interrupted: not reported"; }
run_ranks 3 "$millrace" "${bench_words[@]}" --resume >log 2>err || { cat log err; fail "bench ranks --resume after a signal"; }
[[ $(grep -c "6 measured" log) == 1 ]] || { cat log err; fail "bench ranks --resume after a signal: not all"; }
echo "ok: bench ranks that are interrupted"

((failures == 0))
