#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples' commands: what they print, what they reject, and their exit status.
set -u
folder=docs/examples
work=$TEST_TMPDIR
failures=0

# expect STATUS PATTERN COMMAND...: the exit status, and a pattern of what is printed. A status of 2 comes with exactly
# one line on stderr.
expect() {
  local status=$1 pattern=$2 result=0 lines
  shift 2
  "$folder/$@" >"$work/out" 2>"$work/err" || result=$?
  lines=$(wc -l <"$work/err")
  if ((result != status)) || ! cat "$work/out" "$work/err" | grep -qE -- "$pattern" ||
    ((lines != (status == 2 ? 1 : 0))); then
    echo "FAILED: $* gave $result, expected $status and /$pattern/:"
    cat "$work/out" "$work/err"
    failures=$((failures + 1))
  fi
}

expect 0 'check: ok' quadrature --tolerance 1e-6
expect 0 'check: ok' n_queens --queens 8
expect 0 '^tbb +uberkernel ' n_queens --queens 8 --policy uberkernel
expect 0 'check: ok' mandelbrot --size 64x48 --max-dwell 50 --view seahorses
expect 0 'check: ok' mandelbrot --size 64x48 --max-dwell 50 --view -1.25,0,0.5 --policy auto
expect 0 'check: ok' uts
expect 0 '1732 nodes, depth 6, 1050 leaves \(by one thread\)' uts -t 1 -a 0 -d 6 -b 4 -r 7 -r 0
# The benchmark's sample trees by its own command lines: T1, T3 and T4.
expect 0 ': 4130071 nodes, depth 10, 3305118 leaves \(published\)' uts --policy persistent -t 1 -a 3 -d 10 -b 4 -r 19
expect 0 ': 4112897 nodes, depth 1572, 3599034 leaves \(published\)' uts --policy persistent -t 0 -b 2000 -q 0.124875 -m 8 -r 42
expect 0 ': 4132453 nodes, depth 134, 3108986 leaves \(published\)' \
  uts --policy persistent -t 2 -a 0 -d 16 -b 6 -r 1 -q 0.234375 -m 4 -r 1
other=$("$folder/uts" --device abacus 2>&1 | sed 's/.*there are: //; s/, /\n/g' | grep -v '^tbb' | tail -1)
expect 0 'segments, [0-9]+ tasks taken' uts --device "$other,tbb" --policy persistent
expect 0 "^tbb,$other " fibonacci --n 12 --device "tbb,$other" --repeat 2 --trace "$work/trace.json"
grep -q "\"$other" "$work/trace.json" || { echo "FAILED: the timeline has no $other"; failures=$((failures + 1)); }
expect 2 "no device 'abacus'" uts --device tbb,abacus
expect 2 "cannot write '/nowhere/trace.json'" fibonacci --n 5 --trace /nowhere/trace.json
expect 0 'more than --check-limit' uts --check-limit 100 --policy auto
expect 0 '31 nodes, depth 4, 16 leaves' uts -t 3 -d 4 -b 2 -g 2
expect 0 'fibonacci\(15\), uberkernel: 610, 610 by additions' fibonacci --n 15
expect 0 'check: ok' alignment --length 300 --tile 32
expect 0 'not checked: more than --check-limit' alignment --length 300 --check-limit 89999
expect 0 'persistent: .* is [0-9.e-]+, at most ' cholesky --size 100 --tile 16
expect 0 'check: ok' cholesky --size 1 --tile 8
expect 0 'check: skipped' cholesky --size 50 --no-check --policy auto
expect 0 'check: ok' cholesky --size 60 --tile 8 --device "tbb,$other"
expect 0 'check: ok' merge_sort --size 20000 --keys 100
expect 0 'uberkernel: 3000 pairs' merge_sort --size 3000 --cut-off 5 --part 100
expect 0 'check: ok' delta_stepping --check
expect 0 'of 256 nodes reached' delta_stepping --rmat 8 16 --delta 20 --policy auto --check
expect 0 'uberkernel: 1 of 1 nodes reached by 0 edges' delta_stepping --grid 1 1
printf '>one\nTGTT\nACGG\n' >"$work/one.fa"
printf '>two\nggttgacta\n>three\nACGT\n' >"$work/two.fa"
scores=(--match 3 --mismatch -3 --gap -2)
expect 0 'score 13, ends at letters 6 and 7' alignment --first "$work/one.fa" --second "$work/two.fa" "${scores[@]}"
for command in quadrature n_queens mandelbrot uts fibonacci alignment cholesky merge_sort delta_stepping; do
  expect 0 'device' "$command" --help
  expect 2 "no device 'abacus'; there are: .*tbb" "$command" --device abacus
  expect 2 "no policy 'whim'; there are: auto, persistent" "$command" --policy whim
  expect 2 'frobnicate' "$command" --frobnicate
