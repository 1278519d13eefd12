"""Where replay.py launches kernels: a GPU through its driver, or the emulated library."""

import ctypes
import struct

COMPUTE_CAPABILITY_MAJOR = 75
COMPUTE_CAPABILITY_MINOR = 76
MULTIPROCESSOR_COUNT = 16
MAX_DYNAMIC_SHARED_SIZE_BYTES = 8

ALIGNMENT = 64


def aligned(address):
    return -(-address // ALIGNMENT) * ALIGNMENT


def padded(size):
    """Returns the size of a buffer with its padding, which kernels may read."""
    return aligned(max(size, 1))


class DeviceError(Exception):
    """A call failed; on a GPU the context is then of no more use."""


class CudaDevice:
    """A GPU, through the driver API alone."""

    is_gpu = True

    def __init__(self, ordinal):
        try:
            self.driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DeviceError(f"there is no CUDA driver: {error}") from error
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), ordinal)
        self.device = device.value
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, self.device)
        self.name = name.value.decode()
        major = self.attribute(COMPUTE_CAPABILITY_MAJOR)
        self.architecture = f"sm_{major}{self.attribute(COMPUTE_CAPABILITY_MINOR)}"
        self.multiprocessors = self.attribute(MULTIPROCESSOR_COUNT)
        self.modules = {}

    def call(self, name, *arguments):
        """Calls the driver; raises with the driver's own name of the error."""
        status = getattr(self.driver, name)(*arguments)
        if status:
            code, text = ctypes.c_char_p(), ctypes.c_char_p()
            self.driver.cuGetErrorName(status, ctypes.byref(code))
            self.driver.cuGetErrorString(status, ctypes.byref(text))
            words = b": ".join(word for word in (code.value, text.value) if word)
            raise DeviceError(f"{name}: {words.decode()} ({status})")

    def attribute(self, which):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), which, self.device)
        return value.value

    def function(self, image, kernel):
        module = self.modules.get(image)
        if module is None:
            module = ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module), image)
            self.modules[image] = module
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        return function

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(padded(size)))
        return address.value

    def free(self, address):
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def write(self, address, content):
        self.call(
            "cuMemcpyHtoD_v2", ctypes.c_uint64(address), content, ctypes.c_size_t(len(content))
        )

    def zero(self, address, size):
        self.call(
            "cuMemsetD8_v2", ctypes.c_uint64(address), ctypes.c_ubyte(0), ctypes.c_size_t(size)
        )

    def read(self, address, size):
        content = ctypes.create_string_buffer(size)
        self.call(
            "cuMemcpyDtoH_v2", content, ctypes.c_uint64(address), ctypes.c_size_t(size)
        )
        return content.raw

    def set_shared(self, function, shared):
        self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)

    def persistent_grid(self, function, block, shared):
        """Returns as many blocks as the device holds at a time."""
        self.set_shared(function, shared)
        blocks = ctypes.c_int()
        self.call(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            ctypes.byref(blocks),
            function,
            block,
            ctypes.c_size_t(shared),
        )
        return max(1, blocks.value) * self.multiprocessors

    def prepared(self, function, grid, block, shared, arguments):
        """Returns a function that launches on the default stream and returns at once."""
        image = ctypes.create_string_buffer(arguments, len(arguments))
        parameters = (ctypes.c_void_p * 1)(ctypes.cast(image, ctypes.c_void_p))
        none = ctypes.c_void_p(None)

        def launch(_keeps_alive=image):
            self.call(
                "cuLaunchKernel", function, grid, 1, 1, block, 1, 1, shared, none, parameters, none
            )

        return launch

    def seconds(self, run):
        """Returns the time between two events around the launches of `run`."""
        start, end = ctypes.c_void_p(), ctypes.c_void_p()
        none = ctypes.c_void_p(None)
        self.call("cuEventCreate", ctypes.byref(start), 0)
        self.call("cuEventCreate", ctypes.byref(end), 0)
        self.call("cuCtxSynchronize")
        self.call("cuEventRecord", start, none)
        run()
        self.call("cuEventRecord", end, none)
        self.call("cuEventSynchronize", end)
        elapsed = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(elapsed), start, end)
        self.call("cuEventDestroy_v2", start)
        self.call("cuEventDestroy_v2", end)
        return elapsed.value / 1e3

    def copy_rate(self, size):
        """Returns GB/s of a copy inside the device, bytes read plus bytes written."""
        source, target = self.allocate(size), self.allocate(size)
        copy = lambda: self.call(
            "cuMemcpyDtoDAsync_v2",
            ctypes.c_uint64(target),
            ctypes.c_uint64(source),
            ctypes.c_size_t(size),
            ctypes.c_void_p(None),
        )
        best = min(self.seconds(copy) for _ in range(5))
        self.free(source)
        self.free(target)
        return 2 * size / best / 1e9


