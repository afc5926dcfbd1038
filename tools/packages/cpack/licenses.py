# SPDX-License-Identifier: Apache-2.0

"""licenses.py PREFIX OUT: writes the licenses of the works that files of the installation at PREFIX have in themselves, each
into a file of the folder OUT."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

import installation


def write(prefix: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    works = installation.works_of(prefix)
    for work in works.all():
        if work.name not in works.dynamic:
            (out / f"{work.name}.txt").write_text(work.license_text())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: licenses.py PREFIX OUT")
    write(Path(sys.argv[1]), Path(sys.argv[2]))
