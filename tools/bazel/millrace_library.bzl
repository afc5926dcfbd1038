# SPDX-License-Identifier: Apache-2.0

"""How a library of this repository, or of a user's that loads tools/millrace.bzl, is compiled."""

_THIS_REPOSITORY = "@" + Label("//tools/bazel:millrace_library.bzl").workspace_name

def millrace_library(name, **kwargs):
    """A cc_library. In this repository its headers are <millrace/PACKAGE/NAME.h>; a user's keep their paths."""
    ours = native.repository_name() == _THIS_REPOSITORY
    native.cc_library(
        name = name,
        include_prefix = "millrace/" + native.package_name() if ours else None,
        **kwargs
    )
