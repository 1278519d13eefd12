// A fake libcuda.so.1: the part of the CUDA driver API that the project uses, over the emulator.
// The emulated library exports it; a copy named libcuda.so.1 on the library path makes unmodified
// JCuda, and dev/gpu/replay.py, run on a machine without a GPU.
//
// Everything is synchronous: a launch has run when the call returns. PTX and cubins are accepted
// unread; a kernel is found by its name in the library's own table. A fault that the emulator finds
// is CUDA_ERROR_LAUNCH_FAILED, and cuGetErrorString then gives the emulator's words. Calls of
// several host threads must not overlap.
//
// ariadne_fake_driver_fail(call, status) makes the call-th call from now return `status`.
#include "driver/device_memory.hpp"
#include "emulator/emulator.hpp"
#include "emulator/system.hpp"
#include "target/kernel_record.cuh"

#define DRIVER_FUNCTION extern "C" __attribute__((visibility("default")))

// Counts the call; returns at once when a failure was asked for.
#define DRIVER_CALL() \
  if (const int injected = next_call(); injected != 0) return injected

extern "C" __attribute__((weak, visibility("hidden")))
const kernel_record __start_ariadne_kernels[],
    __stop_ariadne_kernels[];

namespace {

enum status : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_found = 500,
  launch_failed = 719
};

constexpr u32 kVersion = 12060;
constexpr u64 kSeed = 20240901;
constexpr u32 kYieldPpm = 20000;

u64 calls_to_failure;  // 0: none
int failure;
u64 launches;

int next_call() {
  if (calls_to_failure == 0 || --calls_to_failure != 0) {
    return success;
  }
  return failure;
}

bool equal(const char* a, const char* b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

void* token(u64 value) { return reinterpret_cast<void*>(value); }

int attribute_value(int attribute) {
  switch (attribute) {
    case 1:  // MAX_THREADS_PER_BLOCK
      return kMaxBlockSize;
    case 8:  // MAX_SHARED_MEMORY_PER_BLOCK
      return 48 << 10;
    case 10:  // WARP_SIZE
      return 32;
    case 16:  // MULTIPROCESSOR_COUNT
      return 2;
    case 39:  // MAX_THREADS_PER_MULTIPROCESSOR
      return 2048;
    case 75:  // COMPUTE_CAPABILITY_MAJOR
      return 8;
    case 97:  // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
      return 99 << 10;
    default:
      return 0;
  }
}

int copy_in_device_memory(u64 to, u64 from, u64 bytes) {
  const driver::access access;
  memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return success;
}

}  // namespace

DRIVER_FUNCTION void ariadne_fake_driver_fail(u64 call, int status) {
  calls_to_failure = call;
  failure = status;
}

// Device, context, errors.

DRIVER_FUNCTION int cuInit(u32) {
  DRIVER_CALL();
  return success;
}

DRIVER_FUNCTION int cuDriverGetVersion(int* version) {
  *version = kVersion;
  return success;
}

DRIVER_FUNCTION int cuDeviceGetCount(int* count) {
  DRIVER_CALL();
  *count = 1;
  return success;
}

DRIVER_FUNCTION int cuDeviceGet(int* device, int ordinal) {
  DRIVER_CALL();
  *device = 0;
  return ordinal == 0 ? success : invalid_value;
}

DRIVER_FUNCTION int cuDeviceGetName(char* name, int bytes, int) {
  const char text[] = "Emulated GPU";
  for (int i = 0; i < bytes && i < static_cast<int>(sizeof text); i++) {
    name[i] = text[i];
  }
  return success;
}

DRIVER_FUNCTION int cuDeviceGetAttribute(int* value, int attribute, int) {
  DRIVER_CALL();
  *value = attribute_value(attribute);
  return success;
}

DRIVER_FUNCTION int cuDeviceTotalMem_v2(u64* bytes, int) {
  *bytes = driver::limit_bytes();
  return success;
}

DRIVER_FUNCTION int cuDevicePrimaryCtxRetain(void** context, int) {
  DRIVER_CALL();
  *context = token(1);
  return success;
}

DRIVER_FUNCTION int cuDevicePrimaryCtxRelease_v2(int) { return success; }
DRIVER_FUNCTION int cuCtxSetCurrent(void*) { return success; }

DRIVER_FUNCTION int cuCtxSynchronize() {
  DRIVER_CALL();
  return success;
}

DRIVER_FUNCTION int cuGetErrorName(int status, const char** name) {
  switch (status) {
    case out_of_memory:
      *name = "CUDA_ERROR_OUT_OF_MEMORY";
      break;
    case not_found:
      *name = "CUDA_ERROR_NOT_FOUND";
      break;
    case launch_failed:
      *name = "CUDA_ERROR_LAUNCH_FAILED";
      break;
    default:
      *name = "CUDA_ERROR";
      break;
  }
  return success;
}

DRIVER_FUNCTION int cuGetErrorString(int status, const char** text) {
  *text = status == launch_failed ? ariadne_emulator_report()->error : "fake driver";
  return success;
}

// Memory.

