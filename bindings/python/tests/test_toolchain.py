# SPDX-License-Identifier: Apache-2.0

"""The compilers that task sets are compiled by. Here they are scripts that write their names and arguments to a log."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import millrace
from millrace import _compile, _toolchain


class Toolchain(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"
        self.change(mock.patch.object(_toolchain, "DEFAULT_CUDA_HOME", str(self.folder / "default")))
        self.change(mock.patch.dict(os.environ, {"PATH": str(self.folder / "path")}))
        for name in ("CXX", "CUDACXX", "CUDA_HOME", "NVCC_CCBIN"):
            os.environ.pop(name, None)

    def change(self, patch: Any) -> None:
        patch.start()
        self.addCleanup(patch.stop)

    def add_compiler(self, name: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "$0 $*" >>{self.log}\n')
        path.chmod(0o755)
        return str(path)

    def add_headers(self, *targets: str) -> None:
        for target in targets:
            path = self.folder / "include" / "millrace" / "backends" / target / "task_target.h"
            path.parent.mkdir(parents=True)
            path.touch()
        self.change(mock.patch.object(_compile, "include_folder", return_value=self.folder / "include"))

    def commands_for(self, *backends: str) -> list[str]:
        """Returns the commands of a compilation. They make no files, so nothing can be loaded."""
        with self.assertRaisesRegex(millrace.Error, r"the compiled task set does not load: .*; .* take headers \(.*/include\)"):
            millrace.compile(__file__, backends=backends, options=["-DOWN=1"])
        return self.log.read_text().splitlines()

    def test_nvcc_compiles_the_set_for_gpus_and_links(self) -> None:
        self.add_headers("cpu", "cuda")
        gcc = self.add_compiler("path/g++")
        nvcc = self.add_compiler("path/nvcc")
        program, for_cpu, for_cuda, link = self.commands_for("tbb", "cuda")
        self.assertTrue(program.startswith(f"{gcc} ") and "program.cc" in program, program)
        self.assertTrue(for_cpu.startswith(f"{gcc} "), for_cpu)
        self.assertTrue(for_cuda.startswith(f"{nvcc} -ccbin g++ "), for_cuda)
        for target, command in (("cpu", for_cpu), ("cuda", for_cuda)):
            self.assertIn(f" -DMILLRACE_TARGET=<millrace/backends/{target}/task_target.h> ", command)
            self.assertIn(f" -DMILLRACE_GPU_API=<millrace/backends/{target}/api.h> ", command)
        for option in ("-arch=native", "-Xcompiler=-fPIC", "-O2", "-DOWN=1"):
            self.assertIn(f" {option} ", for_cuda)
        self.assertTrue(link.startswith(f"{nvcc} -ccbin g++ -shared "), link)

    def test_a_set_for_cpus_needs_no_nvcc(self) -> None:
        self.add_headers("cpu")
        gcc = self.add_compiler("path/g++")
        self.add_compiler("path/nvcc")
        self.assertEqual({command.split()[0] for command in self.commands_for("tbb")}, {gcc})

    def test_nvcc_is_found(self) -> None:
        # Each goes before those above it.
        for name, variable, value in (
            ("default/bin/nvcc", "", ""),
            ("home/bin/nvcc", "CUDA_HOME", "home"),
            ("path/nvcc", "", ""),
            ("named", "CUDACXX", "named"),
        ):
            compiler = self.add_compiler(name)
            if variable:
                os.environ[variable] = str(self.folder / value)
            found = _toolchain.cuda_compiler(["g++"])
            self.assertEqual(shutil.which(found[0]), compiler)
            self.assertEqual(found[1:], ["-ccbin", "g++"])
        os.environ["NVCC_CCBIN"] = "g++-13"
        self.assertEqual(len(_toolchain.cuda_compiler(["g++"])), 1)

    def test_no_compiler_is_an_error_that_says_what_to_install(self) -> None:
        self.add_headers("cpu", "cuda")
        with self.assertRaisesRegex(millrace.Error, "there is no C.. compiler to compile a task set with: none of .*; install gcc 12"):
            millrace.compile(__file__)
        with mock.patch.dict(os.environ, {"CXX": "/nowhere/g++"}):
            with self.assertRaisesRegex(millrace.Error, r"CXX is /nowhere/g\+\+, which is not on PATH"):
                millrace.compile(__file__)
        self.add_compiler("path/g++")
        words = "nvcc is neither on PATH nor /nowhere/bin/nvcc nor .*/default/bin/nvcc; install CUDA 12 or 13"
        with mock.patch.dict(os.environ, {"CUDA_HOME": "/nowhere"}), self.assertRaisesRegex(millrace.Error, words):
            millrace.compile(__file__, backends=["cuda"])
        with mock.patch.dict(os.environ, {"CUDACXX": "/nowhere/nvcc"}):
            with self.assertRaisesRegex(millrace.Error, "CUDACXX is /nowhere/nvcc, which is not on PATH"):
                millrace.compile(__file__, backends=["cuda"])

    def test_a_backend_that_is_not_in_the_library_is_rejected(self) -> None:
        self.add_headers("cpu")
        self.add_compiler("path/g++")
        with self.assertRaisesRegex(millrace.Error, "this Millrace has no backend 'cuda': .*--config=cuda"):
            millrace.compile(__file__, backends=["tbb", "cuda"])

    def test_other_backends_and_files_are_rejected(self) -> None:
        with self.assertRaisesRegex(ValueError, "backends has 'hip'; a task set can be compiled for tbb, simt, cuda"):
            millrace.compile(__file__, backends=["hip"])
        with self.assertRaisesRegex(FileNotFoundError, "tasks_that_are_not.h, which is no file; give the header"):
            millrace.compile("tasks_that_are_not.h")


if __name__ == "__main__":
    unittest.main()
