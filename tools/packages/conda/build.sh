#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Called by conda's build in the source folder; PREFIX and SP_DIR are of the staging output's environment.
set -euo pipefail
for library in ARROW BOOST BZIP2 CLI11 EXPAT FFMPEG FREETYPE HIGHWAY LIBARCHIVE NLOHMANN_JSON PNG ZLIB; do
  export "${library}_ROOT=$PREFIX"
done
export TBBROOT=$PREFIX
# Not in PREFIX, whose new files are packaged.
export LIBCSV_ROOT=$SRC_DIR/unpackaged DEJAVU_FONT_ROOT=$SRC_DIR/unpackaged
tools/packages/unpackaged/build libcsv dejavu "$SRC_DIR/unpackaged"
tools/install --prefix "$PREFIX"
mkdir -p "$SP_DIR/millrace"
cp bindings/python/millrace/*.py bindings/python/millrace/py.typed "$SP_DIR/millrace"
