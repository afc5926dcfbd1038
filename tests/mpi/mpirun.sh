#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpirun.sh RANKS MPIRUN PROGRAM ARGUMENT...: starts ranks of a program on this machine, also more than it has cores.
# Sourced, it gives run_ranks RANKS PROGRAM ARGUMENT...; $mpirun is to be set.
set -euo pipefail

# Open MPI requires these where ranks outnumber cores, or the user is root, as in CI; others ignore them.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
# Names of sockets are to be short, and input of all ranks the same.
export TMPDIR=/tmp MILLRACE_TEST_SEED=${MILLRACE_TEST_SEED:-$RANDOM}

run_ranks() {
  local ranks=$1
  shift
  "$mpirun" -n "$ranks" "$@"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  ranks=$1 mpirun=$2
  shift 2
  echo "MILLRACE_TEST_SEED=$MILLRACE_TEST_SEED"
  run_ranks "$ranks" "$@"
fi
