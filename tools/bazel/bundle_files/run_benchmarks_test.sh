#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests which benchmarks run_benchmarks runs and how it counts them, with a program in place of bench.
set -euo pipefail

bundle=$(mktemp -d)
trap 'rm -rf "$bundle"' EXIT
mkdir "$bundle/tools"
cp tools/bazel/bundle_files/run_benchmarks "$bundle"
cat >"$bundle/tools/bench" <<'END'
#!/usr/bin/env bash
case $1 in
  --help) printf 'Options:\n  --device TEXT\n\nSubcommands:\n  sum    Adds\n  copy   Copies\n  broken Fails\n' ;;
  sum) printf 'met     a bar\nmet     another\nMISSED  a third\n' ;;
  copy | motion-quality) echo "copied with ${*:2}" ;;
  sort) echo "bench: not on a GPU" >&2; exit 3 ;;
  *) exit 2 ;;
esac
END
chmod +x "$bundle/tools/bench"
failures=0

# expect NAME STATUS LAST_LINES OPTION...: runs run_benchmarks with the options; what it printed is then in $output.
expect() {
  local status=0
  output=$("$bundle/run_benchmarks" "${@:4}" 2>&1) || status=$?
  if [[ $status != "$2" || $output != *"$3" ]]; then
    printf 'FAILED %s: status %d and not "%s" at the end of\n%s\n' "$1" "$status" "$3" "$output"
    failures=$((failures + 1))
  fi
}

expect "all, of which one fails" 1 $'bars: 2 met, 1 missed\n2 passed, 1 failed'
expect "those named" 0 $'bars: 0 met, 0 missed\n1 passed, 0 failed' copy
expect "one that the device cannot run" 1 $'skipped: sort\nbars: 0 met, 0 missed\n0 passed, 0 failed' sort
expect "one with what it needs, and some without" 0 \
  $'skipped: sort group motion-quality\nbars: 0 met, 0 missed\n1 passed, 0 failed' sort group copy motion-quality
touch "$bundle/clip"
expect "one with the bundle's clip" 0 $'skipped: none\nbars: 0 met, 0 missed\n1 passed, 0 failed' motion-quality
if [[ $output != *"copied with --clip $bundle/clip"* ]]; then
  printf 'FAILED: without the clip\n%s\n' "$output"
  failures=$((failures + 1))
fi
expect "an unknown one" 1 "0 passed, 1 failed" unheard
expect "an unknown option" 2 "run_benchmarks: unknown option --unheard; see --help" --unheard
expect "options and a log" 0 "1 passed, 0 failed" --device cuda:0 --quick --logs "$bundle/logs" copy
expect "the same words, joined" 0 "1 passed, 0 failed" --device=cuda:0 copy
output=$(cat "$bundle/logs/benchmarks.log")
if [[ $output != *"copied with --device cuda:0 --seconds 0.2"* ]]; then
  printf 'FAILED: the log is\n%s\n' "$output"
  failures=$((failures + 1))
fi

((failures == 0))
