# SPDX-License-Identifier: Apache-2.0

"""The package as its users use it: python -m unittest discover -s bindings/python/tests"""

from __future__ import annotations

import os
import unittest
from typing import Any, Callable

import numpy as np

import millrace

DEVICES = [info.name for info in millrace.devices()]


class OnEveryDevice(unittest.TestCase):
    def each(self, check: Callable[[millrace.Queue], None]) -> None:
        for name in DEVICES:
            with self.subTest(device=name), millrace.Device(name) as device, device.queue() as queue:
                check(queue)


class Sorting(OnEveryDevice):
    def setUp(self) -> None:
        self.random = np.random.default_rng(1)

    def test_keys(self) -> None:
        integers = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
        for name in [*integers, "float16", "float32", "float64"]:
            numbers = 1000 * self.random.standard_normal(3000)
            keys = (numbers if name.startswith("float") else numbers.astype(np.int64)).astype(name)

            def check(queue: millrace.Queue) -> None:
                np.testing.assert_array_equal(millrace.sort(queue, keys), np.sort(keys))
                np.testing.assert_array_equal(millrace.sort(queue, keys, descending=True), np.sort(keys)[::-1])

            self.each(check)

    def test_in_place(self) -> None:
        def check(queue: millrace.Queue) -> None:
            keys = self.random.integers(0, 100, 1000, np.uint32)
            expected = np.sort(keys)
            self.assertIs(millrace.sort(queue, keys, out=keys), keys)
            np.testing.assert_array_equal(keys, expected)

        self.each(check)

    def test_pairs_are_stable(self) -> None:
        keys = self.random.integers(0, 10, 2000, np.int32)
        values = np.arange(2000, dtype=np.float64)
        order = np.argsort(keys, kind="stable")

        def check(queue: millrace.Queue) -> None:
            sorted_keys, sorted_values = millrace.sort_pairs(queue, keys, values)
            np.testing.assert_array_equal(sorted_keys, keys[order])
            np.testing.assert_array_equal(sorted_values, values[order])

        self.each(check)

    def test_argsort(self) -> None:
        keys = self.random.integers(0, 10, 2000, np.int64)

        def check(queue: millrace.Queue) -> None:
            indices = millrace.argsort(queue, keys)
            np.testing.assert_array_equal(indices, np.argsort(keys, kind="stable"))
            small = np.empty(2000, np.uint32)
            self.assertIs(millrace.argsort(queue, keys, out=small), small)
            np.testing.assert_array_equal(small, indices)

        self.each(check)

    def test_in_device_memory(self) -> None:
        keys = self.random.integers(0, 1000, 5000, np.uint32)

        def check(queue: millrace.Queue) -> None:
            ordered = millrace.sort(queue, millrace.Array.from_numpy(queue, keys))
            np.testing.assert_array_equal(ordered.to_numpy(queue), np.sort(keys))

        self.each(check)

    def test_a_device_opened_twice_is_one(self) -> None:
        keys = self.random.integers(0, 1000, 500, np.uint32)

        def check(queue: millrace.Queue) -> None:
            with millrace.Device(queue.device.name) as again, again.queue() as other_queue:
                array = millrace.Array.from_numpy(other_queue, keys)
            millrace.sort(queue, array, out=array)
            np.testing.assert_array_equal(array.to_numpy(queue), np.sort(keys))

        self.each(check)

    def test_nothing(self) -> None:
        self.each(lambda queue: self.assertEqual(millrace.sort(queue, np.empty(0, np.uint32)).shape, (0,)))


class OtherAlgorithms(OnEveryDevice):
    def test_idct_of_constants(self) -> None:
        coefficients = np.zeros((50, 16, 16), np.int16)
        tags = (np.arange(50) % 3 == 0).astype(np.uint8)
        coefficients[tags == 0, ::4, ::4] = 64
        coefficients[tags == 1, ::8, ::8] = 128

        def check(queue: millrace.Queue) -> None:
            residual = millrace.idct(queue, tags, coefficients.reshape(50, 256))
            np.testing.assert_array_equal(residual, np.repeat(tags + 1, 256).reshape(50, 256))

        self.each(check)

    def test_motion_of_a_moved_picture(self) -> None:
        first = np.random.default_rng(2).integers(0, 256, (48, 64), np.uint8)
        clip = np.stack([first, np.roll(first, (-1, -3), (0, 1))])

        def check(queue: millrace.Queue) -> None:
            vectors, costs = millrace.motion_search(queue.device, clip, range=16, qp=28)
            self.assertEqual(vectors.shape, (1, 3, 4, 41))
            self.assertEqual(costs.shape, vectors.shape)
            self.assertEqual(vectors[0, 1, 1, 0].tolist(), (12, 4))

        self.each(check)

    def test_motion_of_samples_beyond_10_bits_is_rejected(self) -> None:
        clip = np.full((2, 16, 16), 1023, np.uint16)

        def check(queue: millrace.Queue) -> None:
            self.assertEqual(millrace.motion_search(queue.device, clip, range=8)[0].shape, (1, 1, 1, 41))
            with self.assertRaisesRegex(millrace.Error, "a sample of 1024; samples of 10 bits are 0 to 1023"):
                millrace.motion_search(queue.device, clip + np.uint16(1), range=8)

        self.each(check)

    def test_three_stars(self) -> None:
        points = np.random.default_rng(3).integers(0, 400, (120, 2), np.int32)
        expected = [
            [a, b, c] for a in range(120) for b in range(a + 1, 120) for c in range(b + 1, 120)
            if is_three_star(points[[a, b, c]].astype(int), 50)
        ]
        self.assertGreater(len(expected), 10)

        def check(queue: millrace.Queue) -> None:
            self.assertEqual(millrace.count_three_stars(queue, points, 50), len(expected))
            for raw in (False, True):
                self.assertEqual(millrace.three_stars(queue, points, 50, raw=raw).tolist(), expected)

        self.each(check)


