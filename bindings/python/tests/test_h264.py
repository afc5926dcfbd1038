# SPDX-License-Identifier: Apache-2.0

"""Features of H.264 streams: python -m unittest discover -s bindings/python/tests"""

from __future__ import annotations

import base64
import contextlib
import gc
import importlib
import io
import os
import re
import struct
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

import millrace
from millrace import _container

try:
    av: Any = importlib.import_module("av")
except ImportError:
    av = None

ROOT = Path(__file__).resolve().parents[3]
STREAMS = ROOT / "tests" / "test_data" / "streams"
PAGE = ROOT / "docs" / "guide" / "h264.md"
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

    def test_rejections(self) -> None:
        with self.assertRaisesRegex(millrace.Error, "cannot be opened"):
            millrace.features("no/such.264")
        with self.assertRaisesRegex(millrace.Error, "does not begin with a start code"):
            millrace.features(__file__)
        with self.assertRaisesRegex(TypeError, "source is bytes; it must be a path or an iterable of NAL units"):
            millrace.features(b"")  # type: ignore[arg-type]
        with self.assertRaises(millrace.Error) as raised:
            next(millrace.features(STREAMS / "interlaced_64x64.264"))
        self.assertEqual(raised.exception.status, "unsupported")


class Decoding(unittest.TestCase):
    def test_pcm_has_its_samples(self) -> None:
        samples = bytes(1 + k % 255 for k in range(384))
        # A sequence and a picture parameter set, and an IDR slice of one macroblock of I_PCM.
        units = [
            b"\x67\x42\xc0\x0a\xdd\xc4", b"\x68\xce\x38\x80", b"\x65\x88\x84\x86\x80" + samples + b"\x80",
        ]  # fmt: skip
        (picture,) = millrace.decode(units)
        gc.collect()
        self.assertEqual(picture.y.shape + picture.cb.shape + picture.cr.shape, (16, 16, 8, 8, 8, 8))
        self.assertEqual(picture.y.tobytes() + picture.cb.tobytes() + picture.cr.tobytes(), samples)
        self.assertFalse(picture.y.flags.owndata or picture.y.flags.writeable)

    def test_pictures_are_those_of_the_stream(self) -> None:
        stream = millrace.decode(STREAM)
        pictures = list(stream)
        self.assertEqual([(picture.width, picture.height) for picture in pictures], [(64, 64)] * 12)
        self.assertEqual(stream.faults, [])
        self.assertEqual([picture.concealed_macroblocks for picture in pictures], [0] * 12)

    @unittest.skipIf(av is None, "PyAV is not installed: pip install av")
    def test_pictures_are_those_of_ffmpeg(self) -> None:
        with av.open(str(STREAM), format="h264") as container:
            expected = [frame.to_ndarray(format="yuv420p").tobytes() for frame in container.decode(video=0)]
        decoded = [
            picture.y.tobytes() + picture.cb.tobytes() + picture.cr.tobytes() for picture in millrace.decode(STREAM)
        ]
        self.assertEqual(len(decoded), 12)
        self.assertEqual(decoded, expected)

    def test_streams_without_pictures_are_rejected(self) -> None:
        with self.assertRaises(millrace.Error) as raised:
            next(millrace.decode(STREAMS / "interlaced_64x64.264"))
        self.assertEqual(raised.exception.status, "unsupported")


