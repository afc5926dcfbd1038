# SPDX-License-Identifier: Apache-2.0
# CUDA, for tools/test, which sources this (docs/guide/adding_a_backend.md). tools/setup does not install it.
has_toolkit() { command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" nvcc >/dev/null; }
toolkit_options() { echo --//backends/cuda:archs=sm_90; }
toolkit_needs_gcc() { :; }
