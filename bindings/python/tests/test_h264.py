# SPDX-License-Identifier: Apache-2.0

"""Features of H.264 streams: python -m unittest discover -s bindings/python/tests"""

from __future__ import annotations

import gc
import re
import unittest
from pathlib import Path

import numpy as np

import millrace

STREAMS = Path(__file__).resolve().parents[3] / "tests" / "test_data" / "streams"
# 12 frames of 64x64 luma samples, with an IDR picture at least every 8 (tests/test_data/BUILD).
STREAM = STREAMS / "testsrc2_64x64.264"
MEMBERS = [
    "FrameType", "IsIDR", "FrameSize", "Av_QP", "Av_QPBB", "min_QP", "max_QP", "Av_Motion", "StdDev_Motion",
    "Av_MotionX", "StdDev_MotionX", "Av_MotionY", "StdDev_MotionY", "Av_MotionDif", "StdDev_MotionDif", "Seq.BitDepth",
]


class Features(unittest.TestCase):
    def test_frames_have_all_bytes_of_the_file(self) -> None:
        stream = millrace.features(STREAM)
        frames = list(stream)
        self.assertEqual(len(frames), 12)
        self.assertEqual(sum(frame["FrameSize"] for frame in frames), STREAM.stat().st_size)
        self.assertEqual([frame["IsIDR"] for frame in frames], [int(frame["FrameType"] == 1) for frame in frames])
        self.assertEqual(stream.faults, [])
        for frame in frames:
            self.assertTrue(set(MEMBERS) <= set(frame.features))
            self.assertEqual(sum(frame["bits"].values()), 8 * frame["FrameSize"])
            self.assertEqual(sum(frame["types"].values()), 16)

    def test_maps_agree_with_features(self) -> None:
        for frame in millrace.features(str(STREAM)):
            self.assertEqual(frame.macroblocks.shape, (4, 4))
            self.assertAlmostEqual(frame["Av_QP"], frame.qp.mean(), 9)
            self.assertEqual((frame["min_QP"], frame["max_QP"]), (frame.qp.min(), frame.qp.max()))
            names = ("types", "vectors", "luma", "chroma")
            self.assertEqual([frame["bits"][name] for name in names], frame.bits.sum((0, 1)).tolist())
            used = frame.references >= 0
            self.assertEqual(frame["references"], used.sum())
            self.assertEqual(frame.vectors.shape, (4, 4, 2, 16, 2))
            if frame["FrameType"] == 1:
                self.assertFalse(used.any() or frame.vectors.any())
            self.assertEqual(frame.slices["macroblocks"].tolist(), [16])

    def test_arrays_are_views_that_keep_the_frame(self) -> None:
        stream = millrace.features(STREAM)
        frame = next(stream)
        qp, coefficients = frame.qp, frame.coefficients
        assert coefficients is not None
        self.assertEqual(coefficients.shape, (4, 4, 384))
        self.assertTrue(np.shares_memory(qp, frame.macroblocks))
        for array in (qp, coefficients):
            self.assertFalse(array.flags.owndata or array.flags.writeable)
        copies = qp.copy(), coefficients.copy()
        self.assertTrue(copies[1].any())
        del frame
        for _ in stream:
            pass
        stream.close()
        gc.collect()
        np.testing.assert_array_equal(qp, copies[0])
        np.testing.assert_array_equal(coefficients, copies[1])

    def test_coefficients_may_be_skipped(self) -> None:
        self.assertIsNone(next(millrace.features(STREAM, coefficients=False)).coefficients)

    def test_nal_units_give_the_frames_of_the_file(self) -> None:
        units = [unit for unit in re.split(b"\0{2,3}\1", STREAM.read_bytes()) if unit]
        pushed = [frame.features for frame in millrace.features(units)]
        read = [frame.features for frame in millrace.features(STREAM)]
        self.assertEqual([each["Av_QP"] for each in pushed], [each["Av_QP"] for each in read])
        self.assertEqual([each["Av_Motion"] for each in pushed], [each["Av_Motion"] for each in read])
        self.assertEqual(sum(each["FrameSize"] for each in pushed), sum(map(len, units)) + 4 * len(units))

    def test_refusals(self) -> None:
        with self.assertRaisesRegex(millrace.Error, "cannot be opened"):
            millrace.features("no/such.264")
        with self.assertRaisesRegex(millrace.Error, "does not begin with a start code"):
            millrace.features(__file__)
        with self.assertRaisesRegex(TypeError, "source is bytes; it must be a path or an iterable of NAL units"):
            millrace.features(b"")  # type: ignore[arg-type]
        with self.assertRaises(millrace.Error) as raised:
            next(millrace.features(STREAMS / "interlaced_64x64.264"))
        self.assertEqual(raised.exception.status, "unsupported")


if __name__ == "__main__":
    unittest.main()
