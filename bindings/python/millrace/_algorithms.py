# SPDX-License-Identifier: Apache-2.0

"""The four algorithms, on NumPy arrays or Arrays, by a queue or a group."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Union, overload

import numpy as np
import numpy.typing as npt

from ._array import (
    AnyArray,
    Array,
    HostOrDeviceArray,
    OtherArray,
    address_of,
    check,
    check_output,
    check_same_space,
    check_unmasked,
    empty_like,
    space_number,
)
from ._device import Device, Queue
from ._group import Group
from ._library import PARTITIONS, POLICIES, PRECISIONS, VISITOR, MotionStruct, SortStruct, call, one_of

KEY_TYPES = {
    "uint32": 0,
    "uint64": 1,
    "int32": 2,
    "int64": 3,
    "float32": 4,
    "float64": 5,
    "uint8": 6,
    "uint16": 7,
    "int8": 8,
    "int16": 9,
    "float16": 10,
}
ANY_SIZE = (None,)

VECTOR = np.dtype([("x", np.int16), ("y", np.int16)])

QueueOrGroup = Union[Queue, Group]


def _device_of(queue: QueueOrGroup) -> Optional[Device]:
    """Returns the device whose memory arrays may be in; None for a group."""
    return queue.device if isinstance(queue, Queue) else None


def _call(name: str, on: Union[QueueOrGroup, Device], *arguments: Any) -> None:
    """Calls millrace_NAME, or its form for groups."""
    call("group_" + name if isinstance(on, Group) else name, on.handle, *arguments)


def _sort(
    queue: QueueOrGroup,
    keys: HostOrDeviceArray,
    keys_out: Optional[HostOrDeviceArray],
    values: Optional[HostOrDeviceArray],
    values_out: Optional[HostOrDeviceArray],
    descending: bool,
    policy: str,
) -> None:
    arguments = SortStruct(
        size=ctypes.sizeof(SortStruct),
        count=keys.shape[0],
        keys_in=address_of(keys),
        keys_out=address_of(keys_out),
        values_in=address_of(values),
        values_out=address_of(values_out),
        value_bytes=0 if values_out is None else values_out.dtype.itemsize,
        is_argsort=1 if values is None and values_out is not None else 0,
        is_descending=1 if descending else 0,
        key_type=KEY_TYPES[keys.dtype.name],
        space=space_number(keys),
        policy=one_of(POLICIES, policy, "policy"),
    )
    _call("sort", queue, ctypes.byref(arguments))


def sort(
    queue: QueueOrGroup,
    keys: AnyArray,
    *,
    out: Optional[AnyArray] = None,
    descending: bool = False,
    policy: str = "auto",
) -> AnyArray:
    """Returns the sorted keys, in a new array or in `out`, which may be `keys`. Floats are in the total order of IEEE
    754."""
    check(keys, "keys", _device_of(queue), list(KEY_TYPES), ANY_SIZE)
    if out is None:
        out = empty_like(keys, keys.dtype)
    check_output(out, "out", _device_of(queue), [keys.dtype], keys)
    _sort(queue, keys, out, None, None, descending, policy)
    return out


def sort_pairs(
    queue: QueueOrGroup,
    keys: AnyArray,
    values: OtherArray,
    *,
    keys_out: Optional[AnyArray] = None,
    values_out: Optional[OtherArray] = None,
    descending: bool = False,
    policy: str = "auto",
) -> tuple[AnyArray, OtherArray]:
    """Returns the sorted keys and their values, which have 4 or 8 bytes each and are no Python objects. The sort is
    stable."""
    check(keys, "keys", _device_of(queue), list(KEY_TYPES), ANY_SIZE)
    check_unmasked(values, "values")
    dtype = getattr(values, "dtype", type(values).__name__)
    if not isinstance(dtype, np.dtype) or dtype.hasobject or dtype.itemsize not in (4, 8):
        raise TypeError(f"values has dtype {dtype}; its items must have 4 or 8 bytes and be no Python objects")
    check(values, "values", _device_of(queue), [dtype], keys.shape)
    check_same_space(values, "values", keys)
    if keys_out is None:
        keys_out = empty_like(keys, keys.dtype)
    if values_out is None:
        values_out = empty_like(values, values.dtype)
    check_output(keys_out, "keys_out", _device_of(queue), [keys.dtype], keys)
    check_output(values_out, "values_out", _device_of(queue), [values.dtype], keys)
    _sort(queue, keys, keys_out, values, values_out, descending, policy)
    return keys_out, values_out


@overload
def argsort(
    queue: QueueOrGroup,
    keys: npt.NDArray[Any],
    *,
    out: Optional[npt.NDArray[Any]] = None,
    descending: bool = False,
    policy: str = "auto",
) -> npt.NDArray[Any]: ...


@overload
def argsort(
    queue: QueueOrGroup, keys: Array, *, out: Optional[Array] = None, descending: bool = False, policy: str = "auto"
) -> Array: ...


def argsort(
    queue: QueueOrGroup,
    keys: HostOrDeviceArray,
    *,
    out: Optional[HostOrDeviceArray] = None,
    descending: bool = False,
    policy: str = "auto",
) -> HostOrDeviceArray:
    """Returns the indices of the keys in sorted order, as uint64 unless `out` is of uint32."""
    check(keys, "keys", _device_of(queue), list(KEY_TYPES), ANY_SIZE)
    if out is None:
        out = empty_like(keys, np.uint64)
    check_output(out, "out", _device_of(queue), [np.uint32, np.uint64], keys)
    _sort(queue, keys, None, None, out, descending, policy)
    return out


def idct(
    queue: Queue,
    tags: HostOrDeviceArray,
    coefficients: AnyArray,
    *,
    out: Optional[AnyArray] = None,
    policy: str = "auto",
) -> AnyArray:
    """Returns the H.264 inverse transform of n macroblocks, which has the shape of `coefficients`. `tags` (n,) of uint8
    are 0 for blocks of 4x4 and 1 for 8x8; `coefficients` (n, 256) of int16 are as in bindings/c/millrace.h."""
    check(tags, "tags", queue.device, [np.uint8], ANY_SIZE)
    check(coefficients, "coefficients", queue.device, [np.int16], (tags.shape[0], 256))
    check_same_space(coefficients, "coefficients", tags)
    if out is None:
        out = empty_like(coefficients, np.int16)
    check_output(out, "out", queue.device, [np.int16], coefficients)
    call(
        "idct", queue.handle, space_number(tags), address_of(tags), address_of(coefficients), tags.shape[0],
        address_of(out), one_of(POLICIES, policy, "policy"),
    )
    return out


def motion_lambda(qp: int) -> int:
    """Returns lambda for the H.264 quantiser `qp`, 0 to 51."""
    result = ctypes.c_int32()
    call("motion_lambda", qp, ctypes.byref(result))
    return result.value


def motion_search(
    device: Union[Device, Group],
    frames: npt.NDArray[Any],
    *,
    range: int = 32,
    qp: int = 32,
    precision: str = "quarter",
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Returns the best vectors, in the frame before, of the 41 partitions of each macroblock, and their costs. `frames`
    (n, height, width) are of uint8, or of uint16 for 10 bits (0 to 1023). Both results have the shape
    (n - 1, height / 16, width / 16, 41); vectors have the fields x and y, in quarter samples."""
    if not isinstance(frames, np.ndarray):
        raise TypeError(f"frames is a {type(frames).__name__}; it must be a NumPy array")
    check(frames, "frames", device if isinstance(device, Device) else None, [np.uint8, np.uint16], (None, None, None))
    count, height, width = frames.shape
    shape = (max(count - 1, 0), height // 16, width // 16, PARTITIONS)
    vectors = np.empty(shape, VECTOR)
    costs = np.empty(shape, np.uint32)
    arguments = MotionStruct(
        size=ctypes.sizeof(MotionStruct),
        samples=frames.ctypes.data,
        frames=count,
        width=width,
        height=height,
        sample_bytes=frames.dtype.itemsize,
        range=range,
        precision=one_of(PRECISIONS, precision, "precision"),
        vectors=vectors.ctypes.data,
        costs=costs.ctypes.data,
    )
    setattr(arguments, "lambda", motion_lambda(qp))
    _call("motion_search", device, ctypes.byref(arguments))
    return vectors, costs


def _check_points(points: Any, device: Optional[Device]) -> None:
    if not isinstance(points, np.ndarray):
        raise TypeError(f"points is a {type(points).__name__}; it must be a NumPy array")
    check(points, "points", device, [np.int32], (None, 2))


def count_three_stars(queue: QueueOrGroup, points: npt.NDArray[np.int32], radius: int) -> int:
    """Returns the number of 3-stars among `points` (n, 2) of int32."""
    _check_points(points, _device_of(queue))
    count = ctypes.c_uint64()
    _call("three_star_count", queue, points.ctypes.data, points.shape[0], radius, ctypes.byref(count))
    return count.value


def three_stars(
    queue: QueueOrGroup, points: npt.NDArray[np.int32], radius: int, *, raw: bool = False
) -> npt.NDArray[np.uint32]:
    """Returns all 3-stars as (m, 3) indices of points. Each row and the rows are in ascending order. If `raw` is true,
    a GPU sends them uncompressed."""
    _check_points(points, _device_of(queue))
    chunks: list[npt.NDArray[np.uint32]] = []

    def collect(_context: int, stars: int, count: int) -> int:
        try:
            chunks.append(np.frombuffer(ctypes.string_at(stars, 12 * count), np.uint32).reshape(count, 3))
        except MemoryError:
            return 1
        return 0

    visitor = VISITOR(collect)
    count = points.shape[0]
    _call("three_star_visit", queue, points.ctypes.data, count, radius, 1 if raw else 0, visitor, None, None)
    found: npt.NDArray[np.uint32] = np.concatenate(chunks) if chunks else np.empty((0, 3), np.uint32)
    ordered: npt.NDArray[np.uint32] = found[np.lexsort((found[:, 2], found[:, 1], found[:, 0]))]
    return ordered
