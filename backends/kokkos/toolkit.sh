# SPDX-License-Identifier: Apache-2.0
# Kokkos, for tools/setup and tools/test, which source this (docs/guide/adding_a_backend.md).
want_toolkit() { want "Kokkos" libtrilinos-kokkos-dev; }
has_toolkit() { [[ -n ${Kokkos_ROOT:-} || -e /usr/include/trilinos/Kokkos_Core.hpp ]]; }
