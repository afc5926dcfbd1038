"""The build rules of Millrace's own packages.

Every header is included as <millrace/PACKAGE/NAME.h>. Targets are private unless they say otherwise.
"""

load("//backends:backends.bzl", "BACKENDS")

def _include_prefix():
    return "millrace/" + native.package_name()

def millrace_library(name, **kwargs):
    """A cc_library whose headers are included as <millrace/PACKAGE/NAME.h>."""
    native.cc_library(
        name = name,
        include_prefix = _include_prefix(),
        **kwargs
    )

def millrace_binary(name, **kwargs):
    """A program."""
    native.cc_binary(name = name, **kwargs)

def millrace_test(name, deps = [], **kwargs):
    """A GoogleTest test; its sources need no main()."""
    native.cc_test(
        name = name,
        deps = deps + ["@gtest//:gtest_main"],
        **kwargs
    )

def millrace_backend_test(name, deps = [], **kwargs):
    """A millrace_test that finds every backend of the build linked in."""
    millrace_test(
        name = name,
        deps = deps + ["//backends:all"],
        **kwargs
    )

def millrace_task_set(name, srcs, deps = [], testonly = False, visibility = None, **kwargs):
    """Compiles sources once for each backend of the build and links all of the results.

    A source says `#include MILLRACE_TARGET` for the header with its backend's names, and registers
    what it defines for that backend (see runtime/run_tasks.h).

    Args:
      name: the library to depend on.
      srcs: sources, written once for all backends.
      deps: what the sources need beside the backends.
      testonly: as everywhere.
      visibility: as everywhere.
      **kwargs: given to each cc_library.
    """
    for backend in BACKENDS:
        millrace_library(
            name = "%s_%s" % (name, backend),
            srcs = srcs,
            local_defines = ["MILLRACE_TARGET=<millrace/backends/%s/task_target.h>" % backend],
            alwayslink = True,  # Registers itself.
            testonly = testonly,
            deps = deps + ["//backends/" + backend],
            **kwargs
        )
    native.cc_library(
        name = name,
        testonly = testonly,
        visibility = visibility,
        deps = [":%s_%s" % (name, backend) for backend in BACKENDS],
    )
