# SPDX-License-Identifier: Apache-2.0

"""Headers that the compiler reads once for all sources."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cpp_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":compile_options.bzl", "cpp_compile_options")

PrecompileInfo = provider(doc = "Whether headers are compiled once.", fields = ["value"])

def _precompile_impl(ctx):
    return PrecompileInfo(value = ctx.build_setting_value)

precompile_flag = rule(
    doc = "A flag: the headers that sources include most are compiled once for all of them.",
    implementation = _precompile_impl,
    build_setting = config.bool(flag = True),
)

def _variants(ctx, is_clang):
    """The options in which sources differ. Bazel compiles for shared libraries, and in opt for programs, too."""
    if is_clang:
        # It does not choose among several. In opt it has none, as it does not take one for both kinds of code.
        return [] if ctx.var["COMPILATION_MODE"] == "opt" else [struct(name = None, options = [], use_pic = True)]
    if ctx.var["COMPILATION_MODE"] == "opt":
        return [
            struct(name = "program", options = [], use_pic = False),
            struct(name = "shared", options = [], use_pic = True),
        ]
    return [struct(name = level, options = ["-" + level], use_pic = True) for level in ctx.attr.optimizations]

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context

    header = ctx.actions.declare_file(ctx.file.header.basename)
    is_clang = "clang" in toolchain.compiler
    headers = [header, ctx.file.header] if is_clang else [header]  # Clang says that a source includes the latter.
    variants = _variants(ctx, is_clang)
    if variants:
        ctx.actions.symlink(output = header, target_file = ctx.file.header)
    else:
        ctx.actions.write(header, "")
    for variant in variants:
        # In place of FILE, GCC takes the first in the folder FILE.gch that was compiled with its options, and clang FILE.gch.
        name = ".gch/" + variant.name if variant.name else ".gch"
        compiled = ctx.actions.declare_file(ctx.file.header.basename + name)
        headers.append(compiled)
        arguments = ctx.actions.args()
        arguments.add_all(cpp_compile_options(ctx, use_pic = variant.use_pic))
        arguments.add_all(context.system_includes, before_each = "-isystem")
        arguments.add_all(context.includes, before_each = "-I")
        arguments.add_all(variant.options + ["-x", "c++-header", ctx.file.header, "-o", compiled])
        ctx.actions.run(
            mnemonic = "PrecompileHeader",
            executable = toolchain.compiler_executable,
            arguments = [arguments],
            inputs = depset([ctx.file.header], transitive = [context.headers, toolchain.all_files]),
            outputs = [compiled],
            # Without the caller's environment, a disk cache has the same file for every checkout. The sources that include
            # it then have the same keys there, too.
            env = {},
            # Clang's has the paths of the headers in it, which are of no use outside of a sandbox, or in another checkout.
            execution_requirements = {"local": "1", "no-cache": "1"} if is_clang else {},
        )
    own = CcInfo(compilation_context = cc_common.create_compilation_context(headers = depset(headers)))
    return [
        DefaultInfo(files = depset(headers)),
        cc_common.merge_cc_infos(cc_infos = [own] + [dep[CcInfo] for dep in ctx.attr.deps]),
    ]

precompiled_header = rule(
    doc = "A header for -include at $(BINDIR)/PACKAGE/NAME.h, which the compiler has read.",
    implementation = _precompiled_header_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "optimizations": attr.string_list(doc = "The levels, O0 or O1, of the sources that include it, but in opt.", mandatory = True),
        "header": attr.label(allow_single_file = [".h"], mandatory = True),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
