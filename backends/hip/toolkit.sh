# SPDX-License-Identifier: Apache-2.0
# HIP, for tools/setup and tools/test, which source this (docs/guide/adding_a_backend.md).
want_toolkit() {
  want_command hipcc "the compiler for AMD GPUs" hipcc
  want "HIP's headers and sorting" libamdhip64-dev librocprim-dev
}
has_toolkit() { command -v "${ROCM_PATH:-/opt/rocm}/bin/hipcc" hipcc >/dev/null; }
# Compiled without optimization, image instructions stay in code that is never reached; gfx90a has none.
toolkit_options() { if "$1"; then echo --//backends/hip:archs=gfx1030; else echo --//backends/hip:archs=gfx90a; fi; }