class ContainerUnits(unittest.TestCase):
    def test_samples_have_units_behind_their_lengths(self) -> None:
        unit = _container.Unit
        self.assertEqual(
            list(_container.split_sample(b"\0\2\x65\1\0\0\0\1\x41", 2)), [unit(b"\x65\1", 2), unit(b"\x41", 2)]
        )
        # A length beyond the sample, and one that is cut.
        self.assertEqual(list(_container.split_sample(b"\1\x65\7\x41", 1)), [unit(b"\x65", 1), _container.Loss()])
        self.assertEqual(list(_container.split_sample(b"\0\0\0", 4)), [_container.Loss()])

    def test_byte_streams_have_units_between_start_codes(self) -> None:
        unit = _container.Unit
        self.assertEqual(
            list(_container.split_byte_stream(b"\0\0\0\1\x67\0\3\0\0\0\1\x68\0\0\1\x65\0\0")),
            [unit(b"\x67\0\3", 4), unit(b"\x68", 4), unit(b"\x65", 3)],
        )
        self.assertEqual(list(_container.split_byte_stream(b"\0\0\2")), [])

    def test_configurations_have_parameter_sets(self) -> None:
        box = b"\1\x42\0\x1e\xfd\xe1\0\2\x67\1\2\0\1\x68\0\1\x69"
        self.assertEqual(_container.read_configuration(box), (2, [b"\x67\1", b"\x68", b"\x69"]))
        for size in range(len(box)):
            cut = _container.read_configuration(box[:size])
            self.assertEqual(cut is None, size < 6)
            self.assertLessEqual(0 if cut is None else len(cut.parameter_sets), 2)
        self.assertIsNone(_container.read_configuration(b"\0\0\0\1\x67\x42\0"))

    def test_byte_streams_begin_with_a_start_code(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            cases = {b"": True, b"\0\0\1\x67": True, b"\0" * 9 + b"\1": True, b"\0\0": True, b"\0\1": False, b"a": False}
            for data, begins in cases.items():
                path.write_bytes(data)
                self.assertEqual(_container.begins_as_byte_stream(path), begins, data)
            self.assertTrue(_container.begins_as_byte_stream(folder))
            self.assertTrue(_container.begins_as_byte_stream(path.with_name("none")))


def units_of(data: bytes) -> list[bytes]:
    return [unit for unit in re.split(b"\0{2,3}\1", data) if unit]


def rtp_payloads(units: list[bytes], most: int = 500) -> list[bytes]:
    """Single NAL units, or FU-A of those that are longer (RFC 6184, clause 5.8)."""
    payloads = []
    for unit in units:
        pieces = [unit[at : at + most] for at in range(1, len(unit), most)]
        for index, piece in enumerate(pieces):
            flags = (0x80 if index == 0 else 0) | (0x40 if index == len(pieces) - 1 else 0)
            payloads.append(bytes([unit[0] & 0xE0 | 28, flags | unit[0] & 31]) + piece)
        if len(pieces) == 1:
            payloads[-1] = unit
    return payloads


def rtp_packets(payloads: list[bytes], ssrc: int = 0x11223344, payload_type: int = 96) -> list[bytes]:
    """Ethernet packets from 10.0.0.2 to 10.0.0.1:5004."""
    packets = []
    for number, payload in enumerate(payloads, 65534):
        rtp = struct.pack(">BBHII", 0x80, payload_type, number & 0xFFFF, 0, ssrc) + payload
        udp = struct.pack(">HHHH", 40000, 5004, len(rtp) + 8, 0) + rtp
        addresses = bytes([10, 0, 0, 2, 10, 0, 0, 1])
        ip = struct.pack(">BBHHHBBH", 0x45, 0, len(udp) + 20, 1, 0, 64, 17, 0) + addresses + udp
        packets.append(bytes(12) + b"\x08\0" + ip)
    return packets


def pcap_of(packets: list[bytes]) -> bytes:
    records = [struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet for packet in packets]
    return struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + b"".join(records)


def pcapng_of(packets: list[bytes]) -> bytes:
    def block(kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 4)
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = block(1, struct.pack("<HHI", 1, 0, 0))
    enhanced = [block(6, struct.pack("<IIIII", 0, 0, 0, len(packet), len(packet)) + packet) for packet in packets]
    return section + interface + b"".join(enhanced)


class Captures(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.packets = rtp_packets(rtp_payloads(units_of(STREAM.read_bytes())))

    def put(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def test_frames_are_those_of_the_stream(self) -> None:
        expected = list(millrace.features(STREAM))
        self.assertGreater(len(self.packets), len(expected) + 2)  # Some units are in fragments.
        for name, data in (("a.pcap", pcap_of(self.packets)), ("a.pcapng", pcapng_of(self.packets))):
            with self.subTest(name):
                path = self.put(name, data)
                stream = millrace.features(path)
                self.assertEqual(stream.streams, [f"{path}#10.0.0.1:5004/0x11223344"])
                frames = list(stream)
                self.assertEqual(stream.faults, [])
                self.assertEqual((stream.lost_packets, stream.failures), (0, {}))
                self.assertEqual({frame.stream for frame in frames}, set(stream.streams))
                self.assertEqual(len(frames), len(expected))
                for frame, of_file in zip(frames, expected):
                    for member in ("FrameType", "Av_QP", "Av_Motion", "types", "reference_distances"):
                        self.assertEqual(frame[member], of_file[member])
                    self.assertEqual(sum(frame["bits"].values()), 8 * frame["FrameSize"])
                    self.assertEqual(frame.macroblocks.tobytes(), of_file.macroblocks.tobytes())

    def test_pictures_are_those_of_the_stream(self) -> None:
        path = self.put("a.pcap", pcap_of(self.packets))
        expected = [picture.y.tobytes() for picture in millrace.decode(STREAM)]
        pictures = list(millrace.decode(path))
        self.assertEqual([picture.y.tobytes() for picture in pictures], expected)
        self.assertEqual(pictures[0].stream, f"{path}#10.0.0.1:5004/0x11223344")

    def test_all_streams_of_a_capture_are_read(self) -> None:
        others = rtp_packets(rtp_payloads(units_of(STREAM.read_bytes())), ssrc=5)
        both = [packet for pair in zip(self.packets, others) for packet in pair]
        path = self.put("two.pcap", pcap_of(both))
        stream = millrace.features(path)
        first, second = f"{path}#10.0.0.1:5004/0x11223344", f"{path}#10.0.0.1:5004/0x00000005"
        self.assertEqual(stream.streams, [first, second])
        self.assertEqual([frame.stream for frame in stream], [first] * 12 + [second] * 12)
        named = millrace.features(second)
        self.assertEqual(named.streams, [second])
        self.assertEqual([frame.stream for frame in named], [second] * 12)

    def test_a_stream_that_fails_does_not_end_the_others(self) -> None:
        interlaced = rtp_payloads(units_of((STREAMS / "interlaced_64x64.264").read_bytes()))
        path = self.put("two.pcap", pcap_of(rtp_packets(interlaced, ssrc=1) + self.packets))
        stream = millrace.features(path)
        self.assertEqual(len(list(stream)), 12)
        self.assertEqual(list(stream.failures), [f"{path}#10.0.0.1:5004/0x00000001"])
        (failure,) = stream.failures.values()
        self.assertEqual(failure.status, "unsupported")
        self.assertIn("frame_mbs_only_flag", str(failure))
        self.assertEqual({fault.stream for fault in stream.faults}, set(stream.failures))

    def test_a_capture_whose_streams_all_fail_is_an_error(self) -> None:
        interlaced = rtp_payloads(units_of((STREAMS / "interlaced_64x64.264").read_bytes()))
        packets = rtp_packets(interlaced, ssrc=1) + rtp_packets(interlaced, ssrc=2)
        stream = millrace.features(self.put("two.pcap", pcap_of(packets)))
        with self.assertRaisesRegex(millrace.Error, "0x00000001 has no frame"):
            next(stream)
        self.assertEqual(len(stream.failures), 2)
        self.assertEqual(list(stream), [])

    def test_lost_packets_are_counted(self) -> None:
        lost = len(self.packets) // 2
        path = self.put("a.pcap", pcap_of(self.packets[:lost] + self.packets[lost + 1 :]))
        stream = millrace.features(path)
        frames = list(stream)
        self.assertEqual(stream.lost_packets, 1)
        self.assertTrue(len(frames) < 12 or any(frame["lost_macroblocks"] for frame in frames))

    def test_a_session_description_has_parameter_sets(self) -> None:
        units = units_of(STREAM.read_bytes())
        sets = [unit for unit in units if unit[0] & 31 in (7, 8)]
        slices = rtp_payloads([unit for unit in units if unit[0] & 31 not in (7, 8)])
        path = self.put("a.pcap", pcap_of(rtp_packets(slices)))
        base64_sets = ",".join(base64.b64encode(unit).decode() for unit in sets[:2])
        text = f"m=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 sprop-parameter-sets={base64_sets}\r\n"
        sdp = self.put("a.sdp", text.encode())
        self.assertEqual(len(list(millrace.features(path, sdp=sdp))), 12)
        with self.assertRaisesRegex(millrace.Error, "has no frame"):
            next(millrace.features(path))
        with self.assertRaisesRegex(millrace.Error, "none.sdp cannot be read"):
            millrace.features(path, sdp="none.sdp")

    def test_closing_ends_the_iteration(self) -> None:
        stream = millrace.features(self.put("a.pcap", pcap_of(self.packets)))
        frame = next(stream)
        stream.close()
        self.assertEqual(list(stream), [])
        self.assertEqual(stream.lost_packets, 0)
        self.assertTrue(frame.macroblocks.size)

    def test_rejections(self) -> None:
        path = self.put("a.pcap", pcap_of(self.packets))
        with self.assertRaisesRegex(millrace.Error, r"has no stream 'x'; write .*a.pcap#10.0.0.1:5004/0x11223344"):
            millrace.features(f"{path}#x")
        with self.assertRaisesRegex(millrace.Error, "no H.264"):
            millrace.features(self.put("empty.pcap", pcap_of([])))
        with self.assertRaisesRegex(millrace.Error, "no H.264"):
            millrace.features(self.put("audio.pcap", pcap_of(rtp_packets([bytes(160)] * 20, payload_type=0))))
        with self.assertRaisesRegex(TypeError, "source is no capture"):
            millrace.features(STREAM, sdp="a.sdp")

    def test_a_capture_that_is_cut_anywhere_gives_the_frames_before(self) -> None:
        data = pcap_of(self.packets)
        for size in range(24, len(data), 997):
            path = self.put("cut.pcap", data[:size])
            try:
                frames = list(millrace.features(path))
            except millrace.Error as error:
                self.assertIn(str(path), str(error))
                continue
            self.assertLessEqual(len(frames), 12)


class Guide(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_the_code_of_the_page_runs(self) -> None:
        blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        self.assertEqual(len(blocks), 3)
        Path("clip.264").write_bytes(STREAM.read_bytes())
        Path("calls.pcap").write_bytes(pcap_of(rtp_packets(rtp_payloads(units_of(STREAM.read_bytes())))))
        Path("calls.sdp").write_bytes(b"m=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec("\n".join(blocks), {})
        # Frames, pictures, frames of the capture, and what was lost of it.
        lines = out.getvalue().splitlines()
        self.assertEqual(len(lines), 12 + 12 + 12 + 1)
        self.assertTrue(lines[12].endswith(" (32, 32)"), lines[12])
        stream = "calls.pcap#10.0.0.1:5004/0x11223344"
        self.assertTrue(lines[24].startswith(f"{stream} 0 "), lines[24])
        self.assertEqual(lines[-1], f"['{stream}'] 0 {{}}")


@unittest.skipIf(av is None, "PyAV is not installed: pip install av")
class Containers(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def remux(self, name: str) -> Path:
        """Copies the packets of STREAM into a container."""
        path = self.folder / name
        with av.open(str(STREAM), format="h264") as source, av.open(str(path), "w") as target:
            stream = target.add_stream(template=source.streams.video[0])
            time = 0
            for packet in source.demux(source.streams.video[0]):
                if not bytes(packet):
                    continue
                packet.stream = stream
                packet.pts = packet.dts = time
                time += 3600
                target.mux(packet)
        return path

    def test_frames_are_those_of_the_stream(self) -> None:
        read = list(millrace.features(STREAM))
        for name in ("clip.mp4", "clip.mkv", "clip.avi", "clip.ts"):
            with self.subTest(name):
                stream = millrace.features(self.remux(name))
                frames = list(stream)
                self.assertEqual(stream.faults, [])
                self.assertEqual(len(frames), len(read))
                for frame, expected in zip(frames, read):
                    for member in ("FrameType", "Av_QP", "Av_Motion", "types", "reference_distances"):
                        self.assertEqual(frame[member], expected[member])
                    assert frame.coefficients is not None and expected.coefficients is not None
                    np.testing.assert_array_equal(frame.coefficients, expected.coefficients)
                    self.assertEqual(sum(frame["bits"].values()), 8 * frame["FrameSize"])

    def test_pictures_are_those_of_the_stream(self) -> None:
        read = [picture.y.tobytes() for picture in millrace.decode(STREAM)]
        self.assertEqual([picture.y.tobytes() for picture in millrace.decode(self.remux("clip.mp4"))], read)

    def test_parameter_sets_of_the_header_count_to_no_frame(self) -> None:
        path = self.remux("clip.mp4")
        units = [unit for unit in _container.container_units(path) if isinstance(unit, _container.Unit)]
        beside = [unit for unit in units if unit.framing < 0]
        self.assertGreaterEqual(len(beside), 2)
        size = sum(len(unit.data) + unit.framing for unit in units)
        self.assertEqual(size, sum(len(unit.data) + 4 for unit in units if unit.framing > 0))
        self.assertEqual(size, sum(frame["FrameSize"] for frame in millrace.features(path)))

    def test_files_without_h264_are_rejected(self) -> None:
        with self.assertRaisesRegex(millrace.Error, "nor is it a container with H.264"):
            millrace.features(__file__)


if __name__ == "__main__":
    unittest.main()
