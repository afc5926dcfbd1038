# SPDX-License-Identifier: Apache-2.0

"""NAL units of the H.264 stream in a container, which PyAV demuxes: nothing is decoded."""

from __future__ import annotations

import importlib
import os
import re
from typing import Any, Iterator, NamedTuple, Optional, Union


class Unit(NamedTuple):
    """A NAL unit without start code or length. `framing` is the length of what stood before it; minus the unit's own
    for one from the container's header, which is no part of a frame."""

    data: bytes
    framing: int


class Loss(NamedTuple):
    """Some NAL units are missing here."""


def begins_as_byte_stream(path: Union[str, os.PathLike[str]]) -> bool:
    """Returns False for a file that does not begin with a start code; True where it cannot be read or is a pipe."""
    try:
        if not os.path.isfile(path):
            return True
        with open(path, "rb") as file:
            head = file.read(1 << 16)
    except OSError:
        return True
    return not head or re.match(b"\0\0+\1|\0*$", head) is not None


def split_byte_stream(data: bytes) -> Iterator[Unit]:
    """Yields the units between start codes (ITU-T H.264, Annex B)."""
    starts = list(re.finditer(b"\0?\0\0\1", data))
    ends = [start.start() for start in starts[1:]] + [len(data)]
    for start, end in zip(starts, ends):
        unit = data[start.end() : end].rstrip(b"\0")
        if unit:
            yield Unit(unit, start.end() - start.start())


def split_sample(data: bytes, length_bytes: int) -> Iterator[Union[Unit, Loss]]:
    """Yields the units behind their lengths (ISO/IEC 14496-15, clause 5.3.4); a length beyond the sample is a loss."""
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + length_bytes], "big")
        at += length_bytes
        if at + size > len(data):
            yield Loss()
            return
        if size > 0:
            yield Unit(data[at : at + size], length_bytes)
        at += size


class Configuration(NamedTuple):
    """Contents of the box avcC (ISO/IEC 14496-15, clause 5.3.3)."""

    length_bytes: int
    parameter_sets: list[bytes]


def read_configuration(data: bytes) -> Optional[Configuration]:
    """Returns None for anything else, such as parameter sets in a byte stream."""
    if len(data) < 6 or data[0] != 1 or data[4] & 3 == 2:
        return None
    sets: list[bytes] = []
    at = 5
    for mask in (31, 255):  # Sequence parameter sets, then picture parameter sets.
        count = data[at] & mask if at < len(data) else 0
        at += 1
        for _ in range(count):
            size = int.from_bytes(data[at : at + 2], "big")
            at += 2
            if at + size > len(data):
                return Configuration((data[4] & 3) + 1, sets)
            if size > 0:
                sets.append(data[at : at + size])
            at += size
    return Configuration((data[4] & 3) + 1, sets)


def _beside(unit: bytes) -> Unit:
    return Unit(unit, -len(unit))


def container_units(path: Union[str, os.PathLike[str]]) -> Iterator[Union[Unit, Loss]]:
    """Yields the units of the first H.264 stream. Raises ImportError without PyAV, its errors, and ValueError for a
    container without H.264."""
    av: Any = importlib.import_module("av")
    with av.open(os.fspath(path), options={"protocol_whitelist": "file"}) as container:
        streams: list[Any] = [each for each in container.streams.video if each.codec_context.name == "h264"]
        if not streams:
            codecs = ", ".join(each.codec_context.name for each in container.streams.video)
            raise ValueError(f"{os.fspath(path)} has no H.264 stream; its video is {codecs or 'none'}; convert it to H.264")
        header = bytes(streams[0].codec_context.extradata or b"")
        configuration = read_configuration(header)
        sets = configuration.parameter_sets if configuration else [unit.data for unit in split_byte_stream(header)]
        yield from map(_beside, sets)
        for packet in container.demux(streams[0]):
            data = bytes(packet)
            if configuration:
                yield from split_sample(data, configuration.length_bytes)
            else:
                yield from split_byte_stream(data)
