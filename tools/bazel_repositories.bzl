# SPDX-License-Identifier: Apache-2.0

"""The libraries of a WORKSPACE that builds Millrace: its own, or one of a user. bazel_rules.bzl comes before."""

load("//tools/bazel:system_libraries.bzl", "system_libraries")

def millrace_repositories():
    """The system libraries."""
    system_libraries()
