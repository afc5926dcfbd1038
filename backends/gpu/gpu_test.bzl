# SPDX-License-Identifier: Apache-2.0

"""Tests of GPU sources, for every GPU backend of the build."""

load("//backends:backends.bzl", "TARGETS")
load("//backends:linked.bzl", "backend_label")
load("//backends:optional.bzl", "only_with")
load("//tools:millrace.bzl", "millrace_test")

def gpu_test(name, deps = [], size = "medium", **kwargs):
    """A GoogleTest test of sources that each GPU target's compiler compiles: NAME_simt, NAME_cuda and so on.

    The tag gpu_test_of_TARGET leaves those of one target out of a build.

    Args:
      name: the tests' names without the backend's.
      deps: what the sources need beside the backend.
      size: as in cc_test.
      **kwargs: what millrace_library takes, srcs first of all.
    """
    for backend in TARGETS:
        if backend.implementation != "gpu":
            continue
        target = "%s_%s" % (name, backend.name)
        compatible = only_with(backend.name) if backend.optional else []
        backend.library(
            name = target + "_sources",
            testonly = True,
            tags = ["gpu_test_of_" + backend.name],
            deps = deps + [backend_label(backend)],
            target_compatible_with = compatible,
            alwayslink = True,  # Registers its tests.
            **kwargs
        )
        millrace_test(
            name = target,
            size = size,
            tags = ["gpu_test_of_" + backend.name],
            target_compatible_with = compatible,
            deps = [":" + target + "_sources"],
        )
