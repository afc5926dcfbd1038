# SPDX-License-Identifier: Apache-2.0

"""Apache Arrow, with or without which tables are built."""

load("@arrow//:found.bzl", "IS_FOUND")

_NOT_IN_THIS_BUILD = [str(Label("//backends:not_in_this_build"))]

# target_compatible_with of targets that need Arrow, and of tests of builds without it.
ONLY_WITH_ARROW = [] if IS_FOUND else _NOT_IN_THIS_BUILD
ONLY_WITHOUT_ARROW = _NOT_IN_THIS_BUILD if IS_FOUND else []

def if_arrow(then, otherwise = []):
    """`then` in builds with Arrow."""
    return then if IS_FOUND else otherwise
