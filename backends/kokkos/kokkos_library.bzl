# SPDX-License-Identifier: Apache-2.0

"""Macros that compile sources that include Kokkos: as Kokkos itself was."""

load("//backends:optional.bzl", "if_linked", "only_with")
load("//backends/gpu:gpu_library.bzl", "nvcc_objects")
load("//tools:millrace.bzl", "millrace_backend_test", "millrace_library")

def _device_impl(_ctx):
    return []

device_flag = rule(
    implementation = _device_impl,
    build_setting = config.string(flag = True),
)

# The option that Kokkos's headers need if Kokkos has OpenMP.
_OPENMP = ["-fopenmp"]

def _compiled(name, srcs, deps, testonly = False):
    """Returns the srcs of a library: the sources, or objects that nvcc makes of them."""
    nvcc_objects(
        name = name + "_objects",
        testonly = testonly,
        srcs = srcs,
        tags = ["manual"],
        deps = deps,
    )
    return select({
        "//backends/kokkos:has_cuda": [":" + name + "_objects"],
        "//conditions:default": srcs,
    })

def _deps(deps):
    return deps + if_linked("kokkos", ["@kokkos"]) + select({
        "//backends/kokkos:has_cuda": ["@cuda"],
        "//conditions:default": [],
    })

def kokkos_library(name, srcs, hdrs, deps, **kwargs):
    """A millrace_library that registers itself, for builds with Kokkos.

    Args:
      name: as everywhere.
      srcs: sources.
      hdrs: headers.
      deps: what they need beside Kokkos.
      **kwargs: what millrace_library takes.
    """
    millrace_library(
        name = name + "_headers",
        hdrs = hdrs,
        target_compatible_with = only_with("kokkos"),
        deps = _deps(deps),
    )
    millrace_library(
        name = name,
        srcs = _compiled(name, srcs, [":" + name + "_headers"]),
        copts = _OPENMP,
        linkopts = _OPENMP,
        target_compatible_with = only_with("kokkos"),
        deps = [":" + name + "_headers"],
        alwayslink = True,
        **kwargs
    )

def kokkos_test(name, deps, **kwargs):
    """A millrace_backend_test of NAME.cc, which includes Kokkos.

    Args:
      name: as everywhere.
      deps: what it needs beside Kokkos.
      **kwargs: what cc_test takes.
    """
    millrace_library(
        name = name + "_source",
        testonly = True,
        srcs = _compiled(name, [name + ".cc"], _deps(deps) + ["@gtest"], testonly = True),
        copts = _OPENMP,
        target_compatible_with = only_with("kokkos"),
        deps = _deps(deps) + ["@gtest"],
        alwayslink = True,  # Its tests register themselves; a test does not take nvcc's objects as sources.
    )
    millrace_backend_test(
        name = name,
        size = "small",
        srcs = [],
        target_compatible_with = only_with("kokkos"),
        deps = [":" + name + "_source"],
        **kwargs
    )
