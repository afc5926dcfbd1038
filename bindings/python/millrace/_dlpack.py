# SPDX-License-Identifier: Apache-2.0

"""DLPack's structs and capsules by ctypes: https://dmlc.github.io/dlpack/latest/c_api.html, version 0."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Dict

import numpy as np

CPU, CUDA, CUDA_HOST, ROCM, ROCM_HOST = 1, 2, 3, 10, 11

_KIND_OF_CODE = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
_CODE_OF_KIND = {kind: code for code, kind in _KIND_OF_CODE.items()}
_NEW, _USED = b"dltensor", b"used_dltensor"


class _DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class _DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", _DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _DLManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", _DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", _DELETER)]


_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_DESTRUCTOR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
# A capsule that is being destroyed must not be referenced, so only its address is passed.
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))
_set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _python))

# Structs that other libraries use, by address, until they call the deleter.
_lent: Dict[int, Any] = {}


def _give_back(address: int) -> None:
    _lent.pop(address, None)


def _drop_capsule(capsule: int) -> None:
    if _is_valid(capsule, _NEW):  # Nobody took it.
        _give_back(_pointer_of(capsule, _NEW))


_give_back_to_us = _DELETER(_give_back)
_destructor = _DESTRUCTOR(_drop_capsule)


def capsule_of(
    owner: Any, address: int, shape: tuple[int, ...], dtype: np.dtype[Any], device: tuple[int, int]
) -> Any:
    """Returns a capsule for a dense array. Its consumer keeps `owner` alive. Raises BufferError for a type that DLPack
    does not have."""
    if dtype.kind not in _CODE_OF_KIND:
        raise BufferError(f"DLPack has no type for {dtype}; convert to integers, floats, complex numbers or bool")
    extents = (ctypes.c_int64 * len(shape))(*shape)
    managed = _DLManagedTensor()
    managed.dl_tensor.data = address
    managed.dl_tensor.device = _DLDevice(*device)
    managed.dl_tensor.ndim = len(shape)
    managed.dl_tensor.dtype = _DLDataType(_CODE_OF_KIND[dtype.kind], 8 * dtype.itemsize, 1)
    managed.dl_tensor.shape = ctypes.cast(extents, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = _give_back_to_us
    _lent[ctypes.addressof(managed)] = (managed, extents, owner)
    return _python.PyCapsule_New(ctypes.addressof(managed), _NEW, _destructor)


def _delete(managed: _DLManagedTensor) -> None:
    if managed.deleter:
        managed.deleter(ctypes.addressof(managed))


class Tensor:
    """Another library's array, which is taken out of its capsule and released with this object."""

    def __init__(self, capsule: Any) -> None:
        if not _is_valid(id(capsule), _NEW):
            raise BufferError("the capsule was taken before, or is not DLPack's; make another one by __dlpack__()")
        managed = _DLManagedTensor.from_address(_pointer_of(id(capsule), _NEW))
        _set_name(capsule, _USED)
        weakref.finalize(self, _delete, managed)
        tensor = managed.dl_tensor
        code, bits, lanes = tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes
        if code not in _KIND_OF_CODE or lanes != 1 or bits % 8 != 0:
            raise BufferError(f"the array's DLPack type is ({code}, {bits}, {lanes}), which NumPy does not have; convert it")
        self.dtype: np.dtype[Any] = np.dtype(f"{_KIND_OF_CODE[code]}{bits // 8}")
        self.shape: tuple[int, ...] = tuple(tensor.shape[i] for i in range(tensor.ndim))
        self.address = int(tensor.data or 0) + int(tensor.byte_offset)
        expected = 1
        for i in reversed(range(tensor.ndim)):
            if tensor.strides and self.shape[i] > 1 and tensor.strides[i] != expected:
                raise BufferError("the array's elements do not lie side by side in C order; copy them into a dense array")
            expected *= self.shape[i]
