"""The build rules of Millrace's packages, and of those that use it.

Targets are private unless they say otherwise.
"""

load("//backends:backends.bzl", "BACKENDS")
load("//backends:linked.bzl", "backend_label", "linked")
load("//tools:millrace_library.bzl", _millrace_library = "millrace_library")

millrace_library = _millrace_library

def millrace_binary(name, **kwargs):
    """A program."""
    native.cc_binary(name = name, **kwargs)

def millrace_test(name, deps = [], **kwargs):
    """A GoogleTest test; its sources need no main()."""
    native.cc_test(
        name = name,
        deps = deps + [str(Label("@gtest//:gtest_main"))],
        **kwargs
    )

def millrace_backend_test(name, deps = [], **kwargs):
    """A millrace_test that finds every backend of the build linked in."""
    millrace_test(
        name = name,
        deps = deps + [str(Label("//backends:all"))],
        **kwargs
    )

def _for_backend(backend, name, deps, **kwargs):
    """Compiles sources for one backend; returns the label to link."""
    name = "%s_%s" % (name, backend.name)
    backend.library(
        name = name,
        local_defines = ["MILLRACE_TARGET=<millrace/backends/%s/task_target.h>" % backend.name],
        alwayslink = True,  # Registers itself.
        deps = deps + [backend_label(backend)],
        **kwargs
    )
    return ":" + name

def millrace_task_set(name, srcs, deps = [], testonly = False, visibility = None, **kwargs):
    """Compiles sources once for each backend and links the results for those the build has.

    A source says `#include MILLRACE_TARGET` for the header with its backend's names, and registers
    what it defines for that backend (see runtime/run_tasks.h).

    Args:
      name: the library to depend on.
      srcs: sources, written once for all backends.
      deps: what the sources need beside the backends.
      testonly: as everywhere.
      visibility: as everywhere.
      **kwargs: given to each backend's library.
    """
    native.cc_library(
        name = name,
        testonly = testonly,
        visibility = visibility,
        deps = linked({
            backend.name: _for_backend(backend, name, deps, srcs = srcs, testonly = testonly, **kwargs)
            for backend in BACKENDS
        }),
    )

def millrace_algorithm(name, implementations, deps = [], **kwargs):
    """A millrace_library linked with its implementations for the backends the build has.

    Args:
      name: the library to depend on.
      implementations: {"tbb": dict(srcs = ["NAME_tbb.cc"], deps = [...]), ...}, by what backends.bzl calls
          `implementation`. Each is compiled for every backend that uses it, with MILLRACE_TARGET as in a
          task set. On a backend whose implementation is not given the algorithm is not available.
      deps: what its public sources need.
      **kwargs: given to the millrace_library.
    """
    millrace_library(
        name = name,
        deps = deps + linked({
            backend.name: _for_backend(backend, name, **implementations[backend.implementation])
            for backend in BACKENDS
            if backend.implementation in implementations
        }),
        **kwargs
    )
