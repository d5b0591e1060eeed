"""What a search needs of a device: memory, and code that runs there."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

from beeline.model.source import BeelineError

CHOICE = "BEELINE_DEVICE"
"""The variable that names the device: cuda, cuda:NUMBER, or host for this machine's processor."""


DEVICES = GPU, HOST = "gpu", "host"
"""How results call a device."""


class DeviceError(BeelineError):
    """There is no such device, or it cannot be used."""


FORWARD = "beeline_expand", "beeline_advance"
BACKWARD = "beeline_pass", "beeline_retreat"
"""Kernels that go from layer to layer."""


class Module(ABC):
    """Code on a device."""

    @abstractmethod
    def launch(self, kernel: str, control: int, work: int) -> None:
        """Runs a kernel on the structure at the address `control`, with lanes for so much work, to its end."""

    @abstractmethod
    def launch_layers(self, kernels: tuple[str, str], control: int, count: int) -> None:
        """Runs a kernel, and one of a single lane that says how to go on, in turn, so many times, to the end."""


class Device(ABC):
    """A device. Memory has addresses, which are numbers."""

    name: str
    kind: str
    """One of `DEVICES`."""
    has_pairs = True
    """Whether two numbers can be swapped at once."""

    @abstractmethod
    def available(self) -> int:
        """Bytes of memory that can be had."""

    @abstractmethod
    def allocate(self, size: int) -> int:
        """Memory, with whatever is in it; raises `MemoryError` if there is none."""

    @abstractmethod
    def release(self, address: int) -> None: ...

    @abstractmethod
    def clear(self, address: int, size: int) -> None:
        """Fills memory with zeros."""

    @abstractmethod
    def write(self, address: int, data: bytes) -> None: ...

    @abstractmethod
    def read(self, address: int, size: int) -> bytes: ...

    @abstractmethod
    def prepare(self, source: str) -> None:
        """Has code compiled that will be loaded later; any thread may ask."""

    @abstractmethod
    def load(self, source: str) -> Module:
        """Code on this device, compiled now or before."""

    @abstractmethod
    def close(self) -> None:
        """Gives back everything."""


def find_device(name: str | None = None) -> Device:
    """The device of that name, or that the environment names; the first GPU otherwise."""
    chosen = name or os.environ.get(CHOICE) or "cuda"
    kind, _, number = chosen.partition(":")
    if kind == "host" and not number:
        from beeline.gpu.host import HostDevice

        return HostDevice()
    if kind != "cuda" or not (number or "0").isdigit():
        raise DeviceError(f"there is no device '{chosen}': {CHOICE} is cuda, cuda:NUMBER or host")
    from beeline.gpu.cuda import CudaDevice

    return CudaDevice(int(number or 0))
