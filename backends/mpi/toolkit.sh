# SPDX-License-Identifier: Apache-2.0
# MPI, for tools/setup and tools/test, which source this (docs/guide/adding_a_backend.md).
want_toolkit() { want_command mpicc "MPI" libopenmpi-dev openmpi-bin; }
has_toolkit() { [[ -n ${MPI_HOME:-} ]] || command -v mpicc >/dev/null; }
is_for_consumers=false  # Their programs are no ranks.
