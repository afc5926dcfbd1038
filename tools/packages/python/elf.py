# SPDX-License-Identifier: Apache-2.0

"""Needs of a shared library, as binutils' readelf and ldd say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

# Versions of symbols of libstdc++ and libgcc_s beyond those that came with the glibc of manylinux_2_31, and the glibc of
# the first release of Debian, Ubuntu or Red Hat that has them: a system with that glibc has them, too.
COMPILER_VERSIONS = {
    "GLIBCXX": [((3, 4, 28), (2, 31)), ((3, 4, 29), (2, 34)), ((3, 4, 30), (2, 35)), ((3, 4, 31), (2, 38)),
                ((3, 4, 32), (2, 38)), ((3, 4, 33), (2, 39)), ((3, 4, 34), (2, 42))],
    "CXXABI": [((1, 3, 12), (2, 31)), ((1, 3, 13), (2, 34)), ((1, 3, 14), (2, 38)), ((1, 3, 15), (2, 39))],
    "GCC": [((10, 0, 0), (2, 34)), ((12, 0, 0), (2, 35)), ((13, 0, 0), (2, 38)), ((14, 0, 0), (2, 39))],
}  # fmt: skip


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def needed(library: Path) -> list[str]:
    """Returns the names of libraries that `library` is linked with."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", str(library)))


def soname(library: Path) -> str:
    found = re.search(r"\(SONAME\).*\[(.*)\]", run("readelf", "-dW", str(library)))
    return found.group(1) if found else library.name


def search_path(library: Path) -> list[str]:
    """Returns the folders of its RPATH and RUNPATH."""
    paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", run("readelf", "-dW", str(library)))
    return [folder for path in paths for folder in path.split(":")]


def resolve(library: Path) -> dict[str, Path]:
    """Returns where the loader finds each library that `library` needs, or those need. Raises SystemExit for one that is
    nowhere."""
    found = {}
    for line in run("ldd", str(library)).splitlines():
        fields = line.split()
        if "=> not found" in line:
            raise SystemExit(f"{library} needs {fields[0]}, which is not found; put its folder into LD_LIBRARY_PATH")
        if "=>" in fields:
            found[fields[0]] = Path(fields[2])
    return found


def symbol_versions(library: Path) -> set[tuple[str, tuple[int, ...]]]:
    """Returns the versions of symbols that it takes from others: ("GLIBC", (2, 34)), ..."""
    text = run("readelf", "-VW", str(library))
    wanted = text[text.find("Version needs section") :]
    found = re.findall(r"Name: ([A-Z]+)_([0-9.]+) ", wanted) if "Version needs section" in text else []
    return {(name, tuple(int(number) for number in version.split("."))) for name, version in found}


def least_glibc(libraries: list[Path]) -> tuple[int, int]:
    """Returns the oldest glibc whose systems have all symbols that the libraries take. It is (2, 17) at least, the first
    with a tag manylinux_2_17. Raises SystemExit for a version that COMPILER_VERSIONS does not have."""
    least = (2, 17)
    for library in libraries:
        for name, version in symbol_versions(library):
            if name == "GLIBC":
                least = max(least, (version[0], version[1]))
            elif name in COMPILER_VERSIONS:
                least = max(least, glibc_beside(name, version, library))
    return least


def glibc_beside(name: str, version: tuple[int, ...], library: Path) -> tuple[int, int]:
    whole = (version + (0, 0, 0))[:3]
    for known, glibc in COMPILER_VERSIONS[name]:
        if whole <= known:
            return glibc
    raise SystemExit(f"{library} takes {name}_{'.'.join(map(str, version))}, which elf.py has no glibc for; add its version there")
