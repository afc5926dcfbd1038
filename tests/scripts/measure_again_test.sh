#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/measure_again runs the commands that made the files of docs/results. A script stands for millrace: it notes its arguments and writes
# one measurement. Runs on the source tree: by Bazel, or from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/measure_again.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# expect WHAT COMMAND...: fails unless the command succeeds.
expect() {
  if "${@:2}"; then echo "ok: $1"; else echo "BROKEN: $1"; failures=$((failures + 1)); fi
}

cat >"$work/millrace" <<'END'
#!/usr/bin/env python3
import json, os, shlex, sys
words, out = sys.argv[1:-2], sys.argv[-1]
assert sys.argv[-2] == "-o" and not os.path.exists(out)
with open(os.environ["NOTES"], "a") as notes:
    print(shlex.join(["millrace", *words]), file=notes)
with open(out, "w") as file:
    json.dump({"command": shlex.join(["millrace", *words]), "is_complete": True, "measurements": [words[1]]}, file)
END
chmod +x "$work/millrace"
export NOTES=$work/notes

# member NAME FILE: prints the member.
member() { python3 -c 'import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' "$@"; }

# again FILE...: measures the files again.
again() { tools/measure_again "$work/millrace" "$@" -o "$work/out" >"$work/said" 2>&1; }

expect "the stored results are measured again" again docs/results/*.json
for file in docs/results/*.json; do member command "$file"; done | sed 's/ && /\n/g' >"$work/expected"
expect "by the commands that made them" cmp "$work/expected" "$work/notes"
expect "each has a file of its name, and there is no other" cmp <(ls docs/results) <(ls "$work/out")
for file in docs/results/*.json; do
  expect "$(basename "$file") has its command" test "$(member command "$file")" = "$(member command "$work/out/$(basename "$file")")"
done

echo '{"command": "millrace bench sort && millrace bench idct --label '"'two words'"'"}' >"$work/two.json"
again "$work/two.json"
expect "several commands have one file" test "$(member measurements "$work/out/two.json")" = "['sort', 'idct']"
expect "results that are there are kept" eval '! again "$work/two.json" && grep -q "exists already" "$work/said"'
echo '{"command": "rm -r data"}' >"$work/other.json"
expect "other commands are not run" eval '! again "$work/other.json" && grep -q "only commands of .millrace bench." "$work/said"'
printf '#!/bin/sh\nexit 3\n' >"$work/millrace"
rm -r "$work/out"
expect "a command that fails ends it" eval '! again "$work/two.json" && grep -q "status 3" "$work/said"'
((failures == 0))
