#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/release makes an archive that knows its commit without git, checksums that hold, and notes; and rejects a version
# that is not the same everywhere. Runs on a copy of the source tree: by Bazel, or from its root by hand.
set -euo pipefail
if [[ -n ${TEST_SRCDIR:-} ]]; then cd "$(dirname "$(readlink -f WORKSPACE)")"; fi
copy=$(mktemp -d "${TEST_TMPDIR:-/tmp}/tree.XXXXXX")
unpacked=$copy.unpacked
trap 'rm -rf "$copy" "$unpacked"' EXIT
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
# No repository is around it, and no git is on PATH.
mkdir "$unpacked" "$unpacked/bin" "$unpacked/include" && tar -xzf "out/millrace-$version.tar.gz" -C "$unpacked"
tree=$unpacked/millrace-$version
ln -s "$tree" "$unpacked/include/millrace"
printf '#!/bin/sh\necho "git $*" >>"%s"\nexit 127\n' "$unpacked/calls" >"$unpacked/bin/git"
chmod +x "$unpacked/bin/git"

# in_archive COMMAND...: runs it in the root of the archive, without git.
in_archive() {
  (cd "$tree" && PATH=$unpacked/bin:$PATH "$@")
}

# compiles SOURCE...: true if the compiler takes them with the headers of the archive.
compiles() {
  in_archive "${CXX:-c++}" -std=c++20 -fsyntax-only -I"$unpacked/include" "$@"
}

# has_named_files: true if each file of the tree that build files and sources of the archive name is in it.
has_named_files() {
  local missing
  missing=$(python3 -B tests/packages/archive_files.py . "$tree" 2>&1) && [[ -z $missing ]] || { echo "$missing"; return 1; }
}

# has_installed_headers: true if each header that is installed is in the archive.
has_installed_headers() {
  local headers
  headers=$(in_archive tools/bazel/install_files/public_headers tbb simt 2>&1) || { echo "$headers"; return 1; }
  (($(wc -l <<<"$headers") > 50)) || { echo "at most 50 headers are installed: $headers"; return 1; }
  (cd "$tree" && xargs -d '\n' ls) <<<"$headers" >/dev/null
}

expect "the archive has the files that build files and sources name" has_named_files
expect "the archive has the headers that are installed" has_installed_headers
expect "sources of the archive compile" compiles runtime/core/backend.cc runtime/core/device.cc runtime/core/error.cc
expect "the archive knows its commit" test "$(in_archive tools/bazel/workspace_status)" = "STABLE_MILLRACE_COMMIT $commit"
expect "the archive needs no git" test ! -e "$unpacked/calls"
mv out/millrace-"$version".tar.gz first.tar.gz
tools/release --draft --out "$copy/out" >/dev/null
expect "another run makes the same archive" cmp first.tar.gz "out/millrace-$version.tar.gz"
sed -i "s/^## $version .*/## $version (2026-01-31)/" CHANGELOG.md && git commit -qam 'changelog: date the version'
rm -rf out first.tar.gz said
tools/release --tag --out "$copy.out" >/dev/null
rm -rf "$copy.out"
expect "the tag has the notes" sh -c "git tag -l --format='%(contents)' 'v$version' | grep -q '^### Added'"
expect "a tag is made once" rejects "the tag v$version exists" --out "$copy.out"
sed -i 's/^HEADER_VERSION = .*/HEADER_VERSION = 99/' bindings/python/millrace/_library.py
expect "versions agree" rejects "_library.py has the version '99'" --draft --out "$copy.out"
((failures == 0))
