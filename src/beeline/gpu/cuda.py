"""A GPU, by NVIDIA's driver and run-time compiler (package cuda-bindings, extra `gpu`)."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from beeline.gpu.device import GPU, Device, DeviceError, Module
from beeline.jit.cache import CacheError, cache_folder, is_whole, place_of, trim

REMEDY = "pip install 'beeline[gpu]'"
OPTIONS = ("-std=c++17", "--extra-device-vectorization")
EVERYBODY = 1 << 40  # pieces of work: as many threads as run at once
THREADS = 256  # in a block of a kernel that says nothing else


def driver() -> Any:
    """The driver's functions, or a `DeviceError` that says what is missing."""
    try:
        from cuda.bindings import driver as found
    except ImportError:
        raise DeviceError(f"the package cuda-bindings is not installed: {REMEDY}") from None
    try:
        (error,) = found.cuInit(0)
    except Exception as reason:  # whatever keeps the library from being loaded
        raise DeviceError(f"there is no driver for NVIDIA's GPUs: {reason}") from None
    if error != found.CUresult.CUDA_SUCCESS:
        raise DeviceError(f"the driver for NVIDIA's GPUs does not start: {error.name}")
    return found


def call(result: tuple[Any, ...]) -> Any:
    """What a function of the driver returned, without its error, which must be none."""
    error, *rest = result
    if error.value != 0:
        if error.name in ("CUDA_ERROR_OUT_OF_MEMORY",):
            raise MemoryError(error.name)
        raise DeviceError(f"the device failed: {error.name}")
    return rest[0] if len(rest) == 1 else rest