def is_three_star(corners: Any, radius: int) -> bool:
    """All sides longer than the radius, and a circumscribed circle of at most that."""
    (ax, ay), (bx, by), (cx, cy) = corners.tolist()
    sides = [(ax - bx) ** 2 + (ay - by) ** 2, (bx - cx) ** 2 + (by - cy) ** 2, (cx - ax) ** 2 + (cy - ay) ** 2]
    twice_area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    product = int(sides[0]) * int(sides[1]) * int(sides[2])
    return min(sides) > radius**2 and product <= 4 * radius**2 * int(twice_area) ** 2


    def test_relays_connect_three_sensors(self) -> None:
        # An equilateral triangle, nearly, of circumradius 58: no two reach each other, and one relay reaches all three.
        sensors = np.array([[0, 0], [100, 0], [50, 87]], np.int32)

        def check(queue: millrace.Queue) -> None:
            placement = millrace.place_relays(queue, sensors, 60)
            self.assertEqual((placement.method, placement.components), ("three-star", 3))
            self.assertEqual((placement.tree_relays, placement.three_star_relays), (2, 1))
            self.assertTrue(placement.is_connected and placement.joins_three.all())
            distances = np.hypot(*(sensors - placement.positions).T)
            self.assertLess(distances.max(), 60.001)
            self.assertEqual(sorted(map(sorted, placement.links.tolist())), [[0, 3], [1, 3], [2, 3]])

        self.each(check)

    def test_relays_on_an_edge(self) -> None:
        # A distance of 250: ceil(250 / 100) - 1 relays.
        def check(queue: millrace.Queue) -> None:
            placement = millrace.place_relays(queue, np.array([[0, 0], [250, 0]], np.int32), 100)
            self.assertEqual((placement.method, placement.positions.shape), ("tree", (2, 2)))
            self.assertFalse(placement.joins_three.any())
            self.assertEqual(len(placement.links), 3)

        self.each(check)

    def test_connected_sensors_need_no_relay(self) -> None:
        def check(queue: millrace.Queue) -> None:
            placement = millrace.place_relays(queue, np.array([[0, 0], [9, 0]], np.int32), 10)
            self.assertEqual((placement.method, placement.positions.shape), ("nothing", (0, 2)))
            self.assertEqual(placement.links.tolist(), [[0, 1]])

        self.each(check)


class Groups(unittest.TestCase):
    def setUp(self) -> None:
        self.group = millrace.Group("tbb", "simt:0")
        self.addCleanup(self.group.close)

    def test_devices(self) -> None:
        self.assertEqual([info.name for info in self.group.devices], ["tbb", "simt:0"])

    def test_sorts(self) -> None:
        keys = np.random.default_rng(7).integers(0, 1000, 50_000, np.int32)
        np.testing.assert_array_equal(millrace.sort(self.group, keys), np.sort(keys))
        np.testing.assert_array_equal(millrace.argsort(self.group, keys), np.argsort(keys, kind="stable"))
        values = np.arange(keys.size, dtype=np.uint32)
        np.testing.assert_array_equal(millrace.sort_pairs(self.group, keys, values)[1], np.argsort(keys, kind="stable"))

    def test_results_are_those_of_one_device(self) -> None:
        random = np.random.default_rng(8)
        points = random.integers(0, 1000, (500, 2), np.int32)
        frames = random.integers(0, 256, (3, 32, 64), np.uint8)
        with millrace.Device("tbb") as device, device.queue() as queue:
            stars = millrace.three_stars(queue, points, 60)
            vectors, costs = millrace.motion_search(device, frames, range=8)
        self.assertGreater(len(stars), 0)
        np.testing.assert_array_equal(millrace.three_stars(self.group, points, 60), stars)
        self.assertEqual(millrace.count_three_stars(self.group, points, 60), len(stars))
        group_vectors, group_costs = millrace.motion_search(self.group, frames, range=8)
        np.testing.assert_array_equal(group_vectors, vectors)
        np.testing.assert_array_equal(group_costs, costs)

    def test_rejections(self) -> None:
        with self.assertRaisesRegex(millrace.Error, "twice"):
            millrace.Group("tbb", "tbb")
        with millrace.Device("simt:0") as device:
            with self.assertRaisesRegex(ValueError, "keys is in memory of simt:0; a group takes arrays of the host"):
                millrace.sort(self.group, millrace.Array(device, 10, np.uint32))
        self.group.close()
        with self.assertRaisesRegex(millrace.Error, "group is a handle that was freed"):
            millrace.sort(self.group, np.zeros(1, np.uint32))


