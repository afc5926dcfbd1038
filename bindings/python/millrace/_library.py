# SPDX-License-Identifier: Apache-2.0

"""Loads libmillrace by ctypes. The calls are described in bindings/c/millrace.h."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

# MILLRACE_VERSION of the header that this package was written for.
HEADER_VERSION = 100

OK = 0
HOST, PINNED, DEVICE = 0, 1, 2
SPACES = {"host": HOST, "pinned": PINNED, "device": DEVICE}
POLICIES = {"auto": 0, "persistent": 1, "uberkernel": 2, "kernel-per-type": 3}
PRECISIONS = {"integer": 0, "half": 1, "quarter": 2}
PARTITIONS = 41


class Error(RuntimeError):
    """An error of the library; `status` is the name of its status, such as "invalid argument"."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


class DeviceInfoStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("name", ctypes.c_char * 32),
        ("backend", ctypes.c_char * 32),
        ("description", ctypes.c_char * 256),
        ("memory_bytes", ctypes.c_uint64),
        ("compute_units", ctypes.c_int32),
        ("warp_width", ctypes.c_int32),
        ("shares_host_memory", ctypes.c_int32),
        ("is_simulated", ctypes.c_int32),
    ]


class QueueOptionsStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("task_memory_bytes", ctypes.c_uint64),
        ("concurrency", ctypes.c_int32),
        ("uses_stream", ctypes.c_int32),
        ("stream", ctypes.c_void_p),
    ]


class SortStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("count", ctypes.c_size_t),
        ("keys_in", ctypes.c_void_p),
        ("keys_out", ctypes.c_void_p),
        ("values_in", ctypes.c_void_p),
        ("values_out", ctypes.c_void_p),
        ("value_bytes", ctypes.c_uint32),
        ("is_argsort", ctypes.c_int32),
        ("is_descending", ctypes.c_int32),
        ("key_type", ctypes.c_int),
        ("space", ctypes.c_int),
        ("policy", ctypes.c_int),
    ]


class MotionStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("samples", ctypes.c_void_p),
        ("frames", ctypes.c_size_t),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
        ("sample_bytes", ctypes.c_int32),
        ("range", ctypes.c_int32),
        ("lambda", ctypes.c_int32),
        ("precision", ctypes.c_int),
        ("vectors", ctypes.c_void_p),
        ("costs", ctypes.c_void_p),
    ]


class PlacementStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("method", ctypes.c_int),
        ("is_connected", ctypes.c_int32),
        ("components", ctypes.c_uint64),
        ("tree_relays", ctypes.c_uint64),
        ("three_star_relays", ctypes.c_uint64),
        ("relay_count", ctypes.c_size_t),
        ("link_count", ctypes.c_size_t),
        ("relays", ctypes.c_void_p),
        ("links", ctypes.c_void_p),
    ]


class EncoderOptionsStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
        ("frame_rate", ctypes.c_uint32),
        ("frame_rate_base", ctypes.c_uint32),
        ("profile", ctypes.c_int32),
        ("decision", ctypes.c_int32),
        ("search", ctypes.c_int32),
        ("rate", ctypes.c_int32),
        ("qp", ctypes.c_int32),
        ("kbit_per_second", ctypes.c_int32),
        ("pictures_a_group", ctypes.c_int32),
        ("range", ctypes.c_int32),
        ("references", ctypes.c_int32),
        ("slices", ctypes.c_int32),
        ("device_work", ctypes.c_int32),
    ]


class EncodedPictureStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("index", ctypes.c_int64),
        ("frame_type", ctypes.c_int32),
        ("is_idr", ctypes.c_int32),
        ("qp", ctypes.c_int32),
        ("unused", ctypes.c_int32),
        ("bytes", ctypes.c_void_p),
        ("byte_count", ctypes.c_size_t),
        ("squared_errors", ctypes.c_uint64 * 3),
    ]


class H264OptionsStruct(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("skips_coefficients", ctypes.c_int32), ("decodes", ctypes.c_int32)]


class H264PictureStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("picture", ctypes.c_int64),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
        ("concealed_macroblocks", ctypes.c_int32),
        ("unused", ctypes.c_int32),
        ("planes", ctypes.c_void_p * 3),
        ("strides", ctypes.c_size_t * 3),
    ]


