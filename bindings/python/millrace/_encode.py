# SPDX-License-Identifier: Apache-2.0

"""Encodes pictures to an H.264 stream."""

from __future__ import annotations

import ctypes
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Iterable, Iterator, Optional, Union

import numpy as np
import numpy.typing as npt

from ._array import check_unmasked
from ._device import Device
from ._h264 import Picture
from ._library import ENCODED_SINK, PICTURE_SOURCE, EncodedPictureStruct, EncoderOptionsStruct, Error, call, one_of

PROFILES = {"high": 0, "main": 1, "baseline": 2}
DECISIONS = {"rd": 0, "cost": 1}
SEARCHES = {"full": 0, "hexagon": 1, "diamond": 2}
DEVICE_WORK = {"search": 0, "pictures": 1}
BY_QP, BY_QUALITY, BY_BITRATE = 0, 1, 2

Planes = tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]
Source = Union[Picture, Planes, npt.NDArray[np.uint8]]


@dataclass(frozen=True)
class EncodedPicture:
    """A coded picture. `data` is its access unit as a byte stream (Annex B); `psnr` is that of Y, Cb and Cr, infinite
    where no sample differs."""

    index: int
    frame_type: str
    is_idr: bool
    qp: int
    data: bytes
    psnr: tuple[float, float, float]


@dataclass(frozen=True)
class Encoded:
    """Result of encode(): pictures in order."""

    pictures: list[EncodedPicture]

    @property
    def stream(self) -> bytes:
        """The byte stream, which millrace.decode and players read from a file named *.264."""
        return b"".join(picture.data for picture in self.pictures)


def _plane(array: Any, name: str, shape: Optional[tuple[int, int]]) -> npt.NDArray[np.uint8]:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} is a {type(array).__name__}; it must be a NumPy array")
    check_unmasked(array, name)
    if array.dtype != np.uint8:
        raise TypeError(f"{name} has dtype {array.dtype}; it must be uint8")
    if array.ndim != 2 or (shape is not None and array.shape != shape):
        wanted = "(rows, columns)" if shape is None else str(shape)
        raise ValueError(f"{name} has shape {array.shape}; it must be {wanted}")
    return array