class Rejections(unittest.TestCase):
    def setUp(self) -> None:
        self.device = millrace.Device("tbb")
        self.queue = self.device.queue()
        self.keys = np.arange(10, dtype=np.uint32)

    def sort_rejected(self, kind: type[Exception], words: str, keys: Any, **named: Any) -> None:
        with self.assertRaisesRegex(kind, words):
            millrace.sort(self.queue, keys, **named)

    def test_dtype(self) -> None:
        self.sort_rejected(TypeError, "keys has dtype complex64; it must be one of", np.zeros(3, np.complex64))
        self.sort_rejected(TypeError, "keys is a list", [3, 1, 2])
        self.sort_rejected(TypeError, "out has dtype int32", self.keys, out=self.keys.astype(np.int32))
        self.sort_rejected(TypeError, "keys has dtype >u4", self.keys.astype(">u4"))
        with self.assertRaisesRegex(TypeError, "values has dtype int8"):
            millrace.sort_pairs(self.queue, self.keys, self.keys.astype(np.int8))

    def test_python_objects(self) -> None:
        objects = np.array([object() for _ in self.keys])
        for values in (objects, objects.astype([("field", "O")])):
            with self.assertRaisesRegex(TypeError, "values has dtype .*; its items .* be no Python objects"):
                millrace.sort_pairs(self.queue, self.keys, values)
            with self.assertRaisesRegex(TypeError, "the items of an Array must be no Python objects"):
                millrace.Array.from_numpy(self.queue, values)
            with self.assertRaisesRegex(TypeError, "the items of an Array must be no Python objects"):
                millrace.Array(self.device, 3, values.dtype)

    def test_masked_arrays(self) -> None:
        """Every function rejects masked arrays, with any mask."""
        queue, keys = self.queue, self.keys
        tags, blocks = np.zeros(1, np.uint8), np.zeros((1, 256), np.int16)
        clip, points = np.zeros((2, 16, 16), np.uint8), np.zeros((3, 2), np.int32)
        calls: list[tuple[str, Any, Callable[[Any], Any]]] = [
            ("keys", keys, lambda masked: millrace.sort(queue, masked)),
            ("out", keys, lambda masked: millrace.sort(queue, keys, out=masked)),
            ("keys", keys, lambda masked: millrace.sort_pairs(queue, masked, keys)),
            ("values", keys, lambda masked: millrace.sort_pairs(queue, keys, masked)),
            ("values", keys.astype(np.int8), lambda masked: millrace.sort_pairs(queue, keys, masked)),
            ("keys_out", keys, lambda masked: millrace.sort_pairs(queue, keys, keys, keys_out=masked)),
            ("values_out", keys, lambda masked: millrace.sort_pairs(queue, keys, keys, values_out=masked)),
            ("keys", keys, lambda masked: millrace.argsort(queue, masked)),
            ("out", keys, lambda masked: millrace.argsort(queue, keys, out=masked)),
            ("tags", tags, lambda masked: millrace.idct(queue, masked, blocks)),
            ("coefficients", blocks, lambda masked: millrace.idct(queue, tags, masked)),
            ("out", blocks, lambda masked: millrace.idct(queue, tags, blocks, out=masked)),
            ("frames", clip, lambda masked: millrace.motion_search(self.device, masked)),
            ("points", points, lambda masked: millrace.count_three_stars(queue, masked, 5)),
            ("points", points, lambda masked: millrace.three_stars(queue, masked, 5)),
            ("source", keys, lambda masked: millrace.Array.from_numpy(queue, masked)),
            ("source", keys, lambda masked: millrace.from_dlpack(self.device, masked)),
        ]
        make: Any = np.ma.MaskedArray  # NumPy gives it no types.
        for name, array, call in calls:
            for mask in (np.ma.nomask, np.arange(array.size).reshape(array.shape) % 2 == 1):
                masked = make(array.copy(), mask=mask)
                words = f"{name} is a numpy.ma.MaskedArray, .*{name}.filled.*{name}.compressed"
                with self.subTest(name=name), self.assertRaisesRegex(TypeError, words):
                    call(masked)

    def test_shape(self) -> None:
        self.sort_rejected(ValueError, r"keys has shape \(2, 5\)", self.keys.reshape(2, 5))
        self.sort_rejected(ValueError, r"out has shape \(9,\)", self.keys, out=self.keys[:9])
        with self.assertRaisesRegex(ValueError, r"points has shape \(10,\)"):
            millrace.count_three_stars(self.queue, self.keys.astype(np.int32), 5)

    def test_stride(self) -> None:
        self.sort_rejected(ValueError, r"keys has strides \(8,\)", self.keys[::2])

    def test_read_only_output(self) -> None:
        out = self.keys.copy()
        out.flags.writeable = False
        self.sort_rejected(ValueError, "out is read-only", self.keys, out=out)

    def test_arrays_in_different_memory(self) -> None:
        on_device = millrace.Array.from_numpy(self.queue, self.keys)
        sentence = "out is in device memory of .*, and the others are in the host's memory"
        self.sort_rejected(ValueError, sentence, self.keys, out=on_device)

    def test_memory_of_another_device(self) -> None:
        here = millrace.Array.from_numpy(self.queue, self.keys)
        with millrace.Device("simt:0") as other, other.queue() as other_queue:
            there = millrace.Array.from_numpy(other_queue, self.keys)
            words = "is in memory of simt:0; the work is for tbb"
            self.sort_rejected(ValueError, f"keys {words}", there)
            self.sort_rejected(ValueError, f"out {words}", here, out=there)
            with self.assertRaisesRegex(ValueError, f"values {words}"):
                millrace.sort_pairs(self.queue, here, there)
            with self.assertRaisesRegex(ValueError, f"the array {words}"):
                there.to_numpy(self.queue)
            with self.assertRaisesRegex(ValueError, "keys is in memory of tbb; the work is for simt:0"):
                millrace.argsort(other_queue, here)
            pinned = millrace.Array.from_numpy(other_queue, self.keys, "pinned")
            np.testing.assert_array_equal(pinned.to_numpy(self.queue), self.keys)

    def test_what_the_library_rejects(self) -> None:
        self.sort_rejected(ValueError, "policy is 'best'", self.keys, policy="best")
        with self.assertRaisesRegex(millrace.Error, "no device 'abacus'"):
            millrace.Device("abacus")
        with self.assertRaisesRegex(millrace.Error, "radius"):
            millrace.count_three_stars(self.queue, np.zeros((1, 2), np.int32), 0)
        with self.assertRaises(millrace.Error) as raised:
            self.device.queue(stream=1)
        self.assertEqual(raised.exception.status, "unsupported")

    def test_closed_handles(self) -> None:
        self.queue.close()
        self.queue.close()
        with self.assertRaisesRegex(millrace.Error, "queue is a handle that was freed"):
            self.queue.wait()


@unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
class Fork(unittest.TestCase):
    def assert_holds_in_child(self, check: Callable[[], bool]) -> None:
        child = os.fork()
        if child == 0:
            is_right = False
            try:
                is_right = check()
            finally:
                os._exit(0 if is_right else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_a_child_sorts_on_the_cpu(self) -> None:
        keys = np.random.default_rng(4).integers(0, 1 << 30, 200_000, np.uint32)
        expected = np.sort(keys)

        def sorts(queue: millrace.Queue) -> bool:
            return np.array_equal(millrace.sort(queue, keys), expected)

        def sorts_anew() -> bool:
            with millrace.Device("tbb") as device, device.queue() as queue:
                return sorts(queue)

        with millrace.Device("tbb") as device, device.queue() as queue:
            self.assertTrue(sorts(queue))
            self.assert_holds_in_child(lambda: sorts(queue))
            self.assert_holds_in_child(sorts_anew)
            self.assertTrue(sorts(queue))

    def test_devices_with_memory_of_their_own_stay_with_the_parent(self) -> None:
        keys = np.arange(1000, dtype=np.uint32)[::-1].copy()
        for name in DEVICES:
            with millrace.Device(name) as device, device.queue() as queue:
                if device.info.shares_host_memory:
                    continue
                millrace.sort(queue, keys)
                array = millrace.Array.from_numpy(queue, keys)

                def is_rejected() -> bool:
                    try:
                        millrace.sort(queue, array)
                    except millrace.Error as error:
                        return error.status == "device lost" and "fork()" in str(error)
                    return False

                with self.subTest(device=name):
                    self.assert_holds_in_child(is_rejected)


if __name__ == "__main__":
    unittest.main()
