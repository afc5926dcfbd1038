# SPDX-License-Identifier: Apache-2.0

"""The build rules of Millrace's packages, and of those that use it.

Targets are private unless they say otherwise.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("//backends:backends.bzl", "TARGETS")
load("//backends:linked.bzl", "backend_label", "linked_backends", "linked_targets")
load("//tools/bazel:millrace_library.bzl", "with_precompiled", _millrace_library = "millrace_library")

millrace_library = _millrace_library

def millrace_binary(name, **kwargs):
    """A program."""
    cc_binary(name = name, **kwargs)

def millrace_test(name, deps = [], copts = [], **kwargs):
    """A GoogleTest test; its sources need no main()."""
    compiled = with_precompiled("test_headers", deps + [str(Label("@gtest//:gtest_main"))], copts)
    compiled.update(kwargs)
    cc_test(name = name, **compiled)

def millrace_backend_test(name, deps = [], **kwargs):
    """A millrace_test that finds every backend of the build linked in."""
    millrace_test(
        name = name,
        deps = deps + [str(Label("//backends:all"))],
        **kwargs
    )

def millrace_tests(srcs, **kwargs):
    """A millrace_test for each source, named after it."""
    for source in srcs:
        millrace_test(name = _stem_of(source), srcs = [source], **kwargs)

def millrace_backend_tests(srcs, **kwargs):
    """A millrace_backend_test for each source, named after it."""
    for source in srcs:
        millrace_backend_test(name = _stem_of(source), srcs = [source], **kwargs)

def _stem_of(source):
    return source.split("/")[-1][:-len(".cc")]

def _for_target(target, name, deps, **kwargs):
    """Compiles sources for one target; returns the label to link."""
    name = "%s_%s" % (name, target.name)
    target.library(
        name = name,
        alone = kwargs.get("srcs", []) + kwargs.get("host_srcs", []),  # They are large, and register what they define.
        local_defines = ["MILLRACE_TARGET=<millrace/backends/%s/task_target.h>" % target.name],
        alwayslink = True,  # Registers itself.
        deps = deps + [backend_label(target)],
        **kwargs
    )
    return ":" + name

def millrace_task_set(name, srcs, deps = [], testonly = False, visibility = None, **kwargs):
    """Compiles sources once for each target, and links the results and the backends that the build has.

    A source says `#include MILLRACE_TARGET` for the header with its target's names, and registers
    what it defines for that target (see runtime/tasks/run_tasks.h).

    Args:
      name: the library to depend on.
      srcs: sources, written once for all targets.
      deps: what the sources need beside the targets' own.
      testonly: as everywhere.
      visibility: as everywhere.
      **kwargs: given to each target's library.
    """
    cc_library(
        name = name,
        testonly = testonly,
        visibility = visibility,
        deps = linked_backends() + linked_targets({
            target.name: _for_target(target, name, deps, srcs = srcs, testonly = testonly, **kwargs)
            for target in TARGETS
        }),
    )

def millrace_algorithm(name, implementations, deps = [], **kwargs):
    """A millrace_library linked with its implementations and the backends that the build has.

    Args:
      name: the library to depend on.
      implementations: {"cpu": dict(srcs = ["NAME_cpu.cc"], deps = [...]), ...}, by what backends.bzl calls
          `implementation`. Each is compiled for every target that uses it, with MILLRACE_TARGET as in a
          task set. For a target whose implementation is not given the algorithm is not available.
      deps: what its public sources need.
      **kwargs: given to the millrace_library.
    """
    millrace_library(
        name = name,
        deps = deps + linked_backends() + linked_targets({
            target.name: _for_target(target, name, **implementations[target.implementation])
            for target in TARGETS
            if target.implementation in implementations
        }),
        **kwargs
    )
