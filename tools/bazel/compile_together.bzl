# SPDX-License-Identifier: Apache-2.0

"""Compiles sources of a library together, in one unit, because most of a source's time goes into the headers it includes."""

def _flag_impl(_ctx):
    return []

compile_together_flag = rule(
    doc = "A flag: the sources of a millrace_library are compiled together.",
    implementation = _flag_impl,
    build_setting = config.bool(flag = True),
)

def _joined_source_impl(ctx):
    # Errors of compilers, and millrace::Error, have the names and lines of #line.
    ctx.actions.run_shell(
        mnemonic = "JoinSources",
        command = """output=$1; shift
for source; do printf '#line 1 "%s"\\n' "$source"; cat "$source"; done >"$output" """,
        arguments = [ctx.outputs.out.path] + [source.path for source in ctx.files.srcs],
        inputs = ctx.files.srcs,
        outputs = [ctx.outputs.out],
        env = {},
        execution_requirements = {"no-sandbox": "1"},  # A sandbox takes longer than it.
    )

_joined_source = rule(
    doc = "Writes a source that is others, one after the other.",
    implementation = _joined_source_impl,
    attrs = {
        "out": attr.output(mandatory = True),
        "srcs": attr.label_list(allow_files = [".cc"], mandatory = True),
    },
)

# Two cores are to have a unit each, and a compiler to stay below 1.5 GB.
_MOST_SOURCES = 12

# Highway includes such a source by its name, once per instruction set.
_ALONE_SUFFIX = "_simd.cc"

def _by_folder(srcs):
    """Returns {folder: sources}. The sources of a small library count as those of one folder, which is ""."""
    if len(srcs) <= _MOST_SOURCES:
        return {"": srcs}
    folders = {}
    for source in srcs:
        folders.setdefault(source.split("/")[0] if "/" in source else "", []).append(source)
    return folders

def _units(srcs):
    """Returns {suffix of a name: sources}: units of at most _MOST_SOURCES, and about equal ones of a folder with more."""
    units = {}
    for folder, sources in _by_folder(srcs).items():
        count = (len(sources) + _MOST_SOURCES - 1) // _MOST_SOURCES
        size = (len(sources) + count - 1) // max(count, 1)
        for i in range(count):
            words = ([folder] if folder else []) + ([str(i + 1)] if count > 1 else [])
            units["".join(["_" + word for word in words])] = sources[i * size:(i + 1) * size]
    return units

def joined_sources(name, srcs, alone, testonly):
    """Declares sources that are each several of a library's.

    Args:
      name: the library's.
      srcs: the library's. Sources are joined if they are .cc files of its package and do not end in _simd.cc.
      alone: those of srcs that are not to be joined.
      testonly: as everywhere.

    Returns:
      what the library is to compile: these, and what is not joined.
    """
    joinable = [
        source
        for source in srcs
        if source.endswith(".cc") and not source.endswith(_ALONE_SUFFIX) and source[0] not in ":/@" and source not in alone
    ]
    result = [source for source in srcs if source not in joinable]
    for suffix, sources in _units(sorted(joinable)).items():
        if len(sources) == 1:
            result += sources
            continue
        joined = name + suffix + "_sources"

        # Options of builds that are for tests alone, or not for them, go by a source's name.
        out = joined + ("_test.cc" if not [source for source in sources if not source.endswith("_test.cc")] else ".cc")
        _joined_source(
            name = joined,
            testonly = testonly,
            srcs = sources,
            out = out,
            tags = ["manual"],
            visibility = ["//visibility:private"],
        )
        result.append(out)
    return result