class DeviationStruct(ctypes.Structure):
    _fields_ = [("mean", ctypes.c_double), ("deviation", ctypes.c_double)]


class BandsStruct(ctypes.Structure):
    _fields_ = [("blocks", ctypes.c_int64), ("energy", ctypes.c_double * 15), ("zero_share", ctypes.c_double * 15)]


class H264FrameStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("frame", ctypes.c_int64),
        ("picture", ctypes.c_int64),
        ("picture_order", ctypes.c_int32),
        ("frame_number", ctypes.c_int32),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
        ("columns", ctypes.c_int32),
        ("rows", ctypes.c_int32),
        ("is_reference", ctypes.c_int32),
        ("frame_type", ctypes.c_int32),
        ("is_idr", ctypes.c_int32),
        ("is_key_frame", ctypes.c_int32),
        ("least_qp", ctypes.c_int32),
        ("greatest_qp", ctypes.c_int32),
        ("bit_depth", ctypes.c_int32),
        ("black_rows", ctypes.c_int32),
        ("bytes", ctypes.c_int64),
        ("mean_qp", ctypes.c_double),
        ("mean_qp_inside", ctypes.c_double),
        ("motion", DeviationStruct),
        ("motion_x", DeviationStruct),
        ("motion_y", DeviationStruct),
        ("motion_difference", DeviationStruct),
        ("root_mean_square_motion_difference", ctypes.c_double),
        ("macroblock_count", ctypes.c_int64),
        ("kinds", ctypes.c_int64 * 16),
        ("sub_partitions", ctypes.c_int64 * 5),
        ("transforms_8x8", ctypes.c_int64),
        ("qp_histogram", ctypes.c_int64 * 52),
        ("header_bits", ctypes.c_int64),
        ("bits", ctypes.c_int64 * 4),
        ("other_bits", ctypes.c_int64),
        ("luma_4x4", BandsStruct),
        ("luma_8x8", BandsStruct),
        ("chroma", BandsStruct),
        ("references", ctypes.c_int64),
        ("missing_references", ctypes.c_int64),
        ("reference_distances", ctypes.c_int64 * 17),
        ("mean_decoding_distance", ctypes.c_double),
        ("mean_output_distance", ctypes.c_double),
        ("slice_count", ctypes.c_int64),
        ("damaged_slices", ctypes.c_int64),
        ("lost_macroblocks", ctypes.c_int64),
        ("inferred_pictures", ctypes.c_int64),
        ("refers_to_concealed", ctypes.c_double),
        ("refers_to_damaged", ctypes.c_double),
        ("macroblock_bytes", ctypes.c_size_t),
        ("slice_bytes", ctypes.c_size_t),
        ("macroblocks", ctypes.c_void_p),
        ("slices", ctypes.c_void_p),
        ("coefficients", ctypes.c_void_p),
    ]


class H264FaultStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("nal_unit", ctypes.c_int64),
        ("byte", ctypes.c_int64),
        ("picture", ctypes.c_int64),
        ("is_unsupported", ctypes.c_int32),
        ("message", ctypes.c_char * 260),
    ]


class H264CapturedStreamStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("packets", ctypes.c_int64),
        ("payload_type", ctypes.c_int32),
        ("unused", ctypes.c_int32),
        ("name", ctypes.c_char * 80),
    ]


VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
PICTURE_SOURCE = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_size_t),
)
ENCODED_SINK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(EncodedPictureStruct))

