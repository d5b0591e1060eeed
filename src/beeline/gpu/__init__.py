"""Searches on a device that expands many states at once: a GPU, or for tests this machine's processor.

The code of a model is generated from its program (`native/gpu`), put together with what all models share (`kernels`),
compiled for the device, and driven from here, layer by layer.
"""

from beeline.gpu.device import Device, DeviceError, find_device

__all__ = ["Device", "DeviceError", "find_device"]