def _planes_of(picture: Any, name: str, luma: Optional[tuple[int, int]]) -> Planes:
    """Returns Y, Cb and Cr. `luma` is the shape of Y, which the first picture determines."""
    if isinstance(picture, Picture):
        given: tuple[Any, ...] = (picture.y, picture.cb, picture.cr)
    elif isinstance(picture, np.ndarray):
        return _planes_of_frame(_plane(picture, name, None), name, luma)
    else:
        given = tuple(picture)
        if len(given) != 3:
            raise ValueError(f"{name} has {len(given)} planes; they must be 3: Y, Cb and Cr")
    y = _plane(given[0], f"{name}[0]", luma)
    half = (y.shape[0] // 2, y.shape[1] // 2)
    return y, _plane(given[1], f"{name}[1]", half), _plane(given[2], f"{name}[2]", half)


def _planes_of_frame(frame: npt.NDArray[np.uint8], name: str, luma: Optional[tuple[int, int]]) -> Planes:
    """Returns the planes of a picture whose rows of Y have those of Cb and Cr below (I420)."""
    rows, columns = frame.shape
    height = rows // 3 * 2
    if rows % 3 != 0 or height % 2 != 0 or columns % 2 != 0 or luma not in (None, (height, columns)):
        wanted = "(3 / 2 height, width), both even" if luma is None else str((luma[0] * 3 // 2, luma[1]))
        raise ValueError(f"{name} has shape {frame.shape}; it must be {wanted}, Y above Cb and Cr")
    samples = np.ascontiguousarray(frame).reshape(-1)
    size, half = height * columns, (height // 2, columns // 2)
    quarter = size // 4
    cb, cr = samples[size : size + quarter], samples[size + quarter :]
    return samples[:size].reshape(height, columns), cb.reshape(half), cr.reshape(half)


class _Run:
    """The callbacks of one encode. The library calls one at a time of each, from any thread."""

    def __init__(self, first: Planes, rest: Iterator[Source]) -> None:
        self.luma: tuple[int, int] = (first[0].shape[0], first[0].shape[1])
        self.pictures = itertools.chain([first], rest)
        self.coded: list[EncodedPicture] = []
        self.error: Optional[BaseException] = None

    def read(self, _context: int, index: int, planes: Any, strides: Any) -> int:
        try:
            picture = next(self.pictures, None)
            if picture is None:
                return 0
            sources = _planes_of(picture, f"picture {index}", self.luma)
            for source, address, stride in zip(sources, planes[:3], strides[:3]):
                rows, columns = source.shape
                memory = (ctypes.c_uint8 * (stride * rows)).from_address(address)
                np.frombuffer(memory, np.uint8).reshape(rows, stride)[:, :columns] = source
            return 1
        except BaseException as error:  # It is raised again by encode().
            self.error = error
            return -1

    def write(self, _context: int, picture: Any) -> int:
        try:
            coded = picture.contents
            samples = self.luma[0] * self.luma[1]
            psnr = [_psnr(coded.squared_errors[i], samples if i == 0 else samples // 4) for i in range(3)]
            self.coded.append(
                EncodedPicture(
                    index=coded.index,
                    frame_type="I" if coded.frame_type == 1 else "P",
                    is_idr=bool(coded.is_idr),
                    qp=coded.qp,
                    data=ctypes.string_at(coded.bytes, coded.byte_count),
                    psnr=(psnr[0], psnr[1], psnr[2]),
                )
            )
            return 0
        except BaseException as error:
            self.error = error
            return 1


def _psnr(squared_error: int, samples: int) -> float:
    return math.inf if squared_error == 0 else 10 * math.log10(255 * 255 * samples / squared_error)


def _rate_of(qp: Optional[int], crf: Optional[int], bitrate: Optional[int]) -> dict[str, int]:
    given = [name for name, value in (("qp", qp), ("crf", crf), ("bitrate", bitrate)) if value is not None]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(given)} are given; give one of qp, crf and bitrate")
    if bitrate is not None:
        return {"rate": BY_BITRATE, "kbit_per_second": bitrate}
    if crf is not None:
        return {"rate": BY_QUALITY, "qp": crf}
    return {"rate": BY_QP, "qp": 28 if qp is None else qp}


def encode(
    device: Device,
    pictures: Iterable[Source],
    *,
    qp: Optional[int] = None,
    crf: Optional[int] = None,
    bitrate: Optional[int] = None,
    frame_rate: Union[int, Fraction] = 25,
    profile: str = "high",
    decide: str = "rd",
    search: str = "full",
    gop: int = 12,
    range: int = 32,
    references: int = 1,
    slices: int = 1,
    on_device: str = "search",
) -> Encoded:
    """Encodes pictures, 4:2:0 of 8 bits, to an H.264 stream of I and P pictures, which is the same on every device.
    Options are those of `millrace encode`; without qp, crf and bitrate (kbit/s) the QP is 28. A picture is one of

    (Y, Cb, Cr)  arrays of uint8, (height, width) and twice (height / 2, width / 2)
    array        (3 / 2 height, width) of uint8: Y, and below it the samples of Cb and of Cr (I420)
    Picture      what millrace.decode gives

    Sizes are even and at least 16 x 16. The iterable is read while pictures are encoded, on other threads.

    encoded = millrace.encode(device, millrace.decode("clip.264"), crf=26)
    Path("smaller.264").write_bytes(encoded.stream)
    """
    rest = iter(pictures)
    first = next(rest, None)
    if first is None:
        return Encoded([])
    rate = Fraction(frame_rate)
    if rate <= 0:
        raise ValueError(f"frame_rate is {frame_rate}; it must be above 0")
    run = _Run(_planes_of(first, "picture 0", None), rest)
    options = EncoderOptionsStruct(
        size=ctypes.sizeof(EncoderOptionsStruct),
        width=run.luma[1],
        height=run.luma[0],
        frame_rate=rate.numerator,
        frame_rate_base=rate.denominator,
        profile=one_of(PROFILES, profile, "profile"),
        decision=one_of(DECISIONS, decide, "decide"),
        search=one_of(SEARCHES, search, "search"),
        pictures_a_group=gop,
        range=range,
        references=references,
        slices=slices,
        device_work=one_of(DEVICE_WORK, on_device, "on_device"),
        **_rate_of(qp, crf, bitrate),
    )
    try:
        call("h264_encode", device.handle, ctypes.byref(options), PICTURE_SOURCE(run.read), ENCODED_SINK(run.write), None)
    except Error:
        if run.error is not None:
            raise run.error from None
        raise
    return Encoded(run.coded)
