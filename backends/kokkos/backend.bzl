# SPDX-License-Identifier: Apache-2.0

"""The CPU through an execution space of Kokkos."""

load("//backends:backend_entry.bzl", "backend_entry")
load("//tools/bazel:system_library_entry.bzl", "system_library_entry")

BACKEND = backend_entry(
    name = "kokkos",
    # For interop.h; a program that does not include it needs no Kokkos of its own.
    cmake_links = ["Kokkos::kokkos"],
    optional = True,
    toolkits = {
        "kokkos": system_library_entry(
            header = "Kokkos_Core.hpp",
            include_folders = [
                "include/kokkos",
                "include/trilinos",
            ],
            package = "libtrilinos-kokkos-dev or libkokkos-dev",
            targets = {"kokkos": ["kokkoscore|trilinos_kokkoscore"]},
            variable = "Kokkos_ROOT",
        ),
    },
)
