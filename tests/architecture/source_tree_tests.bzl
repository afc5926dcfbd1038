# SPDX-License-Identifier: Apache-2.0

"""Tests of the source tree as it is, by scripts."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def source_tree_tests(names):
    """Declares a test for each script NAME.sh. It reads the source tree itself, so it runs every time."""
    for name in names:
        sh_test(
            name = name,
            size = "medium",  # A slow machine takes more than a minute for some.
            srcs = [name + ".sh"],
            data = ["//:WORKSPACE"],
            tags = [
                "external",
                "local",
                "no_sanitizer",
            ],
        )
