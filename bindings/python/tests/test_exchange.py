# SPDX-License-Identifier: Apache-2.0

"""Arrays of other libraries as Millrace's and back, by DLPack: python -m unittest discover -s bindings/python/tests"""

from __future__ import annotations

import gc
import importlib
import unittest
from dataclasses import replace
from typing import Any, Optional

import numpy as np

import millrace


class RenamedDevice(millrace.Device):
    """The CPU as another device."""

    def __init__(self, name: str) -> None:
        self.other_name = name
        super().__init__("tbb")

    @property
    def info(self) -> millrace.DeviceInfo:
        return replace(super().info, name=self.other_name, backend=self.other_name.partition(":")[0])


class PretendedGpu(RenamedDevice):
    """Notes which streams are waited for."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.waits: list[str] = []

    def queue(self, *, concurrency: int = 0, stream: Optional[int] = None) -> millrace.Queue:
        return PretendedStream(self, stream)


class PretendedStream(millrace.Queue):
    def __init__(self, gpu: PretendedGpu, stream: Optional[int]) -> None:
        super().__init__(gpu)
        self.gpu = gpu
        self.stream = stream

    def wait(self) -> None:
        self.gpu.waits.append(f"the host for stream {self.stream}")


class PretendedTensor:
    """NumPy's array as one in memory of that GPU."""

    def __init__(self, gpu: PretendedGpu, kind: int) -> None:
        self.gpu = gpu
        self.kind = kind

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, 0

    def __dlpack__(self, *, stream: int) -> Any:
        self.gpu.waits.append(f"DLPack's stream {stream} for the tensor")
        return np.arange(3, dtype=np.int32).__dlpack__()


class Exchange(unittest.TestCase):
    def test_numpy_sees_a_cpus_array_where_it_is(self) -> None:
        with millrace.Device("tbb") as device, device.queue() as queue:
            array = millrace.Array.from_numpy(queue, np.arange(12, dtype=np.float32).reshape(3, 4))
            view = np.from_dlpack(array)
            self.assertEqual(view.ctypes.data, array.address)
            address = array.address
            del array
            gc.collect()
            self.assertEqual(view.ctypes.data, address)
            np.testing.assert_array_equal(view, np.arange(12, dtype=np.float32).reshape(3, 4))

    def test_numpys_array_is_taken_where_it_is(self) -> None:
        with millrace.Device("tbb") as device, device.queue() as queue:
            keys = np.array([3, 1, 2], np.int32)
            array = millrace.from_dlpack(device, keys)
            self.assertEqual((array.address, array.space), (keys.ctypes.data, "host"))
            millrace.sort(queue, array, out=array)
            self.assertEqual(keys.tolist(), [1, 2, 3])

    def test_arrays_that_do_not_fit_are_rejected(self) -> None:
        with millrace.Device("tbb") as device, self.assertRaisesRegex(BufferError, "side by side"):
            millrace.from_dlpack(device, np.arange(10, dtype=np.int32)[::2])
        with millrace.Device("simt:0") as device, self.assertRaisesRegex(BufferError, "simt:0 cannot be shared by DLPack"):
            np.from_dlpack(millrace.Array(device, 4, np.int32))

    def test_pinned_memory_is_the_hosts_too(self) -> None:
        with millrace.Device("simt:0") as device, device.queue() as queue:
            array = millrace.Array.from_numpy(queue, np.arange(5, dtype=np.uint8), "pinned")
            self.assertEqual(np.from_dlpack(array).tolist(), [0, 1, 2, 3, 4])

    def test_what_fills_a_gpus_tensor_has_ended_when_it_is_taken(self) -> None:
        for name, kind, default_stream in (("cuda:0", 2, 1), ("hip:0", 10, 0)):
            gpu = PretendedGpu(name)
            with self.subTest(device=name):
                self.assertEqual(millrace.from_dlpack(gpu, PretendedTensor(gpu, kind)).space, "device")
                waits = [f"DLPack's stream {default_stream} for the tensor", "the host for stream 0"]
                self.assertEqual(gpu.waits, waits)

    def test_a_device_may_have_a_name_without_a_number(self) -> None:
        with RenamedDevice("kokkos:serial") as device:
            self.assertEqual(millrace.Array(device, 3, np.int32).__dlpack_device__(), (1, 0))
            self.assertEqual(millrace.from_dlpack(device, np.zeros(3)).space, "host")


def torch_with_cuda() -> Any:
    """Returns PyTorch if it and Millrace use the same GPU, else None."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return None
    is_listed = "cuda:0" in [info.name for info in millrace.devices()]
    return torch if is_listed and torch.cuda.is_available() else None


TORCH = torch_with_cuda()


@unittest.skipIf(TORCH is None, "no PyTorch here that shares a GPU with Millrace")
class ExchangeOnAGpu(unittest.TestCase):
    def test_a_tensor_is_sorted_where_it_is(self) -> None:
        with millrace.Device("cuda:0") as device, device.queue() as queue:
            tensor = TORCH.randint(0, 1 << 30, (1_000_000,), dtype=TORCH.int32, device="cuda:0")
            expected = TORCH.sort(tensor).values
            array = millrace.from_dlpack(device, tensor)
            self.assertEqual((array.address, array.space), (tensor.data_ptr(), "device"))
            millrace.sort(queue, array, out=array)
            self.assertTrue(TORCH.equal(tensor, expected))

    def test_an_array_is_a_tensor_that_keeps_it(self) -> None:
        with millrace.Device("cuda:0") as device, device.queue() as queue:
            array = millrace.Array.from_numpy(queue, np.arange(6, dtype=np.float32).reshape(2, 3))
            tensor = TORCH.from_dlpack(array)
            self.assertEqual((tensor.data_ptr(), tensor.device.type), (array.address, "cuda"))
            del array
            gc.collect()
            self.assertEqual((tensor * 2).cpu().tolist(), [[0, 2, 4], [6, 8, 10]])

    def test_a_tensor_is_filled_when_it_is_taken(self) -> None:
        with millrace.Device("cuda:0") as device, device.queue() as queue:
            expected = TORCH.arange(1_000_000, device="cuda:0")
            tensor = TORCH.zeros_like(expected)
            TORCH.cuda.synchronize()
            with TORCH.cuda.stream(TORCH.cuda.Stream()):
                TORCH.cuda._sleep(1_000_000_000)  # Cycles: about half a second.
                tensor.copy_(expected)
                array = millrace.from_dlpack(device, tensor)
            np.testing.assert_array_equal(array.to_numpy(queue), np.arange(1_000_000))

    def test_an_array_of_another_device_is_rejected(self) -> None:
        with millrace.Device("tbb") as device, self.assertRaisesRegex(BufferError, "tbb cannot reach"):
            millrace.from_dlpack(device, TORCH.zeros(3, device="cuda:0"))


if __name__ == "__main__":
    unittest.main()
