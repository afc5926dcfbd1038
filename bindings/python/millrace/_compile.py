# SPDX-License-Identifier: Apache-2.0

"""Task sets of the user's own, compiled by the C++ compiler that is there."""

from __future__ import annotations

import ctypes
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._array import check_unmasked
from ._device import Device
from ._library import POLICIES, Error, library_path, one_of
from ._toolchain import CUDA_OPTIONS, check_target, cuda_compiler, host_compiler, include_folder, run_compiler

# The target that task sets of each backend are compiled for.
TARGETS = {"tbb": "cpu", "simt": "simt", "cuda": "cuda"}
MESSAGE_BYTES = 8192

# A program exports these functions alone. Task sets of two programs may have the same names, and the loader would let both share the
# variables of inline functions.
_EXPORTS = "{ global: millrace_program_*; local: *; };\n"

_REGISTRATION = """
#include MILLRACE_TARGET
#include "{header}"

const millrace::target::RegisterTasks<{tasks}> registered;
"""

_PROGRAM = """
#include "{header}"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

namespace {{

using Set = {tasks};
using Indices = std::make_index_sequence<Set::kTypes>;

template <std::size_t index>
void push(millrace::TaskList<Set>& list, const void* roots, std::size_t count) {{
  using Task = typename Set::template Type<index>;
  for (std::size_t i = 0; i < count; ++i) {{
    alignas(Task) unsigned char task[sizeof(Task)];
    std::memcpy(task, static_cast<const unsigned char*>(roots) + i * sizeof(Task), sizeof(Task));
    list.push(*std::launder(reinterpret_cast<const Task*>(task)));
  }}
}}

template <std::size_t... index>
millrace::TaskList<Set> list_of(const void* const* roots, const std::size_t* counts,
                                std::index_sequence<index...>) {{
  millrace::TaskList<Set> list;
  (push<index>(list, roots[index], counts[index]), ...);
  return list;
}}

template <std::size_t... index>
std::size_t bytes_of(std::size_t type, std::index_sequence<index...>) {{
  const std::size_t bytes[] = {{sizeof(typename Set::template Type<index>)...}};
  return bytes[type];
}}

}}  // namespace

extern "C" {{

std::size_t millrace_program_types() {{ return Set::kTypes; }}

std::size_t millrace_program_task_bytes(std::size_t type) {{ return bytes_of(type, Indices()); }}

// Returns 0, or 1 with a message. Policies are numbered as in millrace.h.
int millrace_program_run(const char* device, int policy, int concurrency,
                         const void* const* roots, const std::size_t* counts, std::uint64_t* tasks,
                         char* message, std::size_t message_bytes) {{
  try {{
    constexpr millrace::Policy kPolicies[] = {{
        millrace::Policy::kAuto, millrace::Policy::kPersistentThreads,
        millrace::Policy::kUberkernel, millrace::Policy::kKernelPerType}};
    const auto opened = millrace::open_device(device);
    const auto queue = opened->make_queue({{.concurrency = concurrency}});
    const auto report = millrace::run_tasks(*queue, list_of(roots, counts, Indices()),
                                            {{.policy = kPolicies[policy]}});
    *tasks = report.tasks();
    return 0;
  }} catch (const std::exception& error) {{
    std::snprintf(message, message_bytes, "%s", error.what());
  }} catch (...) {{
    std::snprintf(message, message_bytes, "an exception of unknown type was thrown");
  }}
  return 1;
}}

}}  // extern "C"
"""


@dataclass(frozen=True)
class RunReport:
    """Result of Program.run(): the number of tasks that ran, roots and spawned ones."""

    tasks: int


