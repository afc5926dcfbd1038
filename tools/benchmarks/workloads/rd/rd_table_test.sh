#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rd_table prints the rates, PSNRs and delta rates of results, and of stored encodes beside them.
set -euo pipefail
table=$(realpath -s "$(dirname "$0")/rd_table")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# point ENCODER QP KBIT PSNR: a stored encode, whose chroma is as luma.
point() {
  printf '{"encoder": "JM", "search": "%s", "clip": "dog", "qp": %s, "kbps": %s, "psnr_y": %s, "psnr_u": %s, "psnr_v": %s}' "$1" "$2" "$3" "$4" "$4" "$4"
}
cat >results.json <<'END'
{"measurements": [
  {"workload": "rd", "input": "dog.y4m", "device": "tbb", "strategy": "paper", "status": "ok", "values": {
    "kbit/s, QP 28": 2308.47, "PSNR Y, QP 28": 46.325, "PSNR YUV, QP 28": 46.325,
    "kbit/s, QP 32": 1460.82, "PSNR Y, QP 32": 44.13, "PSNR YUV, QP 32": 44.13,
    "kbit/s, QP 36": 1011.9, "PSNR Y, QP 36": 42.066, "PSNR YUV, QP 36": 42.066,
    "kbit/s, QP 40": 768.94, "PSNR Y, QP 40": 39.76, "PSNR YUV, QP 40": 39.76}},
  {"workload": "rd", "input": "dog.y4m", "device": "tbb", "peer": "x264 fast", "status": "unsupported", "message": "no libx264"},
  {"workload": "idct", "input": "", "device": "tbb", "status": "ok"}]}
END
cat >anchors.json <<END
{"runs": [$(point hexagon 28 2268.26 46.069), $(point hexagon 32 1366.21 43.755), $(point hexagon 36 938.05 41.666),
  $(point hexagon 40 694.23 39.401), {"encoder": "JM", "search": "full", "clip": "cat", "qp": 28, "kbps": 1, "psnr_y": 1}]}
END

expect() {
  grep -qxF -- "$1" out || { echo "expected $1, got:"; cat out; exit 1; }
}
"$table" results.json >out
expect "dog.y4m on tbb, delta rates to paper:"
expect "| paper | 2308.5, 1460.8, 1011.9, 768.9 | 46.33, 44.13, 42.07, 39.76 | 46.33, 44.13, 42.07, 39.76 |  |  |"
(($(wc -l <out) == 6)) || { echo "expected one encoder, got:"; cat out; exit 1; }
"$table" results.json --anchors anchors.json >out
expect "| JM hexagon (stored) | 2268.3, 1366.2, 938.0, 694.2 | 46.07, 43.76, 41.67, 39.40 | 46.07, 43.76, 41.67, 39.40 | -0.52 % | -0.52 % |"
"$table" results.json --anchors anchors.json --to "JM hexagon" >out
expect "dog.y4m on tbb, delta rates to JM hexagon (stored):"
if "$table" results.json --to JM 2>out; then echo "expected an error"; exit 1; fi
expect "rd_table: there is no encoder 'JM' of dog.y4m; there are: paper"
echo '{"measurements": []}' >none.json
if "$table" none.json 2>out; then echo "expected an error"; exit 1; fi
grep -q "has no results of rd" out
