#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the counts and the exit status of run_tests on a bundle of two copies of sample_cases.
set -euo pipefail

here=tools/bazel/bundle_files
bundle=$(mktemp -d)
trap 'rm -rf "$bundle"' EXIT
mkdir "$bundle"/{bin,lib,tests,tools}
cp "$here/run_tests" "$bundle"
cp "$here/sample_cases" "$bundle/tests/one.sample"
cp "$here/sample_cases" "$bundle/tests/two.sample"
touch "$bundle/tools/millrace"
failures=0

# expect NAME STATUS LAST_LINE OPTION...: runs run_tests with the options; what it printed is then in $output.
expect() {
  local status=0
  output=$("$bundle/run_tests" "${@:4}" 2>&1) || status=$?
  expect_equal "$1: status" "$status" "$2"
  expect_equal "$1: last line" "$(tail -1 <<<"$output")" "$3"
}

expect_equal() {
  [[ $2 == "$3" ]] && return
  printf 'FAILED %s: "%s" in place of "%s"\n%s\n' "$1" "$2" "$3" "$output"
  failures=$((failures + 1))
}

expect_printed() {
  [[ $output == *"$1"* ]] && return
  printf 'FAILED: "%s" is not in\n%s\n' "$1" "$output"
  failures=$((failures + 1))
}

expect "all programs" 0 "2 passed, 0 failed" --filter '*Passes'
expect "one program" 0 "1 passed, 0 failed" --filter '*Passes' 'two.*'
expect "no case" 1 "0 passed, 0 failed" --filter '*Unheard'

expect "a failure" 1 "1 passed, 1 failed" --filter '*Passes:*Fails' one.sample
expect_printed "SampleTest.Fails"

expect "a skipped case" 0 "1 passed, 0 failed" --filter '*Passes:*Skipped' one.sample
expect_printed "1 skipped"

expect "parameters" 1 "2 passed, 1 failed" --filter '*IsOdd*' one.sample
expect "a crash" 1 "1 passed, 1 failed" --filter '*Passes:*Aborts' one.sample
expect_printed "ended with status 134"

expect "no end" 1 "0 passed, 1 failed" --filter '*NeverEnds' --limit 1 one.sample
expect_printed "stopped after"

expect "the command" 0 "2 passed, 0 failed" --filter '*FindsTheCommand'
expect "an unknown option" 2 "run_tests: unknown option --unheard; see --help" --unheard

expect "logs" 1 "0 passed, 2 failed" --filter '*Fails' --logs "$bundle/logs"
expect_equal "what failed is in the log" "$(grep -c '1 + 1' "$bundle/logs/tests.log")" 2

# A sanitizer that finds something in a program whose cases all pass; the other program has no CUDA code.
cat >"$bundle/bin/compute-sanitizer" <<'END'
#!/usr/bin/env bash
while [[ $1 == --* ]]; do
  [[ $1 == --tool ]] && echo "as $2"
  shift 2
done
"$@"
exit 99
END
chmod +x "$bundle/bin/compute-sanitizer"
echo ".nv_fatbin" >>"$bundle/tests/two.sample"
PATH=$bundle/bin:$PATH
expect "a sanitizer" 1 "1 passed, 1 failed" --filter '*Passes' --sanitizer racecheck --logs "$bundle/logs"
expect_equal "the sanitizer's tool" "$(grep -c '^as racecheck' "$bundle/logs/racecheck.log")" 1

((failures == 0))
