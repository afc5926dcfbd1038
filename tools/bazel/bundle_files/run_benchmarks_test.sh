#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests which workloads run_benchmarks measures and how it counts them, with a program in place of millrace.
set -euo pipefail

bundle=$(mktemp -d)
trap 'rm -rf "$bundle"' EXIT
mkdir "$bundle/tools"
cp tools/bazel/bundle_files/run_benchmarks "$bundle"
cat >"$bundle/tools/millrace" <<'END'
#!/usr/bin/env bash
[[ $1 == bench ]] || exit 2
case $2 in
  --list) printf 'sum                    adds\n%23sinputs: one\ncopy                   copies\nbroken                 fails\n' '' ;;
  sum) echo "1 measured" ;;
  copy | motion-quality) echo "copied with ${*:3}" ;;
  sort) echo "millrace: no chosen workload can run here; r.json says why" >&2; exit 2 ;;
  *) echo "millrace: no workload '$2'" >&2; exit 2 ;;
esac
END
chmod +x "$bundle/tools/millrace"
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

expect "all, of which one fails" 1 $'skipped: none\n2 passed, 1 failed'
expect "those named" 0 $'skipped: none\n1 passed, 0 failed' copy
expect "one that the device cannot run" 1 $'skipped: sort\n0 passed, 0 failed' sort
expect "one that it can, and one that it cannot" 0 $'skipped: sort\n1 passed, 0 failed' sort copy
touch "$bundle/clip"
expect "one with the bundle's clip" 0 $'skipped: none\n1 passed, 0 failed' motion-quality
if [[ $output != *"--input $bundle/clip"* ]]; then
  printf 'FAILED: without the clip\n%s\n' "$output"
  failures=$((failures + 1))
fi
expect "an unknown one" 1 "0 passed, 1 failed" unheard
expect "an unknown option" 2 "run_benchmarks: unknown option --unheard; see --help" --unheard
expect "options and a log" 0 "1 passed, 0 failed" --device cuda:0 --quick --logs "$bundle/logs" copy
expect "the same words, joined" 0 "1 passed, 0 failed" --device=cuda:0 copy
output=$(cat "$bundle/logs/benchmarks.log")
if [[ $output != *"copied with --force --quick --device cuda:0 -o $bundle/logs/copy.json"* ]]; then
  printf 'FAILED: the log is\n%s\n' "$output"
  failures=$((failures + 1))
fi

((failures == 0))
