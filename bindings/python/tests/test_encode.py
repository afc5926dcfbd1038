# SPDX-License-Identifier: Apache-2.0

"""Encoding, and decoding of what it gives."""

from __future__ import annotations

import math
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

import millrace

WIDTH, HEIGHT = 48, 32
Samples = npt.NDArray[np.uint8]


def made_frames(count: int) -> list[Samples]:
    """A pattern that moves right by a sample a frame, as rows of Y above those of Cb and Cr."""
    y, x = np.mgrid[0 : HEIGHT * 3 // 2, 0:WIDTH]
    return [((7 * (x - frame) + 11 * y) % 200 + 20).astype(np.uint8) for frame in range(count)]


class Encoding(unittest.TestCase):
    def setUp(self) -> None:
        self.device = millrace.Device("tbb")
        self.addCleanup(self.device.close)

    def decoded(self, encoded: millrace.Encoded) -> list[millrace.Picture]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "stream.264"
            path.write_bytes(encoded.stream)
            return list(millrace.decode(path))

    def test_pictures_decode_as_psnr_says(self) -> None:
        frames = made_frames(5)
        encoded = millrace.encode(self.device, frames, qp=20, gop=3)
        self.assertEqual([picture.frame_type for picture in encoded.pictures], ["I", "P", "P", "I", "P"])
        self.assertEqual([picture.is_idr for picture in encoded.pictures], [True, False, False, True, False])
        self.assertEqual({picture.qp for picture in encoded.pictures}, {20})
        pictures = self.decoded(encoded)
        self.assertEqual(len(pictures), 5)
        for frame, coded, picture in zip(frames, encoded.pictures, pictures):
            difference = frame[:HEIGHT].astype(np.int64) - picture.y
            error = np.square(difference).mean()
            self.assertAlmostEqual(coded.psnr[0], 10 * math.log10(255**2 / error) if error else math.inf, places=9)
            self.assertGreater(coded.psnr[0], 35)

    def test_all_kinds_of_pictures_are_the_same(self) -> None:
        frames = made_frames(3)
        half = (HEIGHT // 2, WIDTH // 2)
        planes = []
        for frame in frames:
            chroma = frame[HEIGHT:].reshape(2, *half)
            planes.append((frame[:HEIGHT], chroma[0], chroma[1]))
        stream = millrace.encode(self.device, frames, qp=0).stream
        self.assertEqual(millrace.encode(self.device, iter(planes), qp=0).stream, stream)
        self.assertEqual(millrace.encode(self.device, np.stack(frames), qp=0).stream, stream)
        again = millrace.encode(self.device, self.decoded(millrace.encode(self.device, frames, qp=0)), qp=0)
        self.assertEqual(len(again.pictures), 3)

    def test_devices_give_one_stream(self) -> None:
        frames = made_frames(3)
        stream = millrace.encode(self.device, frames, crf=30, frame_rate=Fraction(30000, 1001)).stream
        for work in ("search", "pictures"):
            with self.subTest(work=work), millrace.Device("simt:0") as device:
                encoded = millrace.encode(device, frames, crf=30, frame_rate=Fraction(30000, 1001), on_device=work)
                self.assertEqual(encoded.stream, stream)

    def test_nothing(self) -> None:
        self.assertEqual(millrace.encode(self.device, []).stream, b"")

    def test_rejections(self) -> None:
        frames = made_frames(2)
        with self.assertRaisesRegex(ValueError, "qp and crf are given; give one"):
            millrace.encode(self.device, frames, qp=20, crf=20)
        with self.assertRaisesRegex(ValueError, "profile is 'extended'; it must be one of high, main, baseline"):
            millrace.encode(self.device, frames, profile="extended")
        with self.assertRaisesRegex(millrace.Error, "52"):
            millrace.encode(self.device, frames, qp=52)
        masked: Any = frames[0].view(np.ma.MaskedArray)
        with self.assertRaisesRegex(TypeError, "picture 0 is a numpy.ma.MaskedArray"):
            millrace.encode(self.device, [masked])
        with self.assertRaisesRegex(TypeError, "picture 1 has dtype int64; it must be uint8"):
            millrace.encode(self.device, [frames[0], frames[1].astype(np.int64)])
        with self.assertRaisesRegex(ValueError, r"picture 1 has shape \(24, 48\); it must be \(48, 48\)"):
            millrace.encode(self.device, [frames[0], frames[1][:24]])

    def test_an_error_of_the_source_is_raised_again(self) -> None:
        def broken() -> Iterator[Samples]:
            yield from made_frames(2)
            raise OSError("the camera is gone")

        with self.assertRaisesRegex(OSError, "the camera is gone"):
            millrace.encode(self.device, broken())


if __name__ == "__main__":
    unittest.main()
