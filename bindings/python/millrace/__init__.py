# SPDX-License-Identifier: Apache-2.0

"""Millrace: sorting, H.264 transforms, motion search and 3-stars on CPUs and GPUs.

    import millrace
    import numpy as np

    with millrace.Device("tbb") as device, device.queue() as queue:
        ordered = millrace.sort(queue, np.random.rand(1_000_000))

Algorithms read and write NumPy arrays in place, and Arrays, which are in memory of a device. They return when their
results are complete. Python's other threads run meanwhile.
"""

from ._algorithms import (
    argsort,
    count_three_stars,
    idct,
    motion_lambda,
    motion_search,
    sort,
    sort_pairs,
    three_stars,
)
from ._array import Array, from_dlpack
from ._compile import Program, RunReport, compile
from ._device import Device, DeviceInfo, Queue, devices
from ._encode import Encoded, EncodedPicture, encode
from ._group import Group
from ._h264 import MACROBLOCK, SLICE, Fault, FeatureStream, Frame, Picture, PictureStream, decode, features
from ._library import Error, version
from ._relays import Placement, place_relays

__all__ = [
    "MACROBLOCK",
    "SLICE",
    "Array",
    "Device",
    "DeviceInfo",
    "Encoded",
    "EncodedPicture",
    "Error",
    "Fault",
    "FeatureStream",
    "Frame",
    "Group",
    "Picture",
    "PictureStream",
    "Placement",
    "Program",
    "Queue",
    "RunReport",
    "argsort",
    "compile",
    "count_three_stars",
    "decode",
    "devices",
    "encode",
    "features",
    "from_dlpack",
    "idct",
    "motion_lambda",
    "motion_search",
    "place_relays",
    "sort",
    "sort_pairs",
    "three_stars",
    "version",
]
