# SPDX-License-Identifier: Apache-2.0

"""Arrays in memory of a device, and their exchange with other libraries without a copy (DLPack)."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Optional, Sequence, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _dlpack
from ._device import Device, DeviceInfo, Queue
from ._library import HOST, SPACES, call, one_of

# DLPack's kinds of a backend's device memory and of its page-locked memory. Its devices are "cuda:0", "cuda:1", ...
_GPU_KINDS = {"cuda": (_dlpack.CUDA, _dlpack.CUDA_HOST), "hip": (_dlpack.ROCM, _dlpack.ROCM_HOST)}


def _gpu_number(info: DeviceInfo) -> int:
    return int(info.name.partition(":")[2])


class Array:
    """A dense array in C order; `space` is "host", "pinned" or "device". Memory of another library is not freed with
    it. Raises TypeError for a dtype of Python objects, because a copy does not count their references."""

    def __init__(
        self,
        device: Device,
        shape: Union[int, Sequence[int]],
        dtype: npt.DTypeLike,
        space: str = "device",
        *,
        _wrapped: Optional[tuple[int, Any]] = None,
    ) -> None:
        self.device = device
        self.shape: tuple[int, ...] = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.space = space
        if self.dtype.hasobject:
            raise TypeError(f"dtype is {self.dtype}; the items of an Array must be no Python objects")
        if any(extent < 0 for extent in self.shape):
            raise ValueError(f"shape is {self.shape}; no extent may be negative")
        handle = ctypes.c_void_p()
        where = one_of(SPACES, space, "space")
        if _wrapped is None:
            call("buffer_create", device.handle, where, self.nbytes, ctypes.byref(handle))
        else:
            call("buffer_wrap", device.handle, where, _wrapped[0], self.nbytes, None, None, ctypes.byref(handle))
        self._handle = handle
        self._owner = None if _wrapped is None else _wrapped[1]
        weakref.finalize(self, call, "buffer_free", handle)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def address(self) -> int:
        data = ctypes.c_void_p()
        call("buffer_get", self._handle, ctypes.byref(data), None, None)
        return data.value or 0

    @classmethod
    def from_numpy(cls, queue: Queue, source: npt.NDArray[Any], space: str = "device") -> Array:
        """Returns a copy of a NumPy array. Raises TypeError for a masked one."""
        check_unmasked(source, "source")
        source = np.ascontiguousarray(source)
        array = cls(queue.device, source.shape, source.dtype, space)
        call("copy_in", queue.handle, array._handle, 0, source.ctypes.data, source.nbytes)
        queue.wait()
        return array

    def to_numpy(self, queue: Queue) -> npt.NDArray[Any]:
        """Returns a copy as a NumPy array."""
        check_device(self, "the array", queue.device)
        target = np.empty(self.shape, self.dtype)
        call("copy_out", queue.handle, target.ctypes.data, self._handle, 0, target.nbytes)
        queue.wait()
        return target

    def __dlpack_device__(self) -> tuple[int, int]:
        info = self.device.info
        if info.shares_host_memory or self.space == "host":
            return _dlpack.CPU, 0
        if info.backend in _GPU_KINDS:
            return _GPU_KINDS[info.backend][1 if self.space == "pinned" else 0], _gpu_number(info)
        if self.space == "pinned":
            return _dlpack.CPU, 0
        raise BufferError(f"memory of {info.name} cannot be shared by DLPack; copy the array by to_numpy()")

    def __dlpack__(self, *, stream: Optional[int] = None, **_others: Any) -> Any:
        """Returns a DLPack capsule. The contents are complete, because nothing here is asynchronous, so any stream may
        use them at once."""
        return _dlpack.capsule_of(self, self.address, self.shape, self.dtype, self.__dlpack_device__())


def from_dlpack(device: Device, source: Any) -> Array:
    """Returns another library's array as an Array of `device`, without a copy. Raises BufferError if the device cannot
    reach it, if it is not dense and for types that NumPy does not have, and TypeError for a masked array. Work that
    fills an array on a GPU has ended on return."""
    check_unmasked(source, "source")
    kind, number = source.__dlpack_device__()
    info = device.info
    host = {_dlpack.CPU: "host", _dlpack.CUDA_HOST: "pinned", _dlpack.ROCM_HOST: "pinned"}
    own_kind = _GPU_KINDS[info.backend][0] if info.backend in _GPU_KINDS else None
    if kind in host:
        space = host[kind]
    elif kind == own_kind and number == _gpu_number(info):
        space = "device"
    else:
        raise BufferError(f"the array is on DLPack device ({kind}, {number}), which {info.name} cannot reach; copy it to the host first")
    # 1 is CUDA's default stream, which then waits for what fills the array; 0 is ROCm's.
    stream = {_dlpack.CUDA: 1, _dlpack.ROCM: 0}.get(kind)
    tensor = _dlpack.Tensor(source.__dlpack__(stream=stream) if stream is not None else source.__dlpack__())
    if stream is not None:
        # Queues have streams of their own, which the default stream does not hold up.
        with device.queue(stream=0) as default_stream:
            default_stream.wait()
    return Array(device, tensor.shape, tensor.dtype, space, _wrapped=(tensor.address, tensor))


HostOrDeviceArray = Union[npt.NDArray[Any], Array]
# A call returns arrays of the kind that it is given. All its arrays must be of that kind.
AnyArray = TypeVar("AnyArray", npt.NDArray[Any], Array)
OtherArray = TypeVar("OtherArray", npt.NDArray[Any], Array)


def space_number(array: HostOrDeviceArray) -> int:
    return HOST if isinstance(array, np.ndarray) else SPACES[array.space]


def check_device(array: HostOrDeviceArray, name: str, device: Optional[Device]) -> None:
    """Raises ValueError for memory of another device, whose addresses mean something else, or nothing, to a queue of
    `device`, or for memory of any device where that is None. Devices are compared by name, because one may have been
    opened more than once."""
    if not isinstance(array, Array) or array.space != "device":
        return
    if device is None:
        raise ValueError(f"{name} is in memory of {array.device.name}; a group takes arrays of the host")
    if array.device.name != device.name:
        raise ValueError(f"{name} is in memory of {array.device.name}; the work is for {device.name}")


def check_unmasked(array: Any, name: str) -> None:
    """Raises TypeError for a masked array, whose masked elements would be read like any other."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a numpy.ma.MaskedArray, whose mask would be ignored; pass {name}.filled(VALUE) or, without the "
            f"masked elements, {name}.compressed()"
        )


