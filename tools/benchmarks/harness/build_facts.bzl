# SPDX-License-Identifier: Apache-2.0

"""Sources and compilers of a program, as a source that defines tools/benchmarks/harness/build_facts.h."""

load("//backends:linked.bzl", "if_linked", "linked_targets")
load("//backends/gpu:gpu_objects.bzl", "GpuArchsInfo")
load("//backends/gpu:hip_platform.bzl", "if_hip")
load("//tools/bazel:compile_options.bzl", "cpp_compile_options")

def _host_flags(ctx):
    """Returns the options of the host's compiler, but for warnings and what hides the time of the build."""
    return [
        flag
        for flag in cpp_compile_options(ctx)
        if flag.startswith("-") and not flag.startswith("-W") and flag != "-c" and "redacted" not in flag
    ]

_SCRIPT = """
set -euo pipefail
out=$1 status=$2 flags=$3 cuda=$4 hip=$5
commit=""
if [[ -n $status ]]; then commit=$(sed -n 's/^STABLE_MILLRACE_COMMIT //p' "$status"); fi
# version COMPILER WORD: what it says behind the word.
version() { [[ -z $1 ]] || "$1" --version | sed -nE "s/.*$2 ([0-9.]+).*/\\1/p" | head -1; }
{
  echo '#include <millrace/tools/benchmarks/harness/build_facts.h>'
  echo 'namespace millrace::tools {'
  echo 'const char* const kBuildCommit = "'"$commit"'";'
  echo 'const char* const kBuildFlags = R"('"$flags"')";'
  echo 'const char* const kCudaVersion = "'"$(version "$cuda" release)"'";'
  echo 'const char* const kHipVersion = "'"$(version "$hip" version:)"'";'
  echo '}'
} >"$out"
"""

def _build_facts_impl(ctx):
    is_stamped = ctx.var["COMPILATION_MODE"] == "opt"
    flags = " ".join(_host_flags(ctx))
    for archs in ctx.attr.archs:
        flags += "; %s: %s" % (archs.label.package.split("/")[-1], ",".join(archs[GpuArchsInfo].archs))
    cuda = ctx.files.cuda_compiler[0].path if ctx.files.cuda_compiler else ""
    hip = ctx.files.hip_compiler[0].path if ctx.files.hip_compiler else ""
    source = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        command = _SCRIPT,
        arguments = [source.path, ctx.info_file.path if is_stamped else "", flags, cuda, hip],
        inputs = ctx.files.cuda_compiler + ctx.files.hip_compiler + ([ctx.info_file] if is_stamped else []),
        outputs = [source],
        use_default_shell_env = True,
        mnemonic = "BuildFacts",
    )
    return [DefaultInfo(files = depset([source]))]

_build_facts = rule(
    implementation = _build_facts_impl,
    attrs = {
        "archs": attr.label_list(providers = [GpuArchsInfo]),
        "cuda_compiler": attr.label_list(allow_files = True),
        "hip_compiler": attr.label_list(allow_files = True),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def build_facts(name):
    """The source NAME.cc. It knows the commit in optimized builds: others need not be linked anew for each."""
    _build_facts(
        name = name,
        archs = linked_targets({target: "//backends/%s:archs" % target for target in ["cuda", "hip"]}),
        cuda_compiler = if_linked("cuda", [Label("@cuda//:compiler")]),
        hip_compiler = if_hip(amd = [Label("@rocm//:compiler")], nvidia = [Label("@cuda//:compiler")]),
    )
