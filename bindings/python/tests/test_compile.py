# SPDX-License-Identifier: Apache-2.0

"""Task sets that are compiled and run."""

from __future__ import annotations

import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

import millrace
from millrace import _toolchain

TASKS = """
#include <cstdint>

#include <millrace/runtime/tasks/task_set.h>

struct Sum {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t* sum;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (end - begin <= 16) {
      std::uint64_t partial = 0;
      for (std::uint64_t i = begin; i < end; ++i) partial += i;
      context.add(sum, partial);
      return;
    }
    const std::uint64_t middle = begin + (end - begin) / 2;
    context.spawn(Sum{begin, middle, sum});
    context.spawn(Sum{middle, end, sum});
  }
};

struct Fail {
  std::int32_t code;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.fail(code);
  }
};

using Tasks = millrace::TaskSet<Sum, Fail>;
"""


@unittest.skipUnless(shutil.which("g++"), "there is no g++ here")
class Compiling(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]
    program: millrace.Program

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        header = Path(cls.folder.name) / "tasks.h"
        header.write_text(TASKS)
        cls.program = millrace.compile(header, options=["-O0"])

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def setUp(self) -> None:
        self.device = millrace.Device("tbb")
        self.addCleanup(self.device.close)

    def test_roots_and_what_they_spawn_run(self) -> None:
        total = np.zeros(1, np.uint64)
        roots = np.array([(0, 5000, total.ctypes.data), (5000, 10000, total.ctypes.data)], "u8,u8,u8")
        for policy in ("persistent", "uberkernel", "kernel-per-type"):
            total[0] = 0
            report = self.program.run(self.device, roots, policy=policy)
            self.assertEqual(int(total[0]), 10000 * 9999 // 2)
            # 5000 halved until at most 16 are left: 2^9 leaves of a binary tree.
            self.assertEqual(report.tasks, 2 * (2 * 512 - 1))

    def test_sets_of_the_same_name_run_their_own_tasks(self) -> None:
        header = Path(self.folder.name) / "other.h"
        header.write_text(TASKS.replace("partial += i;", "partial += 2 * i;"))
        other = millrace.compile(header, options=["-O0"])
        for program, factor in ((self.program, 1), (other, 2)):
            total = np.zeros(1, np.uint64)
            program.run(self.device, np.array([(0, 10, total.ctypes.data)], "u8,u8,u8"))
            self.assertEqual(int(total[0]), factor * 45)

    def test_a_failed_task_is_an_error(self) -> None:
        with self.assertRaisesRegex(millrace.Error, "7"):
            self.program.run(self.device, None, np.array([7], np.int32))

    def test_roots_that_are_none_are_rejected(self) -> None:
        with self.assertRaisesRegex(TypeError, r"roots\[0\] has dtype uint64, of 8 bytes; type 0 of Tasks has 24"):
            self.program.run(self.device, np.zeros(1, np.uint64))
        with self.assertRaisesRegex(ValueError, "there are 3 arrays of roots; Tasks has 2 types"):
            self.program.run(self.device, None, None, None)
        masked: Any = np.zeros(1, np.int32).view(np.ma.MaskedArray)
        with self.assertRaisesRegex(TypeError, "MaskedArray"):
            self.program.run(self.device, None, masked)

    def test_what_the_compiler_says_is_said(self) -> None:
        header = Path(self.folder.name) / "broken.h"
        header.write_text("#include <millrace/runtime/tasks/task_set.h>\nusing Tasks = millrace::TaskSet<Missing>;\n")
        with self.assertRaisesRegex(millrace.Error, r"did not compile the task set:\n(.|\n)*broken.h"):
            millrace.compile(header)


def has_cuda() -> bool:
    """Returns true if there is an nvcc, and headers of a Millrace that has the backend."""
    try:
        _toolchain.check_target(_toolchain.include_folder(), "cuda")
        return bool(_toolchain.cuda_compiler(_toolchain.host_compiler()))
    except millrace.Error:
        return False


@unittest.skipUnless(has_cuda(), "there is no nvcc here, or Millrace is without CUDA")
class CompilingForCuda(unittest.TestCase):
    def test_a_set_is_loaded_and_runs_where_there_is_a_device(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            header = Path(folder) / "tasks.h"
            header.write_text(TASKS)
            program = millrace.compile(header, backends=["tbb", "cuda"], options=["-O0"])
        with millrace.Device("tbb") as device:
            total = np.zeros(1, np.uint64)
            program.run(device, np.array([(0, 10000, total.ctypes.data)], "u8,u8,u8"))
            self.assertEqual(int(total[0]), 10000 * 9999 // 2)
        for name in [info.name for info in millrace.devices() if info.backend == "cuda"]:
            with millrace.Device(name) as device, device.queue() as queue:
                for policy in ("persistent", "uberkernel", "kernel-per-type"):
                    sums = millrace.Array.from_numpy(queue, np.zeros(1, np.uint64))
                    program.run(device, np.array([(0, 10000, sums.address)], "u8,u8,u8"), policy=policy)
                    self.assertEqual(int(sums.to_numpy(queue)[0]), 10000 * 9999 // 2, name)
                with self.assertRaisesRegex(millrace.Error, "7"):
                    program.run(device, None, np.array([7], np.int32))


if __name__ == "__main__":
    unittest.main()
