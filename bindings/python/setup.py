# SPDX-License-Identifier: Apache-2.0

"""Packs the Python files, and the library of an installation by tools/install if MILLRACE_PREFIX names its folder."""

import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


def version() -> str:
    text = (Path(__file__).parent / "millrace" / "_library.py").read_text()
    number = int(re.search(r"^HEADER_VERSION = (\d+)$", text, re.MULTILINE).group(1))
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        prefix = os.environ.get("MILLRACE_PREFIX")
        if prefix:
            shutil.copy(Path(prefix) / "lib" / "libmillrace.so.0", Path(self.build_lib) / "millrace")


setup(version=version(), cmdclass={"build_py": BuildWithLibrary})
