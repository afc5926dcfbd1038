# SPDX-License-Identifier: Apache-2.0

"""Rule for a library that is linked, but that nothing is compiled with."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _link_only_impl(ctx):
    return [CcInfo(linking_context = ctx.attr.dep[CcInfo].linking_context)]

link_only = rule(
    doc = """A library without its headers. MPI's folders would be on every command line otherwise, so that a build with it
    had everything compiled anew.""",
    implementation = _link_only_impl,
    attrs = {"dep": attr.label(
        mandatory = True,
        providers = [CcInfo],
    )},
)
