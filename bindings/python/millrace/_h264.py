# SPDX-License-Identifier: Apache-2.0

"""H.264 streams: features, decisions and coefficients without reconstruction of samples, and decoded pictures."""

from __future__ import annotations

import ctypes
import itertools
import os
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Optional, Union

import numpy as np
import numpy.typing as npt

from ._container import Loss, Unit, begins_as_byte_stream, container_units
from ._device import Handle
from ._library import (
    BandsStruct,
    Error,
    H264CapturedStreamStruct,
    H264FaultStruct,
    H264FrameStruct,
    H264OptionsStruct,
    H264PictureStruct,
    call,
)

KINDS = (
    "I4x4", "I8x8", "I16x16", "PCM", "P16x16", "P16x8", "P8x16", "P8x8",
    "B16x16", "B16x8", "B8x16", "B8x8", "direct", "Pskip", "Bskip", "lost",
)  # fmt: skip
SUB_PARTITIONS = ("8x8", "8x4", "4x8", "4x4", "direct")

# millrace_h264_macroblock and millrace_h264_slice of bindings/c/millrace.h.
MACROBLOCK = np.dtype([
    ("type", np.uint8),
    ("has_8x8_transform", np.uint8),
    ("coded_block_pattern", np.uint8),
    ("qp", np.uint8),
    ("chroma_qp", np.uint8, (2,)),
    ("intra_chroma_mode", np.uint8),
    ("unused", np.uint8),
    ("slice", np.uint16),
    ("intra_modes", np.uint8, (16,)),
    ("sub_partitions", np.uint8, (4,)),
    ("references", np.int8, (2, 4)),
    ("unused_2", np.uint8, (2,)),
    ("vectors", np.int16, (2, 16, 2)),
    ("differences", np.int16, (2, 16, 2)),
    ("coded_blocks", np.uint32),
    ("bits", np.uint32, (4,)),
])
SLICE = np.dtype([
    ("type", np.int32),
    ("qp", np.int32),
    ("first_macroblock", np.int32),
    ("macroblocks", np.int32),
    ("is_damaged", np.int32),
    ("header_bits", np.uint32),
    ("bytes", np.uint32),
    ("reference_counts", np.int32, (2,)),
    ("unused", np.int32),
    ("references", np.int64, (2, 32)),
])

_Array = npt.NDArray[Any]
_Sdp = Optional[Union[str, os.PathLike[str]]]


@dataclass(frozen=True)
class Fault:
    """Something that a stream has wrong, or that is not supported (millrace_h264_fault in bindings/c/millrace.h)."""

    message: str
    nal_unit: int
    byte: int
    picture: int
    is_unsupported: bool
    stream: str = ""  # Its name, as Frame.stream.


class _Memory:
    """Read-only memory of a frame, which NumPy arrays of it keep."""

    def __init__(self, owner: Handle, address: int, size: int) -> None:
        self._owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": (size,), "typestr": "|u1"}


def _bands(name: str, bands: BandsStruct, count: int) -> dict[str, Any]:
    return {
        f"{name}_blocks": bands.blocks,
        f"{name}_energy": list(bands.energy)[:count],
        f"{name}_zero_share": list(bands.zero_share)[:count],
    }


