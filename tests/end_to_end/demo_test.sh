#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/demo leaves videos that browsers play, and none without compression. What it installs and builds is here already.
set -euo pipefail
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/{bin,tools,bazel-bin/tools,bazel-bin/docs/examples}
cd "$scratch"
cp "$root/tools/demo" tools/demo
ln -s "$root/tools/millrace_video" bazel-bin/tools/millrace_video
ln -s "$root/docs/examples/mandelbrot" bazel-bin/docs/examples/mandelbrot
for tool in tools/setup bin/bazel; do
  printf '#!/bin/sh\n' >"$tool"
  chmod +x "$tool"
done
export PATH=$scratch/bin:$PATH

fail() {
  echo "$1"
  cat out
  exit 1
}

# A clip of noise, of which no block can be predicted.
{
  echo 'YUV4MPEG2 W176 H144 F25:1 Ip A1:1 C420jpeg'
  for _ in {1..30}; do
    echo FRAME
    head -c 38016 /dev/urandom
  done
} >noise.y4m

# expect_video NAME FRAMES WIDTH: an MP4 of 8-bit 4:2:0 H.264.
expect_video() {
  local file=millrace-demo/$1
  [[ -s $file ]] || fail "there is no $file"
  [[ $(head -c 8 "$file" | tail -c 4) == ftyp ]] || fail "$file is no MP4"
  grep -qaF avc1 "$file" || fail "$file has no H.264"
  bazel-bin/tools/millrace_video me "$file" --range 8 --json json --force >report 2>&1 || fail "$file cannot be read"
  for member in '"source_format": "h264, yuv420p"' "\"frames\": $2" "\"width\": $3"; do
    grep -qE "^  $member,?\$" json || { cp json out; fail "$file has no $member"; }
  done
}

tools/demo noise.y4m >out 2>&1 || fail "tools/demo failed"
expect_video clip.mp4 30 176
[[ ! -e millrace-demo/vectors.mp4 ]] || fail "vectors were drawn though nobody requested them"
[[ -s millrace-demo/noise-idct.csv && -s millrace-demo/mandelbrot.png ]] || fail "a file is missing"
grep -qE '^ +[0-9.]+[KM] +clip\.mp4$' out || fail "the list of files has no clip.mp4"

tools/demo --vectors noise.y4m >out 2>&1 || fail "tools/demo --vectors failed"
expect_video clip.mp4 30 176
expect_video vectors.mp4 25 704
others=$(find millrace-demo -name '*.y4m' -o -name '*.yuv')
[[ -z $others ]] || fail "there is video without compression: $others"
(($(du -sk millrace-demo | cut -f1) < 50000)) || fail "the files take more than 50 MB"

for arguments in --vector "noise.y4m noise.y4m" none.y4m; do
  # shellcheck disable=SC2086  # Words are arguments.
  if tools/demo $arguments >out 2>&1; then fail "tools/demo $arguments was accepted"; fi
  grep -q '^tools/demo: ' out || fail "tools/demo $arguments said nothing of it"
done
