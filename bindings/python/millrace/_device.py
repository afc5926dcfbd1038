# SPDX-License-Identifier: Apache-2.0

"""Devices and their queues."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Optional

from ._library import HEADER_VERSION, DeviceInfoStruct, QueueOptionsStruct, call


@dataclass(frozen=True)
class DeviceInfo:
    """Properties of a device (millrace_device_info in bindings/c/millrace.h)."""

    name: str
    backend: str
    description: str
    memory_bytes: int
    compute_units: int
    warp_width: int
    shares_host_memory: bool
    is_simulated: bool


def _info_of(struct: DeviceInfoStruct) -> DeviceInfo:
    return DeviceInfo(
        name=struct.name.decode(),
        backend=struct.backend.decode(),
        description=struct.description.decode(errors="replace"),
        memory_bytes=struct.memory_bytes,
        compute_units=struct.compute_units,
        warp_width=struct.warp_width,
        shares_host_memory=bool(struct.shares_host_memory),
        is_simulated=bool(struct.is_simulated),
    )


def describe(function: str, *arguments: Any) -> DeviceInfo:
    """Returns what a call of the library writes to the struct that is its last argument."""
    info = DeviceInfoStruct(size=ctypes.sizeof(DeviceInfoStruct))
    call(function, *arguments, ctypes.byref(info))
    return _info_of(info)


def devices() -> list[DeviceInfo]:
    """Returns the devices that are present now."""
    count = ctypes.c_size_t()
    call("device_count", ctypes.byref(count))
    return [describe("device_describe", index) for index in range(count.value)]


class Handle:
    """A handle of the library. It is freed once, by close() or with the object."""

    def __init__(self, handle: ctypes.c_void_p, free: str) -> None:
        self._handle = handle
        self._finalizer = weakref.finalize(self, call, free, handle)

    @property
    def handle(self) -> ctypes.c_void_p:
        """Returns the handle for calls of the library, which reject a closed one."""
        return self._handle

    def close(self) -> None:
        """Frees the handle. Calls that use it continue to their end."""
        self._finalizer()


class Device(Handle):
    """A processor, opened by its name: "tbb", "cuda:0", ... Its queues and arrays keep it open. `name` is valid after
    close()."""

    def __init__(self, name: str) -> None:
        handle = ctypes.c_void_p()
        call("device_open_version", HEADER_VERSION, name.encode(), ctypes.byref(handle))
        super().__init__(handle, "device_close")
        self.name = self.info.name

    @property
    def info(self) -> DeviceInfo:
        return describe("device_get_info", self.handle)

    def queue(self, *, concurrency: int = 0, stream: Optional[int] = None) -> Queue:
        """Makes a queue. `concurrency` limits a CPU's threads. `stream` is the address of the caller's CUDA or HIP
        stream; 0 is the default stream."""
        return Queue(self, concurrency=concurrency, stream=stream)

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class Queue(Handle):
    """Runs operations on a device in order."""

    def __init__(self, device: Device, *, concurrency: int = 0, stream: Optional[int] = None) -> None:
        options = QueueOptionsStruct(
            size=ctypes.sizeof(QueueOptionsStruct),
            concurrency=concurrency,
            uses_stream=0 if stream is None else 1,
            stream=stream,
        )
        handle = ctypes.c_void_p()
        call("queue_create", device.handle, ctypes.byref(options), ctypes.byref(handle))
        super().__init__(handle, "queue_free")
        self.device = device

    def wait(self) -> None:
        """Returns when all work is done."""
        call("queue_wait", self.handle)

    def __enter__(self) -> Queue:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
