# SPDX-License-Identifier: Apache-2.0

"""The backends there are: a load and a name for each. What a backend is stands in backend.bzl of its folder."""

load("//backends/cpu:backend.bzl", cpu = "TARGET")
load("//backends/cuda:backend.bzl", cuda = "BACKEND")
load("//backends/hip:backend.bzl", hip = "BACKEND")
load("//backends/kokkos:backend.bzl", kokkos = "BACKEND")
load("//backends/mpi:backend.bzl", mpi = "BACKEND")
load("//backends/null:backend.bzl", null = "BACKEND")
load("//backends/simt:backend.bzl", simt = "BACKEND")
load("//backends/tbb:backend.bzl", tbb = "BACKEND")

BACKENDS = [
    tbb,
    kokkos,
    cuda,
    hip,
    simt,
    null,
    mpi,
]

# The targets that task sets and algorithms are compiled for.
TARGETS = [cpu] + [backend.target for backend in BACKENDS if backend.target]
