# SPDX-License-Identifier: Apache-2.0

"""Groups of devices that work on one call together."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Optional

from ._device import DeviceInfo, Handle, describe
from ._library import HEADER_VERSION, call


class Group(Handle):
    """Several devices, by their names: Group("cuda:0", "cuda:1", "tbb"). Functions that take a queue or a device and
    whose work can be divided take a group instead, with arrays of the host; results are the same. Calls of several
    threads on a group run one after another."""

    def __init__(self, *names: str) -> None:
        handle = ctypes.c_void_p()
        call("group_open_version", HEADER_VERSION, ",".join(names).encode(), ctypes.byref(handle))
        super().__init__(handle, "group_close")

    @property
    def devices(self) -> list[DeviceInfo]:
        count = ctypes.c_size_t()
        call("group_size", self.handle, ctypes.byref(count))
        return [describe("group_describe", self.handle, index) for index in range(count.value)]

    def __enter__(self) -> Group:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
