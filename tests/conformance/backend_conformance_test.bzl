# SPDX-License-Identifier: Apache-2.0

"""The conformance tests for one backend that not every build links."""

load("//tools:millrace.bzl", "millrace_test")

def backend_conformance_test(name, backend, exclusions, deps, tags = [], **kwargs):
    """A test of a backend's devices, with no other backend linked.

    Args:
      name: as everywhere.
      backend: BACKEND of its backend.bzl; a target of its own.
      exclusions: {"SUITE.TEST": reason}, tests that it does not pass yet; * stands for any characters.
      deps: the backend's library, with its task_target.h.
      tags: as everywhere.
      **kwargs: what cc_test takes.
    """
    patterns = []
    for test, reason in exclusions.items():
        if not reason:
            fail("exclusion '%s' has no reason; give it a sentence" % test)
        suite, _, case = test.partition(".")
        patterns.append("*/%s.%s" % (suite, case if case.endswith("*") else case + "/*"))
    backend.target.library(
        name = name + "_tasks",
        testonly = True,
        srcs = ["//tests/conformance:tasks/conformance_tasks.cc"],
        alwayslink = True,  # Registers itself.
        local_defines = ["MILLRACE_TARGET=<millrace/backends/%s/task_target.h>" % backend.name],
        deps = deps + ["//tests/conformance:conformance_tasks_header"],
    )
    millrace_test(
        name = name,
        args = ["--gtest_filter=-" + ":".join(patterns)] if patterns else [],
        deps = [
            ":%s_tasks" % name,
            "//tests/conformance:conformance_cases",
        ],
        # In a quick run ThreadSanitizer checks the backends of the build alone: it takes long to compile the task sets.
        tags = tags + ["no_quick_tsan"],
        **kwargs
    )
