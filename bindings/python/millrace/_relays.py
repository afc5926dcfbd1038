# SPDX-License-Identifier: Apache-2.0

"""Relays that connect sensors."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._array import check
from ._device import Queue
from ._library import PlacementStruct, call

METHODS = ("nothing", "tree", "three-star")

# millrace_relay of bindings/c/millrace.h.
RELAY = np.dtype([("x", np.float64), ("y", np.float64), ("joins_three", np.int32), ("unused", np.int32)])
LINK_BYTES = 8


@dataclass(frozen=True)
class Placement:
    """Relays that connect sensors.

    method             "nothing", "tree" or "three-star" (millrace_placement_method in bindings/c/millrace.h)
    positions          (n, 2) of float64, in units of the sensors' grid; those that join three come first
    joins_three        (n,) of bool; False: the relay is on an edge of the minimum spanning tree
    links              (m, 2) of uint32: a tree of sensors and, from their number on, relays
    components         number of components of the sensors without relays
    tree_relays        number of relays of the tree alone
    three_star_relays  number of relays where three are joined first, even if they are more
    is_connected       computed from the positions alone
    """

    method: str
    positions: npt.NDArray[np.float64]
    joins_three: npt.NDArray[np.bool_]
    links: npt.NDArray[np.uint32]
    components: int
    tree_relays: int
    three_star_relays: int
    is_connected: bool


def _copy(address: Optional[int], count: int, dtype: npt.DTypeLike, item_bytes: int) -> npt.NDArray[Any]:
    data = ctypes.string_at(address, item_bytes * count) if address else b""
    return np.frombuffer(bytearray(data), dtype)


def place_relays(queue: Queue, sensors: npt.NDArray[np.int32], radius: int) -> Placement:
    """Places relays so that `sensors` (n, 2) of int32, which reach as far as `radius`, are connected, and keeps their
    number small."""
    if not isinstance(sensors, np.ndarray):
        raise TypeError(f"sensors is a {type(sensors).__name__}; it must be a NumPy array")
    check(sensors, "sensors", queue.device, [np.int32], (None, 2))
    handle = ctypes.c_void_p()
    call("place_relays", queue.handle, sensors.ctypes.data, sensors.shape[0], radius, ctypes.byref(handle))
    try:
        info = PlacementStruct(size=ctypes.sizeof(PlacementStruct))
        call("placement_get", handle, ctypes.byref(info))
        relays = _copy(info.relays, info.relay_count, RELAY, RELAY.itemsize)
        return Placement(
            method=METHODS[info.method],
            positions=np.stack([relays["x"], relays["y"]], axis=1),
            joins_three=relays["joins_three"] != 0,
            links=_copy(info.links, info.link_count, np.uint32, LINK_BYTES).reshape(-1, 2),
            components=int(info.components),
            tree_relays=int(info.tree_relays),
            three_star_relays=int(info.three_star_relays),
            is_connected=bool(info.is_connected),
        )
    finally:
        call("placement_free", handle)
