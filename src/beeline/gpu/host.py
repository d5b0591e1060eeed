"""This machine's processor in the place of a device: one lane after the other. For tests of the generated code."""

from __future__ import annotations

import ctypes
import mmap
import os
import threading
from pathlib import Path

from beeline.engine.limits import default_memory
from beeline.gpu.device import HOST, Device, DeviceError, Module
from beeline.jit.cache import cache_folder, is_whole, place_of, trim
from beeline.jit.compiler import compile_to, describe, find_compiler

FLAGS = ("-x", "c++", "-std=c++17")
MORE_FLAGS = "BEELINE_DEVICE_FLAGS"
"""More flags for the compiler, such as -O0 where its time matters more than that of the code."""


class HostModule(Module):
    """A shared library, of which a process has one: its kernels share memory, and run one after the other."""

    _alone = threading.Lock()

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)

    def launch(self, kernel: str, control: int, work: int) -> None:
        with self._alone:
            getattr(self._library, kernel)(ctypes.c_void_p(control))

    def launch_layers(self, kernels: tuple[str, str], control: int, count: int) -> None:
        for _ in range(count):
            for kernel in kernels:
                self.launch(kernel, control, 1)


class HostDevice(Device):
    """The processor."""

    name = kind = HOST

    def __init__(self) -> None:
        self._mapped: dict[int, tuple[mmap.mmap, object]] = {}

    def available(self) -> int:
        return default_memory()

    def allocate(self, size: int) -> int:
        try:
            memory = mmap.mmap(-1, max(size, 1))
        except (OSError, ValueError, OverflowError) as error:
            raise MemoryError(str(error)) from None
        view = ctypes.c_char.from_buffer(memory)
        address = ctypes.addressof(view)
        self._mapped[address] = memory, view
        return address

    def release(self, address: int) -> None:
        memory, view = self._mapped.pop(address)
        del view
        memory.close()

    def clear(self, address: int, size: int) -> None:
        ctypes.memset(address, 0, size)

    def write(self, address: int, data: bytes) -> None:
        ctypes.memmove(address, data, len(data))

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(address, size)

    def copy(self, to: int, device: Device, address: int, size: int) -> None:
        ctypes.memmove(to, address, size)

    def enter(self) -> None:
        pass

    def prepare(self, source: str) -> None:
        self._compiled(source)

    def load(self, source: str) -> Module:
        return HostModule(str(self._compiled(source)))

    def _compiled(self, source: str) -> Path:
        command = find_compiler()
        if command is None:
            raise DeviceError("no C++ compiler was found: install g++ or clang")
        extra = (*FLAGS, *os.environ.get(MORE_FLAGS, "").split())
        place = place_of(cache_folder(), source, describe(command), *command, *extra)
        if not is_whole(place):
            if not compile_to(command, source, place, threading.Event(), extra):
                raise DeviceError(f"{command[0]} did not compile the code of the model")
            trim(place.parent)
        return place

    def close_alone(self) -> None:
        for address in list(self._mapped):
            self.release(address)