done
expect 2 'tolerance is 0; it is 1e-09 to 0.001' quadrature --tolerance 0
expect 2 'tolerance' quadrature --tolerance tight
expect 2 'queens is 19; it is 1 to 18' n_queens --queens 19
expect 2 'cut_off is -1' n_queens --cut-off -1
expect 2 'max_depth is 5, but the tree is deeper; increase it, to 65534 at most' uts --max-depth 5
expect 2 'branching is 0; it must be 0.001 to 65535' uts -b 0
expect 2 'type is 4; it must be 0 to 3' uts -t 4
expect 2 'n is 46; it must be 0 to 45' fibonacci --n 46
expect 2 'tile is 129; it must be 1 to 128' alignment --tile 129
expect 2 'length is 0; it must be 1 to 1048576' alignment --length 0
expect 2 "one file is '.*/one.fa'; give --first and --second" alignment --first "$work/one.fa"
expect 2 'delta is 0; it must be 1 to 4294967295' delta_stepping --delta 0
expect 2 'source is 6; it must be 0 to 5' delta_stepping --grid 2 3 --source 6
expect 2 'the grid is 0 x 3; it must have 1 to 16777216 crossings' delta_stepping --grid 0 3
expect 2 'scale is 25; it must be 1 to 24' delta_stepping --rmat 25 16
expect 2 'excludes' delta_stepping --grid 2 3 --rmat 5 5
expect 2 'absent.fa: cannot be read' alignment --first "$work/one.fa" --second "$work/absent.fa"
expect 2 'size is 0; it must be 1 to 32768' cholesky --size 0
expect 2 'tile is 12; it must be a multiple of 8 up to 256' cholesky --tile 12
expect 2 'tile is 8, which makes 257 rows of tiles' cholesky --size 2049 --tile 8
expect 2 'size is 0; it must be 1 to 134217728' merge_sort --size 0
expect 2 'keys is 0; it must be 1 to 4294967295' merge_sort --keys 0
expect 2 'cut_off is 0; it must be 1 to 16777216' merge_sort --cut-off 0
expect 2 "size is '64'" mandelbrot --size 64
expect 2 'width is 0; it is 1 to 16384' mandelbrot --size 0x9
expect 2 "no view 'mars'; there are: antenna" mandelbrot --view mars
expect 2 'max-dwell' mandelbrot --max-dwell -5
expect 2 'cannot be written' mandelbrot --size 20x20 --out "$work/no/such/folder.png"

# The page's commands by `bazel run`, with a smaller tree.
page=docs/guide/many_devices.md
mapfile -t lines < <(sed -n 's|^    bazel run -c opt //docs/examples:\([a-z_]*\) --|\1|p' "$page")
((${#lines[@]} > 2)) || { echo "FAILED: $page has ${#lines[@]} commands"; failures=$((failures + 1)); }
for line in "${lines[@]}"; do
  line=${line//-d 10/-d 6}
  read -ra words <<<"${line//\$PWD/$work}"
  expect 0 'check: ok' "${words[@]}"
done

echo mine >"$work/kept.png"
expect 2 'exists already' mandelbrot --size 20x20 --out "$work/kept.png"
[[ $(cat "$work/kept.png") == mine ]] || { echo "FAILED: kept.png was touched"; failures=$((failures + 1)); }
expect 0 'written: .*kept.png, 20x20' mandelbrot --size 20x20 --out "$work/kept.png" --force
[[ $(head -c 4 "$work/kept.png" | tail -c 3) == PNG ]] || { echo "FAILED: kept.png is no PNG"; failures=$((failures + 1)); }
expect 2 'width is 0' mandelbrot --size 0x9 --out "$work/new.png"
[[ ! -e $work/new.png ]] || { echo "FAILED: new.png was left behind"; failures=$((failures + 1)); }
[[ -z $(find "$work" -name '*.part') ]] || { echo "FAILED: a temporary file was left behind"; failures=$((failures + 1)); }

((failures == 0))
