# SPDX-License-Identifier: Apache-2.0

"""Rules that the libraries of an installation are made of."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _whole_object_impl(ctx):
    libraries = []
    options = []
    for dep in ctx.attr.deps:
        for input in dep[CcInfo].linking_context.linker_inputs.to_list():
            options += [option for option in input.user_link_flags if option not in options]
            libraries += [library.pic_static_library or library.static_library for library in input.libraries]
    archives = [library for library in libraries if library]

    arguments = ctx.actions.args()
    arguments.add_all(["-r", "-nostdlib", "-Wl,--whole-archive"])
    arguments.add_all(archives)
    arguments.add("-o", ctx.outputs.object)
    cc = ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]
    ctx.actions.run(
        executable = cc.compiler_executable,
        arguments = [arguments],
        inputs = depset(archives, transitive = [cc.all_files]),
        outputs = [ctx.outputs.object],
        use_default_shell_env = True,
        mnemonic = "LinkWholeObject",
        progress_message = "Linking %{output}",
    )

    ctx.actions.write(ctx.outputs.link_options, "".join([option + "\n" for option in options]))
    ctx.actions.write(ctx.outputs.backends, "".join([backend + "\n" for backend in ctx.attr.backends]))
    ctx.actions.write(ctx.outputs.cmake_settings, "".join([line + "\n" for line in ctx.attr.cmake_settings]))

whole_object = rule(
    doc = """NAME.pic.o, everything in deps: as an archive, nothing would be left out because nothing names it.
    NAME.link_options, what to link it with; NAME.backends and NAME.cmake_settings, a line for each element of the attribute.""",
    implementation = _whole_object_impl,
    attrs = {
        "backends": attr.string_list(),
        "cmake_settings": attr.string_list(),
        "deps": attr.label_list(providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    outputs = {
        "backends": "%{name}.backends",
        "cmake_settings": "%{name}.cmake_settings",
        "link_options": "%{name}.link_options",
        "object": "%{name}.pic.o",
    },
)

def _without_unique_symbols(ctx, cc):
    """The object with weak symbols in place of GNU's unique ones, a library with one of which is never unloaded."""
    names = ctx.actions.declare_file(ctx.label.name + ".unique")
    object = ctx.actions.declare_file(ctx.label.name + ".weak.o")
    ctx.actions.run_shell(
        # Clang makes no unique symbols, and objcopy fails without a name.
        command = """"$1" "$3" | awk '$2 == "u" { print $3 } END { print "no_symbol" }' >"$4" && "$2" "--weaken-symbols=$4" "$3" "$5" """,
        arguments = [cc.nm_executable, cc.objcopy_executable, ctx.file.object.path, names.path, object.path],
        inputs = depset([ctx.file.object], transitive = [cc.all_files]),
        outputs = [names, object],
        use_default_shell_env = True,
        mnemonic = "WeakenSymbols",
        progress_message = "Making %{output}",
    )
    return object

def _shared_library_impl(ctx):
    cc = ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]
    object = _without_unique_symbols(ctx, cc)
    ctx.actions.run(
        executable = cc.compiler_executable,
        arguments = [
            "-shared",
            "-o",
            ctx.outputs.library.path,
            object.path,
            "@" + ctx.file.link_options.path,  # Behind the object, whose symbols static libraries give.
            "-lstdc++",
            "-lm",
            "-Wl,-Bsymbolic",
            "-Wl,-z,relro,-z,now",
            "-Wl,-soname," + ctx.attr.soname,
            "-Wl,--version-script=" + ctx.file.exports.path,
        ],
        inputs = depset([object, ctx.file.link_options, ctx.file.exports], transitive = [cc.all_files]),
        outputs = [ctx.outputs.library],
        use_default_shell_env = True,
        mnemonic = "LinkSharedLibrary",
        progress_message = "Linking %{output}",
    )

shared_library = rule(
    doc = """NAME, of one object and what it is linked with. cc_binary would put a file of options before the object.""",
    implementation = _shared_library_impl,
    attrs = {
        "exports": attr.label(allow_single_file = True),
        "library": attr.output(),
        "link_options": attr.label(allow_single_file = True),
        "object": attr.label(allow_single_file = True),
        "soname": attr.string(),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
)