def _features_of(info: H264FrameStruct) -> dict[str, Any]:
    distances = [str(distance) for distance in range(1, 17)] + ["more"]
    fractions = [count / max(info.macroblock_count, 1) for count in info.kinds]
    return {
        "frame": info.frame,
        "picture_order": info.picture_order,
        "frame_number": info.frame_number,
        "width": info.width,
        "height": info.height,
        "is_reference": info.is_reference,
        "FrameType": info.frame_type,
        "IsIDR": info.is_idr,
        "FrameSize": info.bytes,
        "Av_QP": info.mean_qp,
        "Av_QPBB": info.mean_qp_inside,
        "min_QP": info.least_qp,
        "max_QP": info.greatest_qp,
        "Av_Motion": info.motion.mean,
        "StdDev_Motion": info.motion.deviation,
        "Av_MotionX": info.motion_x.mean,
        "StdDev_MotionX": info.motion_x.deviation,
        "Av_MotionY": info.motion_y.mean,
        "StdDev_MotionY": info.motion_y.deviation,
        "Av_MotionDif": info.motion_difference.mean,
        "StdDev_MotionDif": info.motion_difference.deviation,
        "Seq.BitDepth": info.bit_depth,
        "black_rows": info.black_rows,
        "macroblocks": info.macroblock_count,
        "types": dict(zip(KINDS, info.kinds)),
        "type_shares": dict(zip(KINDS, fractions)),
        "sub_partitions": dict(zip(SUB_PARTITIONS, info.sub_partitions)),
        "transforms_8x8": info.transforms_8x8,
        "qp_histogram": list(info.qp_histogram),
        "bits": {
            "headers": info.header_bits,
            **dict(zip(("types", "vectors", "luma", "chroma"), info.bits)),
            "other": info.other_bits,
        },
        **_bands("luma_4x4", info.luma_4x4, 7),
        **_bands("luma_8x8", info.luma_8x8, 15),
        **_bands("chroma", info.chroma, 7),
        "references": info.references,
        "missing_references": info.missing_references,
        "reference_distances": dict(zip(distances, info.reference_distances)),
        "mean_decoding_distance": info.mean_decoding_distance,
        "mean_output_distance": info.mean_output_distance,
        "slices": info.slice_count,
        "damaged_slices": info.damaged_slices,
        "lost_macroblocks": info.lost_macroblocks,
        "inferred_pictures": info.inferred_pictures,
        "refers_to_concealed": info.refers_to_concealed,
        "refers_to_damaged": info.refers_to_damaged,
    }


class Frame:
    """A frame. `features` has the fields of `millrace features` by their names, which frame["Av_QP"] reads. Arrays are
    read-only views of the library's memory, which lives as long as the frame or one of them. `stream` is the name of its
    stream: FILE, FILE#STREAM of a capture, or empty where NAL units were given.

    macroblocks   (rows, columns) of MACROBLOCK; macroblocks["qp"] is a view, too
    slices        (n,) of SLICE
    coefficients  (rows, columns, 384) of int16, dequantised: 256 of luma, 64 of Cb, 64 of Cr; None if they are skipped
    """

    def __init__(self, handle: ctypes.c_void_p, stream: str = "") -> None:
        owner = Handle(handle, "h264_frame_free")
        self.stream = stream
        info = H264FrameStruct(size=ctypes.sizeof(H264FrameStruct))
        call("h264_frame_get", handle, ctypes.byref(info))
        shape = (info.rows, info.columns)
        count = info.rows * info.columns

        def view(address: Optional[int], dtype: npt.DTypeLike, items: int, stride: int) -> _Array:
            # Elements of a newer library may be larger than the dtype.
            size = np.dtype(dtype).itemsize
            memory: _Array = np.asarray(_Memory(owner, address or 0, items * stride)).reshape(items, stride)
            whole: _Array = memory if size == stride else memory[:, :size]
            return whole.view(dtype).reshape(items) if size == stride else whole.view(dtype)[:, 0]

        self.features = _features_of(info)
        self.picture = int(info.picture)
        self.is_key_frame = bool(info.is_key_frame)
        self.macroblocks = view(info.macroblocks, MACROBLOCK, count, info.macroblock_bytes).reshape(shape)
        self.slices = view(info.slices, SLICE, info.slice_count, info.slice_bytes)
        self.coefficients: Optional[npt.NDArray[np.int16]] = None
        if info.coefficients:
            self.coefficients = view(info.coefficients, np.int16, 384 * count, 2).reshape(*shape, 384)

    def __getitem__(self, name: str) -> Any:
        return self.features[name]

    @property
    def qp(self) -> _Array:
        """(rows, columns) of uint8."""
        return self.macroblocks["qp"]

    @property
    def types(self) -> _Array:
        """(rows, columns) of uint8: a millrace_h264_type of bindings/c/millrace.h."""
        return self.macroblocks["type"]

    @property
    def bits(self) -> _Array:
        """(rows, columns, 4) of uint32: types and modes, vectors, luma, chroma."""
        return self.macroblocks["bits"]

    @property
    def references(self) -> _Array:
        """(rows, columns, 2, 4) of int8: index into the slice's list by list and 8x8 block; -1: none."""
        return self.macroblocks["references"]

    @property
    def vectors(self) -> _Array:
        """(rows, columns, 2, 16, 2) of int16: x and y in quarter samples by list and 4x4 block."""
        return self.macroblocks["vectors"]