class CudaModule(Module):
    """Code that was loaded."""

    def __init__(self, device: CudaDevice, code: bytes) -> None:
        self._device, self._driver = device, device.driver
        self._module = call(self._driver.cuModuleLoadData(code))
        self._kernels: dict[str, tuple[Any, int, int]] = {}
        self._graphs: dict[tuple[tuple[str, str], int, int], Any] = {}

    def _kernel(self, name: str) -> tuple[Any, int, int]:
        """A kernel, the threads of a block, and how many blocks run at once."""
        if name not in self._kernels:
            cu = self._driver
            function = call(cu.cuModuleGetFunction(self._module, name.encode()))
            attribute = cu.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
            threads = min(THREADS, call(cu.cuFuncGetAttribute(attribute, function)))
            blocks = call(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, threads, 0))
            self._kernels[name] = function, threads, blocks * self._device.multiprocessors
        return self._kernels[name]

    def launch(self, kernel: str, control: int, work: int) -> None:
        self._start(kernel, control, work, 0)
        call(self._driver.cuCtxSynchronize())

    def launch_layers(self, kernels: tuple[str, str], control: int, count: int) -> None:
        key = kernels, control, count
        if key not in self._graphs:
            self._graphs[key] = self._graph(*key)
        call(self._driver.cuGraphLaunch(self._graphs[key], 0))
        call(self._driver.cuCtxSynchronize())

    def _start(self, kernel: str, control: int, work: int, stream: Any) -> None:
        function, threads, most = self._kernel(kernel)
        blocks = max(1, min(most, -(-work // threads)))
        arguments = (control,), (ctypes.c_void_p,)
        call(self._driver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, 0))

    def _graph(self, kernels: tuple[str, str], control: int, count: int) -> Any:
        """Launches that the device begins one after the other by itself."""
        cu = self._driver
        stream = call(cu.cuStreamCreate(cu.CUstream_flags.CU_STREAM_NON_BLOCKING.value))
        call(cu.cuStreamBeginCapture(stream, cu.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED))
        for _ in range(count):
            self._start(kernels[0], control, EVERYBODY, stream)
            self._start(kernels[1], control, 1, stream)
        graph = call(cu.cuStreamEndCapture(stream))
        made = call(cu.cuGraphInstantiate(graph, 0))
        call(cu.cuGraphDestroy(graph))
        call(cu.cuStreamDestroy(stream))
        return made


class CudaDevice(Device):
    """One GPU."""

    kind = GPU

    def __init__(self, number: int = 0) -> None:
        self.driver = cu = driver()
        if number >= call(cu.cuDeviceGetCount()):
            raise DeviceError(f"there is no GPU with the number {number}")
        self._device = call(cu.cuDeviceGet(number))
        self._compiled: dict[str, bytes] = {}
        self._context = call(cu.cuDevicePrimaryCtxRetain(self._device))
        self.enter()
        self.name = call(cu.cuDeviceGetName(128, self._device)).split(b"\0")[0].decode()
        names = cu.CUdevice_attribute
        self.multiprocessors = self._attribute(names.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
        major = self._attribute(names.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        minor = self._attribute(names.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        self.architecture, self.has_pairs = f"sm_{major}{minor}", major >= 9

    def _attribute(self, name: Any) -> int:
        value: int = call(self.driver.cuDeviceGetAttribute(name, self._device))
        return value

    def available(self) -> int:
        free, _ = call(self.driver.cuMemGetInfo())
        return int(free)

    def allocate(self, size: int) -> int:
        return int(call(self.driver.cuMemAlloc(max(size, 1))))

    def release(self, address: int) -> None:
        call(self.driver.cuMemFree(address))

    def clear(self, address: int, size: int) -> None:
        call(self.driver.cuMemsetD8(address, 0, size))

    def write(self, address: int, data: bytes) -> None:
        if data:
            call(self.driver.cuMemcpyHtoD(address, data, len(data)))

    def read(self, address: int, size: int) -> bytes:
        data = bytearray(size)
        if size:
            call(self.driver.cuMemcpyDtoH(data, address, size))
        return bytes(data)

    def copy(self, to: int, device: Device, address: int, size: int) -> None:
        assert isinstance(device, CudaDevice)
        call(self.driver.cuMemcpyPeer(to, self._context, address, device._context, size))

    def enter(self) -> None:
        call(self.driver.cuCtxSetCurrent(self._context))

    def prepare(self, source: str) -> None:
        self._compiled[source] = compiled(source, self.architecture)

    def load(self, source: str) -> Module:
        code = self._compiled.pop(source, None)
        return CudaModule(self, compiled(source, self.architecture) if code is None else code)

    def close_alone(self) -> None:
        call(self.driver.cuDevicePrimaryCtxRelease(self._device))


def describe() -> tuple[str, str]:
    """What there is for searches on a GPU, and what is missing."""
    try:
        device = CudaDevice()
    except DeviceError as error:
        return "", str(error)
    compiler = _Nvrtc.find() or _Nvcc.find()
    known = f"{device.name}, {device.architecture}, {device.available() / 2**30:.0f} GiB free"
    device.close()
    if compiler is None:
        return known, f"no compiler for it: {REMEDY}, or install nvcc"
    return f"{known}, {compiler.version.splitlines()[-1]}", ""


def compiled(source: str, architecture: str) -> bytes:
    """Machine code for an architecture, from what was compiled before or compiled now."""
    compiler = _Nvrtc.find() or _Nvcc.find()
    if compiler is None:
        raise DeviceError(f"there is no compiler for the GPU: {REMEDY}, or install nvcc")
    try:
        place = place_of(cache_folder(), source, compiler.version, architecture, *OPTIONS, suffix=".cubin")
    except CacheError:
        return compiler.compile(source, architecture)
    if not is_whole(place):
        code = compiler.compile(source, architecture)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            file.write(code + hashlib.sha256(code).digest())
        os.replace(file.name, place)
        trim(place.parent)
        return code
    return place.read_bytes()[:-32]


class _Nvrtc:
    """The compiler that is a library."""

    def __init__(self, library: Any) -> None:
        self._library = library
        major, minor = call(library.nvrtcVersion())
        self.version = f"nvrtc {major}.{minor}"

    @classmethod
    def find(cls) -> _Nvrtc | None:
        try:
            from cuda.bindings import nvrtc

            return cls(nvrtc)
        except Exception:  # whatever keeps it from being loaded
            return None

    def compile(self, source: str, architecture: str) -> bytes:
        library = self._library
        program = call(library.nvrtcCreateProgram(source.encode(), b"model.cu", 0, [], []))
        options = [f"--gpu-architecture={architecture}".encode(), *(option.encode() for option in OPTIONS)]
        (error,) = library.nvrtcCompileProgram(program, len(options), options)
        if error.value != 0:
            log = b" " * call(library.nvrtcGetProgramLogSize(program))
            call(library.nvrtcGetProgramLog(program, log))
            raise DeviceError(f"the code of the model was not compiled: {log.decode(errors='replace')[:1000]}")
        code: bytes = b" " * call(library.nvrtcGetCUBINSize(program))
        call(library.nvrtcGetCUBIN(program, code))
        call(library.nvrtcDestroyProgram(program))
        return code


class _Nvcc:
    """The compiler that is a command."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout

    @classmethod
    def find(cls) -> _Nvcc | None:
        path = shutil.which("nvcc")
        return None if path is None else cls(path)

    def compile(self, source: str, architecture: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            text, code = Path(folder, "model.cu"), Path(folder, "model.cubin")
            text.write_text(source)
            options = [f"-arch={architecture}", *OPTIONS, "-cubin", "-o", str(code), str(text)]
            done = subprocess.run([self._path, *options], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise DeviceError(f"nvcc did not compile the code of the model: {done.stderr[:1000]}")
            return code.read_bytes()
