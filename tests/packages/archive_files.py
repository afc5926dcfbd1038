# SPDX-License-Identifier: Apache-2.0

"""archive_files.py TREE ARCHIVE: prints each file of TREE that build files or sources of the unpacked ARCHIVE name, and that
is not in the archive."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def named_by(path: Path, package: Path) -> set[Path]:
    """Returns the files that a build file or a source of a package may mean, relative to the root."""
    text = path.read_text(errors="replace")
    if path.suffix in (".cc", ".cu", ".h", ".c"):
        return {Path(name) for name in re.findall(r"^ *# *include <millrace/(.*)>", text, re.M)}
    found = set()
    for name in re.findall(r'"([^"\s]+)"', text):
        label = re.fullmatch(r"(?://([^:]*))?:?([\w./+-]+)", name)
        if label and ".." not in name:
            found.add((Path(label[1]) if label[1] is not None else package) / label[2])
    return found


def main(tree: Path, archive: Path) -> None:
    wanted: set[Path] = set()
    readers = 0
    for path in archive.rglob("*"):
        if path.is_file() and (path.name in ("BUILD", "WORKSPACE", "MODULE.bazel") or path.suffix in (".cc", ".cu", ".h", ".c", ".bzl")):
            wanted |= named_by(path, path.relative_to(archive).parent)
            readers += 1
    known = {path for path in wanted if (tree / path).is_file()}
    if readers < 1000 or len(known) < 1000:
        raise SystemExit(f"{readers} files of {archive} name {len(known)} of {tree}; both should be over 1000")
    for path in sorted(known):
        if not (archive / path).is_file():
            print(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
