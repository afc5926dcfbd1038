# SPDX-License-Identifier: Apache-2.0

"""Devices and their queues."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import Optional

from ._library import HEADER_VERSION, DeviceInfoStruct, QueueOptionsStruct, call


@dataclass(frozen=True)
class DeviceInfo:
    """As millrace_device_info."""

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


def _new_info() -> DeviceInfoStruct:
    return DeviceInfoStruct(size=ctypes.sizeof(DeviceInfoStruct))


def devices() -> list[DeviceInfo]:
    """Those that Device opens, now."""
    count = ctypes.c_size_t()
    call("device_count", ctypes.byref(count))
    found = []
    for index in range(count.value):
        info = _new_info()
        call("device_describe", index, ctypes.byref(info))
        found.append(_info_of(info))
    return found


class Handle:
    """A handle of the library, freed once: by close() or with the object."""

    def __init__(self, handle: ctypes.c_void_p, free: str) -> None:
        self._handle = handle
        self._finalizer = weakref.finalize(self, call, free, handle)

    @property
    def handle(self) -> ctypes.c_void_p:
        """For the library, which refuses one that is closed."""
        return self._handle

    def close(self) -> None:
        """What uses it goes on to its end."""
        self._finalizer()


class Device(Handle):
    """A processor by name: "tbb", "cuda:0", ... Its queues and arrays keep it open; `name` stays after close()."""

    def __init__(self, name: str) -> None:
        handle = ctypes.c_void_p()
        call("device_open_version", HEADER_VERSION, name.encode(), ctypes.byref(handle))
        super().__init__(handle, "device_close")
        self.name = self.info.name

    @property
    def info(self) -> DeviceInfo:
        info = _new_info()
        call("device_get_info", self.handle, ctypes.byref(info))
        return _info_of(info)

    def queue(self, *, concurrency: int = 0, stream: Optional[int] = None) -> Queue:
        """`concurrency` limits a CPU's threads; `stream` is the address of a CUDA or HIP stream of the caller's,
        0 the default stream."""
        return Queue(self, concurrency=concurrency, stream=stream)

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class Queue(Handle):
    """In-order work on a device."""

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
        """Until all work is done."""
        call("queue_wait", self.handle)

    def __enter__(self) -> Queue:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
