#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/release makes an archive that knows its commit without git, checksums that hold, and notes; and rejects a version
# that is not the same everywhere. Runs on a copy of the source tree: by Bazel, or from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
copy=$(mktemp -d "${TEST_TMPDIR:-/tmp}/tree.XXXXXX")
trap 'rm -rf "$copy"' EXIT
tar -c --exclude='./bazel-*' --exclude=./.git . | tar -x -C "$copy"
cd "$copy"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
git init -q . && git add -A && git commit -qm 'test: commit the tree'
version=$(sed -nE 's/^    version = "([0-9.]+)",$/\1/p' MODULE.bazel | head -1)
commit=$(git rev-parse HEAD)
failures=0

# expect WHAT COMMAND...: fails unless the command succeeds.
expect() {
  if "${@:2}"; then echo "ok: $1"; else echo "BROKEN: $1"; failures=$((failures + 1)); fi
}

# rejects WORDS ARGUMENT...: true if the script fails and says WORDS.
rejects() {
  local said status=0
  said=$(tools/release "${@:2}" 2>&1) || status=$?
  ((status != 0)) && [[ $said == *"$1"* ]] || { echo "$status: $said"; return 1; }
}

expect "an unreleased section is no release" rejects "write its date" --out "$copy/out"
tools/release --draft --out "$copy/out" >"$copy/said"
expect "checksums hold" sh -c 'cd out && sha256sum --quiet -c SHA256SUMS'
expect "the notes are the section" grep -q '^### Added' "out/millrace-$version-notes.md"
mkdir unpacked && tar -xzf "out/millrace-$version.tar.gz" -C unpacked
tree=unpacked/millrace-$version
expect "the archive has the tree" test -e "$tree/tools/install"
expect "the archive knows its commit" test "$("$tree/tools/bazel/workspace_status")" = "STABLE_MILLRACE_COMMIT $commit"
mv out/millrace-"$version".tar.gz first.tar.gz
tools/release --draft --out "$copy/out" >/dev/null
expect "another run makes the same archive" cmp first.tar.gz "out/millrace-$version.tar.gz"
sed -i "s/^## $version .*/## $version (2026-01-31)/" CHANGELOG.md && git commit -qam 'changelog: date the version'
rm -rf out unpacked first.tar.gz said
tools/release --tag --out "$copy.out" >/dev/null
rm -rf "$copy.out"
expect "the tag has the notes" sh -c "git tag -l --format='%(contents)' 'v$version' | grep -q '^### Added'"
expect "a tag is made once" rejects "the tag v$version exists" --out "$copy.out"
sed -i 's/^HEADER_VERSION = .*/HEADER_VERSION = 99/' bindings/python/millrace/_library.py
expect "versions agree" rejects "_library.py has the version '99'" --draft --out "$copy.out"
((failures == 0))
