# SPDX-License-Identifier: Apache-2.0

"""The options with which Bazel compiles C++."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cpp_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

def cpp_compile_options(ctx, use_pic = False):
    """Returns the options that Bazel gives the compiler for a C++ source.

    Args:
      ctx: of a rule that has `fragments = ["cpp"]` and the attribute _cc_toolchain.
      use_pic: whether the code is position-independent.
    """
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = find_cpp_toolchain(ctx),
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = find_cpp_toolchain(ctx),
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        use_pic = use_pic,
    )
    return cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = "c++-compile",
        variables = variables,
    )