class EmulatedDevice:
    """The GPU code path on the processor: every access checked, speed meaningless."""

    is_gpu = False
    name = "emulator"
    architecture = "emulated"
    RECORD = struct.Struct("<QQIIIIQ24x")  # kernel_record
    OPTIONS = struct.Struct("<QIIIIII")  # emulator_launch_options
    REPORT_ERROR_OFFSET = 12 * 8
    REPORT_ERROR_BYTES = 512
    YIELD_PPM = 20000

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        prefix = "Java_io_ariadne_backend_emulated_NativeEmulator_"
        table = getattr(self.library, prefix + "kernelTableAddress")
        table.restype = ctypes.c_int64
        base = table(None, None)
        count = getattr(self.library, prefix + "kernelTableCount")(None, None)
        self.entries = {}
        for index in range(count):
            record = ctypes.string_at(base + index * self.RECORD.size, self.RECORD.size)
            fields = self.RECORD.unpack(record)
            self.entries[ctypes.string_at(fields[0]).decode()] = fields[1]
        self.library.ariadne_emulator_report.restype = ctypes.c_void_p
        self.allocations = {}
        self.seed = 1

    def function(self, _image, kernel):
        return self.entries[kernel]

    def allocate(self, size):
        memory = ctypes.create_string_buffer(padded(size) + ALIGNMENT)
        address = aligned(ctypes.addressof(memory))
        self.library.ariadne_emulator_add_region(
            ctypes.c_void_p(address), ctypes.c_uint64(padded(size))
        )
        self.allocations[address] = memory
        return address

    def free(self, address):
        self.library.ariadne_emulator_remove_region(ctypes.c_void_p(address))
        del self.allocations[address]

    def write(self, address, content):
        ctypes.memmove(address, content, len(content))

    def zero(self, address, size):
        ctypes.memset(address, 0, size)

    def read(self, address, size):
        return ctypes.string_at(address, size)

    def persistent_grid(self, _function, _block, _shared):
        return 3

    def prepared(self, function, grid, block, shared, arguments):
        """Returns a function that launches and waits; it raises what the emulator reports."""
        memory = ctypes.create_string_buffer(len(arguments) + ALIGNMENT)
        block_address = aligned(ctypes.addressof(memory))
        ctypes.memmove(block_address, arguments, len(arguments))

        def launch(_keeps_alive=memory):
            self.seed += 1
            options = self.OPTIONS.pack(self.seed, grid, block, shared, self.YIELD_PPM, 0, 0)
            failed = self.library.ariadne_emulator_launch(
                ctypes.c_void_p(function), ctypes.c_void_p(block_address), options
            )
            if failed:
                report = self.library.ariadne_emulator_report()
                text = ctypes.string_at(
                    report + self.REPORT_ERROR_OFFSET, self.REPORT_ERROR_BYTES
                )
                raise DeviceError(f"seed {self.seed}: {text.split(bytes(1))[0].decode()}")

        return launch

    def copy_rate(self, _size):
        return 0.0