DRIVER_FUNCTION int cuMemGetInfo_v2(u64* free, u64* total) {
  *total = driver::limit_bytes();
  *free = *total - driver::allocated_bytes();
  return success;
}

DRIVER_FUNCTION int cuMemAlloc_v2(u64* address, u64 bytes) {
  DRIVER_CALL();
  *address = driver::allocate(bytes);
  return *address == 0 ? out_of_memory : success;
}

DRIVER_FUNCTION int cuMemFree_v2(u64 address) {
  return driver::release(address) ? success : invalid_value;
}

DRIVER_FUNCTION int cuMemcpyHtoD_v2(u64 to, const void* from, u64 bytes) {
  DRIVER_CALL();
  return driver::is_allocated(to, bytes)
             ? copy_in_device_memory(to, reinterpret_cast<u64>(from), bytes)
             : invalid_value;
}

DRIVER_FUNCTION int cuMemcpyDtoH_v2(void* to, u64 from, u64 bytes) {
  DRIVER_CALL();
  return driver::is_allocated(from, bytes)
             ? copy_in_device_memory(reinterpret_cast<u64>(to), from, bytes)
             : invalid_value;
}

DRIVER_FUNCTION int cuMemcpyDtoD_v2(u64 to, u64 from, u64 bytes) {
  DRIVER_CALL();
  return driver::is_allocated(from, bytes) && driver::is_allocated(to, bytes)
             ? copy_in_device_memory(to, from, bytes)
             : invalid_value;
}

DRIVER_FUNCTION int cuMemcpyHtoDAsync_v2(u64 to, const void* from, u64 bytes, void*) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}

DRIVER_FUNCTION int cuMemcpyDtoHAsync_v2(void* to, u64 from, u64 bytes, void*) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}

DRIVER_FUNCTION int cuMemcpyDtoDAsync_v2(u64 to, u64 from, u64 bytes, void*) {
  return cuMemcpyDtoD_v2(to, from, bytes);
}

DRIVER_FUNCTION int cuMemsetD8_v2(u64 address, u8 value, u64 bytes) {
  DRIVER_CALL();
  if (!driver::is_allocated(address, bytes)) {
    return invalid_value;
  }
  const driver::access access;
  memset(reinterpret_cast<void*>(address), value, bytes);
  return success;
}

DRIVER_FUNCTION int cuMemsetD8Async(u64 address, u8 value, u64 bytes, void*) {
  return cuMemsetD8_v2(address, value, bytes);
}

// Modules and launches.

DRIVER_FUNCTION int cuModuleLoadData(void** module, const void* image) {
  DRIVER_CALL();
  *module = token(2);
  return image != nullptr ? success : invalid_value;
}

DRIVER_FUNCTION int cuModuleUnload(void*) { return success; }

DRIVER_FUNCTION int cuModuleGetFunction(const void** function, void*, const char* name) {
  DRIVER_CALL();
  for (const kernel_record* it = __start_ariadne_kernels; it != __stop_ariadne_kernels; it++) {
    if (equal(it->name, name)) {
      *function = it;
      return success;
    }
  }
  return not_found;
}

DRIVER_FUNCTION int cuFuncSetAttribute(void*, int, int) {
  DRIVER_CALL();
  return success;
}

DRIVER_FUNCTION int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, u64) {
  *blocks = 2;
  return success;
}

DRIVER_FUNCTION int cuLaunchKernel(const kernel_record* kernel, u32 grid_x, u32 grid_y, u32 grid_z,
                                   u32 block_x, u32 block_y, u32 block_z, u32 shared_bytes, void*,
                                   void** parameters, void**) {
  DRIVER_CALL();
  if (grid_x == 0 || grid_y * grid_z != 1 || block_y * block_z != 1) {
    return invalid_value;
  }
  alignas(64) u8 arguments[kMaxArgumentBytes];
  memcpy(arguments, parameters[0], kernel->args_size);
  emulator_launch_options options = {};
  options.seed = kSeed + launches++;
  options.grid = grid_x;
  options.block = block_x;
  options.dynamic_shared = shared_bytes;
  options.yield_ppm = kYieldPpm;
  const driver::access access;
  return ariadne_emulator_launch(kernel->entry, arguments, &options) == 0 ? success : launch_failed;
}

// Streams and events: everything has happened already.

DRIVER_FUNCTION int cuStreamCreate(void** stream, u32) {
  DRIVER_CALL();
  *stream = token(3);
  return success;
}

DRIVER_FUNCTION int cuStreamSynchronize(void*) {
  DRIVER_CALL();
  return success;
}

DRIVER_FUNCTION int cuStreamDestroy_v2(void*) { return success; }

DRIVER_FUNCTION int cuEventCreate(void** event, u32) {
  DRIVER_CALL();
  *event = token(4);
  return success;
}

DRIVER_FUNCTION int cuEventRecord(void*, void*) { return success; }

DRIVER_FUNCTION int cuEventSynchronize(void*) {
  DRIVER_CALL();
  return success;
}

DRIVER_FUNCTION int cuEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 1;
  return success;
}

DRIVER_FUNCTION int cuEventDestroy_v2(void*) { return success; }
