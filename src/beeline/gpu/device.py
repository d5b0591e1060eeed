"""What a search needs of a device: memory, and code that runs there."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

from beeline.model.source import BeelineError

CHOICE = "BEELINE_DEVICE"
"""The variable that names the device: cuda, cuda:NUMBER, or host for this machine's processor; or several of one kind:
cuda:0,1."""


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
    others: tuple[Device, ...] = ()
    """Devices of the same kind that share the states of a search with this one."""

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
    def copy(self, to: int, device: Device, address: int, size: int) -> None:
        """Copies memory of another device of this kind to this one's."""

    @abstractmethod
    def enter(self) -> None:
        """Has the thread that calls work with this device; it does so already where it made the device."""

    @abstractmethod
    def prepare(self, source: str) -> None:
        """Has code compiled that will be loaded later; any thread may ask."""

    @abstractmethod
    def load(self, source: str) -> Module:
        """Code on this device, compiled now or before."""

    @abstractmethod
    def close_alone(self) -> None:
        """Gives back everything of this device."""

    def close(self) -> None:
        """Gives back everything, also of the others."""
        for device in (*self.others, self):
            device.close_alone()


def find_device(name: str | None = None) -> Device:
    """The device of that name, or that the environment names, with the others named; the first GPU otherwise."""
    chosen = name or os.environ.get(CHOICE) or "cuda"
    kind, _, listed = chosen.partition(":")
    numbers = (listed or "0").split(",")
    if kind not in ("cuda", "host") or not all(map(str.isdigit, numbers)) or len(set(numbers)) < len(numbers):
        raise DeviceError(f"there is no device '{chosen}': {CHOICE} is cuda, cuda:NUMBER, cuda:NUMBER,NUMBER.. or host")
    devices: list[Device] = []
    try:
        for number in reversed(numbers):  # the last one that is made is the one that this thread works with
            devices.insert(0, _make(kind, int(number)))
    except DeviceError:
        for device in devices:
            device.close_alone()
        raise
    devices[0].others = tuple(devices[1:])
    devices[0].has_pairs = all(device.has_pairs for device in devices)
    return devices[0]


def _make(kind: str, number: int) -> Device:
    if kind == "host":
        from beeline.gpu.host import HostDevice

        return HostDevice()
    from beeline.gpu.cuda import CudaDevice

    return CudaDevice(number)