_HANDLE = ctypes.c_void_p
_OUT = ctypes.c_void_p  # Address of an output: ctypes.byref.
_FUNCTIONS: dict[str, list[Any]] = {
    "device_count": [_OUT],
    "device_describe": [ctypes.c_size_t, _OUT],
    "device_open_version": [ctypes.c_int32, ctypes.c_char_p, _OUT],
    "device_get_info": [_HANDLE, _OUT],
    "device_close": [_HANDLE],
    "queue_create": [_HANDLE, ctypes.c_void_p, _OUT],
    "queue_wait": [_HANDLE],
    "queue_free": [_HANDLE],
    "buffer_create": [_HANDLE, ctypes.c_int, ctypes.c_size_t, _OUT],
    "buffer_get": [_HANDLE, _OUT, _OUT, _OUT],
    "buffer_free": [_HANDLE],
    "buffer_wrap": [_HANDLE, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, _OUT],
    "copy_in": [_HANDLE, _HANDLE, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t],
    "copy_out": [_HANDLE, ctypes.c_void_p, _HANDLE, ctypes.c_size_t, ctypes.c_size_t],
    "sort": [_HANDLE, ctypes.c_void_p],
    "idct": [_HANDLE, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int],
    "motion_search": [_HANDLE, ctypes.c_void_p],
    "motion_lambda": [ctypes.c_int32, _OUT],
    "three_star_count": [_HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, _OUT],
    "three_star_visit": [
        _HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int32, VISITOR, ctypes.c_void_p, _OUT,
    ],
    "place_relays": [_HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, _OUT],
    "placement_get": [_HANDLE, _OUT],
    "placement_free": [_HANDLE],
    "group_open_version": [ctypes.c_int32, ctypes.c_char_p, _OUT],
    "group_size": [_HANDLE, _OUT],
    "group_describe": [_HANDLE, ctypes.c_size_t, _OUT],
    "group_close": [_HANDLE],
    "group_sort": [_HANDLE, ctypes.c_void_p],
    "group_motion_search": [_HANDLE, ctypes.c_void_p],
    "group_three_star_count": [_HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, _OUT],
    "group_three_star_visit": [
        _HANDLE, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int32, VISITOR, ctypes.c_void_p, _OUT,
    ],
    "h264_encode": [_HANDLE, ctypes.c_void_p, PICTURE_SOURCE, ENCODED_SINK, ctypes.c_void_p],
    "h264_open": [ctypes.c_char_p, ctypes.c_void_p, _OUT],
    "h264_create": [ctypes.c_void_p, _OUT],
    "h264_push": [_HANDLE, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int32],
    "h264_note_loss": [_HANDLE],
    "h264_finish": [_HANDLE],
    "h264_next": [_HANDLE, _OUT],
    "h264_frame_get": [_HANDLE, _OUT],
    "h264_frame_free": [_HANDLE],
    "h264_next_picture": [_HANDLE, _OUT],
    "h264_picture_get": [_HANDLE, _OUT],
    "h264_picture_free": [_HANDLE],
    "h264_fault_count": [_HANDLE, _OUT],
    "h264_fault_describe": [_HANDLE, ctypes.c_size_t, _OUT],
    "h264_close": [_HANDLE],
    "h264_is_capture": [ctypes.c_char_p, _OUT],
    "h264_capture_open": [ctypes.c_char_p, ctypes.c_char_p, _OUT],
    "h264_capture_size": [_HANDLE, _OUT],
    "h264_capture_describe": [_HANDLE, ctypes.c_size_t, _OUT],
    "h264_open_captured": [_HANDLE, ctypes.c_size_t, ctypes.c_void_p, _OUT],
    "h264_lost_packets": [_HANDLE, _OUT],
    "h264_capture_close": [_HANDLE],
}


def _load() -> ctypes.CDLL:
    """Loads MILLRACE_LIBRARY, or else the library in this package, or else the one that the system finds."""
    packed = Path(__file__).parent / "libmillrace.so.0"
    path = os.environ.get("MILLRACE_LIBRARY") or (str(packed) if packed.exists() else "libmillrace.so.0")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"cannot load {path}: {error}. Set MILLRACE_LIBRARY to the libmillrace.so that tools/install has made."
        ) from None
    library.millrace_error_message.restype = ctypes.c_char_p
    library.millrace_status_name.restype = ctypes.c_char_p
    library.millrace_version.restype = ctypes.c_int32
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, "millrace_" + name)
        function.argtypes = arguments
        function.restype = ctypes.c_int
    return library


_library = _load()


def library_path() -> str:
    """Returns the path of the library, or its name if the system has found it."""
    return str(_library._name)


def version() -> str:
    """Returns the version of the library."""
    number = int(_library.millrace_version())
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def call(name: str, *arguments: Any) -> None:
    """Calls millrace_NAME. Raises Error with its status and message if it fails."""
    status = getattr(_library, "millrace_" + name)(*arguments)
    if status != OK:
        words = _library.millrace_status_name(status).decode()
        raise Error(words, _library.millrace_error_message().decode(errors="replace"))


def one_of(choices: dict[str, int], value: str, argument: str) -> int:
    """Returns the number of a name. Raises ValueError for other names."""
    if value not in choices:
        raise ValueError(f"{argument} is {value!r}; it must be one of {', '.join(choices)}")
    return choices[value]
