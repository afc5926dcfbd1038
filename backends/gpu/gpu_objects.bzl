# SPDX-License-Identifier: Apache-2.0

"""The rule that runs a GPU target's compiler, and the flag that says for which processors."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cpp_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

GpuArchsInfo = provider(doc = "What a GPU compiler generates code for.", fields = ["archs"])

def _gpu_archs_impl(ctx):
    return GpuArchsInfo(archs = [arch for arch in ctx.build_setting_value.split(",") if arch])

gpu_archs = rule(
    doc = "A flag: processors as their vendor calls them, separated by commas, the newest last.",
    implementation = _gpu_archs_impl,
    build_setting = config.string(flag = True),
)

UnoptimizedInfo = provider(doc = "Whether device code is only compiled to see that it compiles.", fields = ["value"])

def _unoptimized_impl(ctx):
    return UnoptimizedInfo(value = ctx.build_setting_value)

unoptimized_flag = rule(
    doc = """A flag: device code is not optimized and, for CUDA, is PTX alone. It compiles in a tenth of the time, to see that
it compiles. Sources may leave out what shows nothing more by #ifndef MILLRACE_UNOPTIMIZED.""",
    implementation = _unoptimized_impl,
    build_setting = config.bool(flag = True),
)

RacecheckInfo = provider(doc = "Whether compute-sanitizer's racecheck is to run the code.", fields = ["value"])

def _racecheck_impl(ctx):
    return RacecheckInfo(value = ctx.build_setting_value)

racecheck_flag = rule(
    doc = """A flag: relaxed atomic loads and stores of shared memory, which are plain ones in the instruction set, are
read-modify-write instructions, so that racecheck knows them from races. For NVIDIA devices; it costs time.""",
    implementation = _racecheck_impl,
    build_setting = config.bool(flag = True),
)

def _host_options(ctx):
    """Returns the options that Bazel gives the host's compiler, without the language, which each compiler is given."""
    options = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts
    return [option for option in options if not option.startswith("-std=")]

def _is_unoptimized(ctx):
    return ctx.attr._unoptimized[UnoptimizedInfo].value

def _nvcc_options(ctx, archs, compilation_mode):
    newest = archs[-1].replace("sm_", "")
    codes = [(newest, "compute_" + newest)]
    if not _is_unoptimized(ctx):
        codes = [(arch.replace("sm_", ""), arch) for arch in archs] + codes
    host_options = _host_options(ctx) + ["-fPIC"]
    return (
        ["-x", "cu", "-ccbin", find_cpp_toolchain(ctx).compiler_executable] +
        ["-gencode=arch=compute_%s,code=%s" % code for code in codes] +
        ["-std=c++20", "--extended-lambda", "--expt-relaxed-constexpr"] +
        # A function for host and device may call one for the device: code that only kernels call is marked so.
        ["-diag-suppress=20011,20012,20013,20014,20015"] +
        {"dbg": ["-g", "-G"], "opt": ["-O2", "-DNDEBUG", "-lineinfo"]}.get(compilation_mode, ["-lineinfo"]) +
        (["-Xcicc=-O0"] if _is_unoptimized(ctx) else []) +
        (["-DRACECHECK"] if ctx.attr._racecheck[RacecheckInfo].value else []) +
        ["-Xfatbin=-compress-all"] +  # Programs of a third the size, unpacked when a kernel is first used.
        (["-Werror=all-warnings"] if "-Werror" in host_options else []) +
        ["-Xcompiler=" + option.replace(",", "\\,") for option in host_options]
    )

def _hipcc_options(ctx, archs, compilation_mode):
    optimization = {"dbg": ["-g", "-O1"], "opt": ["-O2", "-DNDEBUG"]}.get(compilation_mode, ["-O2"])
    options = (
        ["-x", "hip", "-std=c++20", "-fPIC"] +
        ["--offload-arch=" + arch for arch in archs] +
        (["-O0"] if _is_unoptimized(ctx) else optimization)
    )
    for option in _host_options(ctx):
        options += ["-Xarch_host", option]
    return options

_COMPILERS = {
    "nvcc": _nvcc_options,
    "hipcc": _hipcc_options,
}

def _preprocessor_options(ctx, context):
    defines = context.defines.to_list() + ctx.attr.local_defines
    if _is_unoptimized(ctx):
        defines = defines + ["MILLRACE_UNOPTIMIZED"]
    folders = context.includes.to_list() + context.quote_includes.to_list()
    return (
        ["-D" + define for define in defines] +
        ["-I" + folder for folder in folders] +
        [word for folder in context.system_includes.to_list() for word in ["-isystem", folder]]
    )

def _gpu_objects_impl(ctx):
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    archs = ctx.attr.archs[GpuArchsInfo].archs
    options = (
        _COMPILERS[ctx.attr.kind](ctx, archs, ctx.var["COMPILATION_MODE"]) +
        _preprocessor_options(ctx, context)
    )
    headers = [file for file in ctx.files.srcs if file.extension == "h"]
    objects = []
    for source in ctx.files.srcs:
        if source in headers:
            continue
        object = ctx.actions.declare_file("_objects/%s/%s.pic.o" % (ctx.label.name, source.basename))
        ctx.actions.run(
            executable = ctx.files.compiler[0],
            arguments = options + ["-c", source.path, "-o", object.path],
            inputs = depset([source] + headers, transitive = [context.headers]),
            outputs = [object],
            use_default_shell_env = True,
            mnemonic = "GpuCompile",
            progress_message = "Compiling %s with %s" % (source.short_path, ctx.attr.kind),
        )
        objects.append(object)
    return [DefaultInfo(files = depset(objects))]

gpu_objects = rule(
    doc = "Objects of GPU sources, for the srcs of a cc_library.",
    implementation = _gpu_objects_impl,
    attrs = {
        "archs": attr.label(mandatory = True, providers = [GpuArchsInfo]),
        "compiler": attr.label_list(mandatory = True, allow_files = True, doc = "One program."),
        "deps": attr.label_list(providers = [CcInfo]),
        "kind": attr.string(mandatory = True, values = _COMPILERS.keys()),
        "local_defines": attr.string_list(),
        "srcs": attr.label_list(mandatory = True, allow_files = True),
        "_racecheck": attr.label(default = Label("//backends/gpu:racecheck")),
        "_unoptimized": attr.label(default = Label("//backends/gpu:unoptimized")),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