class Program:
    """A compiled task set. It stays loaded until the process ends. Any thread may call it."""

    def __init__(self, library: ctypes.CDLL, tasks: str) -> None:
        library.millrace_program_types.restype = ctypes.c_size_t
        library.millrace_program_task_bytes.restype = ctypes.c_size_t
        library.millrace_program_task_bytes.argtypes = [ctypes.c_size_t]
        self._library = library
        self._tasks = tasks
        types = int(library.millrace_program_types())
        self.task_bytes = [int(library.millrace_program_task_bytes(index)) for index in range(types)]

    def run(
        self, device: Device, *roots: Optional[npt.NDArray[Any]], policy: str = "auto", concurrency: int = 0
    ) -> RunReport:
        """Runs the roots and all tasks that they spawn, and returns when they have run. There is an array of roots for
        each type of the set, in its order; None and types left out have no roots. The items of an array have the bytes
        of the struct, as a structured dtype gives them (numpy.dtype(..., align=True)); a pointer is the address of an
        array that tasks can reach: `array.ctypes.data` of NumPy's on a CPU, `Array.address` elsewhere."""
        if len(roots) > len(self.task_bytes):
            types = len(self.task_bytes)
            raise ValueError(f"there are {len(roots)} arrays of roots; {self._tasks} has {types} types: give at most one of each")
        addresses = (ctypes.c_void_p * len(self.task_bytes))()
        counts = (ctypes.c_size_t * len(self.task_bytes))()
        for index, array in enumerate(roots):
            if array is None:
                continue
            self._check_roots(array, index)
            addresses[index] = array.ctypes.data
            counts[index] = array.size
        tasks = ctypes.c_uint64()
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        number = one_of(POLICIES, policy, "policy")
        failed = self._library.millrace_program_run(
            device.name.encode(), number, ctypes.c_int(concurrency), addresses, counts, ctypes.byref(tasks), message,
            ctypes.c_size_t(MESSAGE_BYTES),
        )
        if failed:
            raise Error("task failed", message.value.decode(errors="replace"))
        return RunReport(int(tasks.value))

    def _check_roots(self, array: Any, index: int) -> None:
        if not isinstance(array, np.ndarray):
            raise TypeError(f"roots[{index}] is a {type(array).__name__}; it must be a NumPy array")
        check_unmasked(array, f"roots[{index}]")
        if array.dtype.itemsize != self.task_bytes[index] or array.dtype.hasobject:
            raise TypeError(
                f"roots[{index}] has dtype {array.dtype}, of {array.dtype.itemsize} bytes; type {index} of {self._tasks} has "
                f"{self.task_bytes[index]}; the sizes must match"
            )
        if not array.flags.c_contiguous:
            raise ValueError(f"roots[{index}] has strides {array.strides}; it must be dense (see numpy.ascontiguousarray)")


def _link(linker: Sequence[str], objects: Sequence[Path], program: Path) -> None:
    exports = program.with_suffix(".lds")
    exports.write_text(_EXPORTS)
    folder, _, name = library_path().rpartition(os.sep)
    library = [f"-L{folder}"] if folder else []
    library.append(f"-l:{name}")
    script = ["-Xlinker", f"--version-script={exports}"]
    run_compiler([*linker, "-shared", *script, *map(str, objects), *library, "-o", str(program)])


def compile(
    header: Union[str, os.PathLike[str]],
    tasks: str = "Tasks",
    *,
    backends: Sequence[str] = ("tbb",),
    options: Sequence[str] = (),
) -> Program:
    """Compiles the task set `tasks`, a TaskSet that `header` defines, for the backends, "tbb", "simt" (code for GPUs on the CPU, for
    tests) and "cuda", and loads it. The compiler is CXX, or else g++ or clang++ on PATH, with `options` beside -O2. For "cuda" it is
    CUDACXX, or else nvcc, of PATH, CUDA_HOME or /usr/local/cuda, for the GPUs that the process sees. Raises Error where there is no
    compiler, no header of Millrace or no backend, and with what the compiler says.

    program = millrace.compile("tasks.h")
    program.run(device, np.array([(0, 10000, total.ctypes.data)], "u8,u8,u8"))
    """
    path = Path(header).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"header is {path}, which is no file; give the header of a task set")
    for backend in backends:
        if backend not in TARGETS:
            raise ValueError(f"backends has {backend!r}; a task set can be compiled for {', '.join(TARGETS)}")
    targets = sorted({TARGETS[backend] for backend in backends})
    host, include = host_compiler(), include_folder()
    for target in targets:
        check_target(include, target)
    cuda = cuda_compiler(host) if "cuda" in targets else []
    common = ["-std=c++20", f"-I{include}", *options]
    # nvcc takes the option once.
    common += [] if any(option.startswith("-O") for option in options) else ["-O2"]
    for_host = [*host, "-fPIC", *common]
    for_cuda = [*cuda, *CUDA_OPTIONS, "-Xcompiler=-fPIC", *common]
    names = {"header": str(path), "tasks": tasks}
    with tempfile.TemporaryDirectory(prefix="millrace-") as name:
        folder = Path(name)
        (folder / "program.cc").write_text(_PROGRAM.format(**names))
        run_compiler([*for_host, "-c", str(folder / "program.cc"), "-o", str(folder / "program.o")])
        objects = [folder / "program.o"]
        (folder / "tasks.cc").write_text(_REGISTRATION.format(**names))
        for target in targets:
            objects.append(folder / f"{target}.o")
            command = for_cuda if target == "cuda" else for_host
            defines = [f"-DMILLRACE_TARGET=<millrace/backends/{target}/task_target.h>"]
            defines += [f"-DMILLRACE_GPU_API=<millrace/backends/{target}/api.h>"]
            run_compiler([*command, *defines, "-c", str(folder / "tasks.cc"), "-o", str(objects[-1])])
        _link(cuda or host, objects, folder / "program.so")
        try:
            return Program(ctypes.CDLL(str(folder / "program.so")), tasks)
        except OSError as error:
            raise Error(
                "unsupported",
                f"the compiled task set does not load: {error}; define what the header declares, and take headers ({include}) and "
                f"library ({library_path()}) of one build of Millrace",
            ) from None
