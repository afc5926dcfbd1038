# SPDX-License-Identifier: Apache-2.0

"""The compilers and headers that task sets are compiled with."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Sequence

from ._library import Error, library_path

SHOWN_LINES = 30
DEFAULT_CUDA_HOME = "/usr/local/cuda"

# nvcc gets the options of backends/cuda/backend.bzl, and compiles for the GPUs that are there. It passes the options that it does not
# know to the host's compiler.
CUDA_OPTIONS = ["-x=cu", "-arch=native", "--extended-lambda", "--expt-relaxed-constexpr", "--forward-unknown-to-host-compiler"]
CUDA_OPTIONS += ["-diag-suppress=20011,20012,20013,20014,20015"]


def host_compiler() -> list[str]:
    """Returns the command of CXX, or else of a C++ compiler on PATH. Raises Error if there is none."""
    named = shlex.split(os.environ.get("CXX", ""))
    for command in [named] if named else [["g++"], ["clang++"], ["c++"]]:
        if shutil.which(command[0]):
            return command
    found = f"CXX is {' '.join(named)}, which is not on PATH" if named else "none of g++, clang++ and c++ is on PATH"
    raise Error(
        "unsupported",
        f"there is no C++ compiler to compile a task set with: {found}; install gcc 12 or newer (Debian: apt install g++) "
        "or set CXX",
    )


def cuda_compiler(host: Sequence[str]) -> list[str]:
    """Returns the command of CUDACXX, or else of the nvcc on PATH, in CUDA_HOME or in /usr/local/cuda, with the host's compiler that
    it calls. Raises Error if there is none."""
    named = shlex.split(os.environ.get("CUDACXX", ""))
    homes = [os.environ.get("CUDA_HOME", ""), DEFAULT_CUDA_HOME]
    in_homes = [str(Path(home) / "bin" / "nvcc") for home in homes if home]
    for command in [named] if named else [["nvcc"], *([path] for path in in_homes)]:
        if shutil.which(command[0]):
            # NVCC_CCBIN is nvcc's own variable for it.
            chosen = [] if "NVCC_CCBIN" in os.environ or len(host) > 1 else ["-ccbin", host[0]]
            return [*command, *chosen]
    found = f"CUDACXX is {' '.join(named)}, which is not on PATH" if named else "nvcc is neither on PATH nor " + " nor ".join(in_homes)
    raise Error(
        "unsupported",
        f"there is no nvcc to compile a task set for CUDA with: {found}; install CUDA 12 or 13 (Debian: apt install "
        "nvidia-cuda-toolkit) or set CUDACXX to its nvcc",
    )


def include_folder() -> Path:
    """Returns the folder of the headers: this package's, those beside the library, or the system's."""
    library = Path(library_path())
    folders = [Path(__file__).parent / "include", library.parent.parent / "include"]
    folders += [Path("/usr/local/include"), Path("/usr/include")]
    for folder in folders:
        if (folder / "millrace" / "runtime" / "tasks" / "task_set.h").exists():
            return folder
    raise Error(
        "not found",
        f"the headers of Millrace are not in {', '.join(map(str, folders))}; install them (Debian: libmillrace-dev), or the "
        "wheel, which has them",
    )


def check_target(include: Path, target: str) -> None:
    """Raises Error if the headers are of a build without this target."""
    if not (include / "millrace" / "backends" / target / "task_target.h").exists():
        raise Error(
            "unsupported",
            f"this Millrace has no backend '{target}': {include} has no headers of it; install one that has "
            f"(tools/install --prefix DIR --config={target})",
        )


def run_compiler(command: Sequence[str]) -> None:
    """Runs a compiler or linker. Raises Error with what it says if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 0:
        return
    lines = done.stdout.splitlines()
    shown = lines[:SHOWN_LINES] + ([f"... {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else [])
    raise Error("invalid argument", "\n".join([f"{command[0]} did not compile the task set:", *shown]))