def check(
    array: Any,
    name: str,
    device: Optional[Device],
    dtypes: Sequence[npt.DTypeLike],
    shape: Optional[tuple[Optional[int], ...]] = None,
) -> None:
    """Raises TypeError or ValueError, with `name`, unless `array` is a dense array of one of the types and of that
    shape, in which None is any extent, and not in memory of another device."""
    if not isinstance(array, (np.ndarray, Array)):
        raise TypeError(f"{name} is a {type(array).__name__}; it must be a NumPy array or a millrace.Array")
    check_unmasked(array, name)
    if array.dtype not in [np.dtype(dtype) for dtype in dtypes]:
        names = ", ".join(np.dtype(dtype).name for dtype in dtypes)
        raise TypeError(f"{name} has dtype {array.dtype}; it must be one of {names}")
    check_device(array, name, device)
    if isinstance(array, np.ndarray) and not array.flags.c_contiguous:
        raise ValueError(f"{name} has strides {array.strides}; it must be dense (see numpy.ascontiguousarray)")
    if shape is None:
        return
    fits = len(shape) == len(array.shape) and all(want in (None, has) for want, has in zip(shape, array.shape))
    if not fits:
        words = ", ".join("any" if extent is None else str(extent) for extent in shape)
        raise ValueError(f"{name} has shape {array.shape}; it must be ({words})")


def check_output(
    array: Any, name: str, device: Optional[Device], dtypes: Sequence[npt.DTypeLike], like: HostOrDeviceArray
) -> None:
    """Raises as check() does, and unless `array` is writeable and has the shape and space of `like`."""
    check(array, name, device, dtypes, like.shape)
    check_same_space(array, name, like)
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        raise ValueError(f"{name} is read-only; give an array that can be written to")


def memory_of(array: HostOrDeviceArray) -> str:
    return f"{array.space} memory of {array.device.name}" if isinstance(array, Array) else "the host's memory"


def check_same_space(array: HostOrDeviceArray, name: str, like: HostOrDeviceArray) -> None:
    if space_number(array) != space_number(like):
        raise ValueError(f"{name} is in {memory_of(array)}, and the others are in {memory_of(like)}; give all in one")


def empty_like(array: HostOrDeviceArray, dtype: npt.DTypeLike) -> Any:
    """Returns a new array of the shape and space of `array`."""
    if isinstance(array, Array):
        return Array(array.device, array.shape, dtype, array.space)
    return np.empty(array.shape, dtype)


def address_of(array: Optional[HostOrDeviceArray]) -> Optional[int]:
    if array is None:
        return None
    return array.ctypes.data if isinstance(array, np.ndarray) else array.address