def _units_of(path: Union[str, os.PathLike[str]]) -> Iterator[Union[bytes, Unit, Loss]]:
    """Returns the units of a container, the first of which is read at once: another file fails here."""
    units = container_units(path)
    no_stream = f"{os.fspath(path)} does not begin with a start code, so it is no byte stream of H.264 (Annex B)"
    try:
        first = next(units, None)
    except ImportError:
        raise Error("unsupported", f"{no_stream}; containers are read by PyAV: pip install av") from None
    except (OSError, ValueError) as error:
        raise Error("unsupported", f"{no_stream}; nor is it a container with H.264: {error}") from error
    return units if first is None else itertools.chain([first], units)


class Picture:
    """A decoded picture, 4:2:0 of 8 bits, cropped: (height, width) of uint8 in `y`, and half as many rows and columns in
    `cb` and `cr`. They are read-only views of the library's memory, which lives as long as the picture or one of them.
    `stream` is as Frame's.
    """

    def __init__(self, handle: ctypes.c_void_p, stream: str = "") -> None:
        owner = Handle(handle, "h264_picture_free")
        self.stream = stream
        info = H264PictureStruct(size=ctypes.sizeof(H264PictureStruct))
        call("h264_picture_get", handle, ctypes.byref(info))

        def plane(index: int, width: int, height: int) -> npt.NDArray[np.uint8]:
            stride = info.strides[index]
            memory: _Array = np.asarray(_Memory(owner, info.planes[index] or 0, height * stride))
            return memory.reshape(height, stride)[:, :width]

        self.picture = int(info.picture)
        self.width = int(info.width)
        self.height = int(info.height)
        self.concealed_macroblocks = int(info.concealed_macroblocks)
        self.y = plane(0, self.width, self.height)
        self.cb = plane(1, self.width // 2, self.height // 2)
        self.cr = plane(2, self.width // 2, self.height // 2)


class _Stream(Handle):
    """A stream that the library reads, or whose NAL units are pushed until something is there. `name` is FILE,
    FILE#STREAM of a capture, or empty where NAL units are given."""

    def __init__(
        self, handle: ctypes.c_void_p, name: str, units: Optional[Iterator[Union[bytes, Unit, Loss]]] = None
    ) -> None:
        super().__init__(handle, "h264_close")
        self.name = name
        self._units = units

    def next_handle(self, function: str) -> ctypes.c_void_p:
        """Raises StopIteration at the end."""
        while True:
            handle = ctypes.c_void_p()
            call(function, self.handle, ctypes.byref(handle))
            if handle.value:
                return handle
            if self._units is None:
                raise StopIteration
            self._push_unit(self._units)

    def _push_unit(self, units: Iterator[Union[bytes, Unit, Loss]]) -> None:
        try:
            unit = next(units)
        except StopIteration:
            self._units = None
            call("h264_finish", self.handle)
            return
        if isinstance(unit, Loss):
            call("h264_note_loss", self.handle)
        elif isinstance(unit, Unit):
            call("h264_push", self.handle, unit.data, len(unit.data), unit.framing)
        else:
            call("h264_push", self.handle, bytes(unit), len(bytes(unit)), 4)

    def lost_packets(self) -> int:
        count = ctypes.c_int64()
        call("h264_lost_packets", self.handle, ctypes.byref(count))
        return count.value

    def faults(self) -> list[Fault]:
        """Returns the first 64 faults so far."""
        count = ctypes.c_size_t()
        call("h264_fault_count", self.handle, ctypes.byref(count))
        found = []
        for index in range(min(count.value, 64)):
            fault = H264FaultStruct(size=ctypes.sizeof(H264FaultStruct))
            call("h264_fault_describe", self.handle, index, ctypes.byref(fault))
            message = fault.message.decode(errors="replace")
            position = (fault.nal_unit, fault.byte, fault.picture)
            found.append(Fault(message, *position, bool(fault.is_unsupported), self.name))
        return found


class _Capture(Handle):
    """A capture, or one stream of it."""

    def __init__(self, path: str, sdp: _Sdp) -> None:
        handle = ctypes.c_void_p()
        session = None if sdp is None else os.fsencode(sdp)
        call("h264_capture_open", os.fsencode(path), session, ctypes.byref(handle))
        super().__init__(handle, "h264_capture_close")
        self._path = path
        count = ctypes.c_size_t()
        call("h264_capture_size", self.handle, ctypes.byref(count))
        self.names = [self._name(index) for index in range(count.value)]

    def _name(self, index: int) -> str:
        stream = H264CapturedStreamStruct(size=ctypes.sizeof(H264CapturedStreamStruct))
        call("h264_capture_describe", self.handle, index, ctypes.byref(stream))
        end = f"#{stream.name.decode()}"
        return self._path if self._path.endswith(end) else self._path + end

    def open(self, index: int, options: H264OptionsStruct) -> _Stream:
        handle = ctypes.c_void_p()
        call("h264_open_captured", self.handle, index, ctypes.byref(options), ctypes.byref(handle))
        return _Stream(handle, self.names[index])


def _is_capture(path: str) -> bool:
    result = ctypes.c_int32()
    call("h264_is_capture", os.fsencode(path), ctypes.byref(result))
    return bool(result.value)


def _open_stream(source: Union[str, os.PathLike[str], Iterable[bytes]], options: H264OptionsStruct) -> _Stream:
    handle = ctypes.c_void_p()
    if not isinstance(source, (str, os.PathLike)):
        units = iter(source)
        call("h264_create", ctypes.byref(options), ctypes.byref(handle))
        return _Stream(handle, "", units)
    if begins_as_byte_stream(source):
        call("h264_open", os.fsencode(source), ctypes.byref(options), ctypes.byref(handle))
        return _Stream(handle, os.fspath(source))
    of_container = _units_of(source)
    call("h264_create", ctypes.byref(options), ctypes.byref(handle))
    return _Stream(handle, os.fspath(source), of_container)


class _Streams:
    """The streams of a source, one after another: those of a capture, otherwise one."""

    def __init__(
        self, source: Union[str, os.PathLike[str], Iterable[bytes]], options: H264OptionsStruct, sdp: _Sdp
    ) -> None:
        if isinstance(source, (bytes, bytearray, memoryview)):
            raise TypeError(f"source is {type(source).__name__}; it must be a path or an iterable of NAL units")
        self.failures: dict[str, Error] = {}
        self._options = options
        self._capture: Optional[_Capture] = None
        self._index = 0
        self._ended_faults: list[Fault] = []
        self._ended_lost_packets = 0
        self._stream: Optional[_Stream]
        if isinstance(source, (str, os.PathLike)) and _is_capture(os.fspath(source)):
            self._capture = _Capture(os.fspath(source), sdp)
            self._stream = self._capture.open(0, options)
        elif sdp is not None:
            raise TypeError("sdp is given, and source is no capture, which alone has session descriptions; leave it out")
        else:
            self._stream = _open_stream(source, options)

    def _next(self, function: str) -> tuple[ctypes.c_void_p, str]:
        """Returns a handle and the name of its stream. Raises StopIteration at the end of all."""
        while self._stream is not None:
            try:
                return self._stream.next_handle(function), self._stream.name
            except StopIteration:
                pass
            except Error as error:
                if self._capture is None or len(self._capture.names) == 1:
                    raise
                self.failures[self._stream.name] = error
            self._open_next()
        raise StopIteration

    def _open_next(self) -> None:
        assert self._stream is not None
        self._ended_faults += self._stream.faults()
        self._ended_lost_packets += self._stream.lost_packets()
        if self._capture is None:
            self._end()
            return
        self._stream.close()
        self._index += 1
        if self._index < len(self._capture.names):
            self._stream = self._capture.open(self._index, self._options)
            return
        self._end()
        if len(self.failures) == len(self._capture.names):
            raise next(iter(self.failures.values()))

    def _end(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._stream = None

    def close(self) -> None:
        """Frees the streams. Iteration ends; frames and pictures stay as they are."""
        if self._stream is not None:
            self._ended_faults += self._stream.faults()
            self._ended_lost_packets += self._stream.lost_packets()
        self._end()
        if self._capture is not None:
            self._capture.close()

    @property
    def streams(self) -> list[str]:
        """Returns the names of the streams: FILE#ADDRESS:PORT/SSRC for those of a capture, otherwise none."""
        return [] if self._capture is None else list(self._capture.names)

    @property
    def lost_packets(self) -> int:
        """Returns the packets so far that were lost before they were captured."""
        return self._ended_lost_packets + (0 if self._stream is None else self._stream.lost_packets())

    @property
    def faults(self) -> list[Fault]:
        """Returns the first 64 faults of each stream so far."""
        return self._ended_faults + ([] if self._stream is None else self._stream.faults())


class FeatureStream(_Streams):
    """Iterates over the frames of a stream in decoding order. Raises Error if it has none. All streams of a capture
    are read, one after another. `streams` has their names, and `failures` has the errors of those without a frame. If
    no stream has a frame, the first error is raised at the end."""

    def __init__(
        self,
        source: Union[str, os.PathLike[str], Iterable[bytes]],
        *,
        coefficients: bool = True,
        sdp: _Sdp = None,
    ) -> None:
        size = ctypes.sizeof(H264OptionsStruct)
        super().__init__(source, H264OptionsStruct(size=size, skips_coefficients=0 if coefficients else 1), sdp)

    def __iter__(self) -> FeatureStream:
        return self

    def __next__(self) -> Frame:
        return Frame(*self._next("h264_next"))


class PictureStream(_Streams):
    """Iterates over the pictures of a stream in output order. Raises Error where it has none. Captures are read as by
    FeatureStream."""

    def __init__(self, source: Union[str, os.PathLike[str], Iterable[bytes]], *, sdp: _Sdp = None) -> None:
        super().__init__(source, H264OptionsStruct(size=ctypes.sizeof(H264OptionsStruct), decodes=1), sdp)

    def __iter__(self) -> PictureStream:
        return self

    def __next__(self) -> Picture:
        return Picture(*self._next("h264_next_picture"))


def features(
    source: Union[str, os.PathLike[str], Iterable[bytes]], *, coefficients: bool = True, sdp: _Sdp = None
) -> FeatureStream:
    """Parses an H.264 stream: the path of a byte stream (Annex B), of a capture (pcap or pcapng, with RTP) or, where PyAV
    is installed, of a container such as MP4, MKV, AVI or MPEG-TS; or its NAL units in order, without start codes.
    Without coefficients it is faster and frames are smaller.

    for frame in millrace.features("clip.264"):
        print(frame["FrameType"], frame["Av_QP"], frame.qp.max())

    The streams of a capture come one after another, and `frame.stream` is the name of each:
    "calls.pcap#10.0.0.1:5004/0x11223344". Give that name as the path to read only that stream. `sdp` is the path of a
    session description. Only the streams that it names are read, and its parameter sets come first. Without it, H.264
    streams are recognised by their payloads.
    """
    return FeatureStream(source, coefficients=coefficients, sdp=sdp)


def decode(source: Union[str, os.PathLike[str], Iterable[bytes]], *, sdp: _Sdp = None) -> PictureStream:
    """Decodes an H.264 stream, given as to features(), on the calling thread.

    for picture in millrace.decode("clip.264"):
        print(picture.y.mean())
    """
    return PictureStream(source, sdp=sdp)
