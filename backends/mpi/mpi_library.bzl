# SPDX-License-Identifier: Apache-2.0

"""The repository rule of @mpi: whatever MPI a compiler wrapper belongs to."""

_KNOWN_TO_COMPILER = ["/usr/include", "/usr/local/include"]

def _find_wrapper(ctx):
    name = ctx.os.environ.get("MPICC")
    if name:
        wrapper = ctx.path(name) if name.startswith("/") else ctx.which(name)
        return wrapper if wrapper and wrapper.exists else fail("mpi is missing: MPICC, %s, is not there." % name)
    home = ctx.os.environ.get("MPI_HOME")
    if not home:
        return ctx.which("mpicc") or fail(
            "mpi is missing: there is no mpicc on PATH; install it (Debian, Ubuntu: apt install libopenmpi-dev " +
            "openmpi-bin), or set MPI_HOME to its folder or MPICC to its compiler wrapper.",
        )
    wrapper = ctx.path(home + "/bin/mpicc")
    return wrapper if wrapper.exists else fail("mpi is missing: bin/mpicc is not under MPI_HOME, %s." % home)

def _words_of(ctx, wrapper):
    """Returns the options that the wrapper calls its compiler with: Open MPI, MPICH and their relatives know -show."""
    shown = ctx.execute([wrapper, "-show"])
    if shown.return_code != 0:
        fail("mpi is missing: %s -show says: %s" % (wrapper, shown.stderr))
    return [word for word in shown.stdout.replace("\n", " ").split(" ") if word]

def _mpi_library_impl(ctx):
    wrapper = _find_wrapper(ctx)
    includes = []
    link_options = []
    for word in _words_of(ctx, wrapper):
        if word.startswith("-I"):
            if word[2:] not in _KNOWN_TO_COMPILER:
                includes.append(word[2:])
        elif word.startswith("-L"):
            link_options += [word, "-Wl,-rpath," + word[2:]]
        elif word.startswith("-l") or word.startswith("-Wl,"):
            link_options.append(word)
    for i, folder in enumerate(includes):
        ctx.symlink(folder, "include%d" % i)
    folders = ["include%d" % i for i in range(len(includes))]

    # Beside its compiler wrapper is what starts programs: beside mpicc.mpich, mpirun.mpich.
    launcher = "%s/%s" % (wrapper.dirname, wrapper.basename.replace("mpicc", "mpirun"))
    ctx.file("mpirun", "#!/bin/sh\nexec \"%s\" \"$@\"\n" % launcher, executable = True)
    ctx.file("BUILD", """
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "mpi",
    hdrs = glob({globs}),
    defines = ["MPICH_SKIP_MPICXX", "OMPI_SKIP_MPICXX"],
    includes = {includes},
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
exports_files(["mpirun"])
""".format(
        globs = [folder + "/**/*.h" for folder in folders],
        includes = folders,
        linkopts = link_options,
    ))

mpi_library = repository_rule(
    doc = "MPI as a compiler wrapper finds it: MPICC, mpicc of MPI_HOME, or mpicc on PATH.",
    implementation = _mpi_library_impl,
    environ = [
        "MPICC",
        "MPI_HOME",
        "PATH",
    ],
    local = True,
)
