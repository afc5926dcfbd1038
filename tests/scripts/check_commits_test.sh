#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/bazel/check_commits takes subjects as CONTRIBUTING.md has them, and names each other one. Runs on the source tree: by Bazel, or
# from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
check=$PWD/tools/bazel/check_commits
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/check_commits.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
git init -q .
failures=0

# expect WHAT COMMAND...: fails unless the command succeeds for the status and the words of the last check.
expect() {
  if "${@:2}"; then echo "ok: $1"; else echo "BROKEN: $1: status $status, $said"; failures=$((failures + 1)); fi
}

# checked SUBJECT: sets status and said, of a commit of the subject behind one that breaks every rule.
checked() {
  git commit -q --allow-empty -m 'Older than the rule.'
  git commit -q --allow-empty -m "$1"
  status=0
  said=$("$check" HEAD~1) || status=$?
}

# accepts SUBJECT
accepts() {
  checked "$1"
  expect "$1" test "$status $said" = "0 "
}

# rejects SUBJECT WORDS: with the subject and the words.
rejects() {
  checked "$1"
  expect "no $1, by the status" test "$status" = 1
  expect "no $1" grep -qF -- " $1: $2" <<<"$said"
}

accepts "gpu: poll the stop flag every 300 us"
accepts "three-star: pass a range of indices as one value"
accepts "encode: need no clip: read a pipe, too"
accepts "docs: $(printf 'x%.0s' {1..54})"
rejects "docs: $(printf 'x%.0s' {1..55})" "61 characters"
rejects "poll the stop flag" 'write "area: imperative"'
rejects "report, reproduce: name runs" 'write "area: imperative"'
rejects "three_star: write a column" 'the area "three_star" is none'
rejects "GPU: poll the stop flag" 'the area "GPU" is none'
rejects "gpu: Poll the stop flag" 'begin with an imperative in place of "Poll"'
rejects "gpu: polling of the stop flag" 'begin with an imperative in place of "polling"'
rejects "gpu: polled the stop flag" 'begin with an imperative in place of "polled"'
rejects "gpu: polls the stop flag" 'begin with an imperative in place of "polls"'
rejects "gpu: poll the stop flag." "leave out the full stop"

status=0
said=$("$check" 2e882f28052b3736bd1074e03f2efe7d4464fd59) || status=$?
expect "another history" test "$status $said" = "3 the commit 2e882f28 is not in the history of these sources"
((failures == 0))
