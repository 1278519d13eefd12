// The entry points, with the signatures of cuda.h.
#include "driver/driver.hpp"

using namespace driver;

using context_handle = void*;

namespace {

constexpr i32 kMultiprocessors = 2;
constexpr i32 kBlocksPerMultiprocessor = 2;
constexpr i32 kSharedBytesPerBlock = 227 << 10;
constexpr i32 kStaticSharedBytes = 1 << 10;  // what every kernel is said to have
constexpr u64 kMaxGrid = 1ULL << 31;

// Attributes of devices and functions, numbered as in cuda.h.
constexpr i32 kDeviceMultiprocessors = 16;
constexpr i32 kDeviceCapabilityMajor = 75;
constexpr i32 kDeviceCapabilityMinor = 76;
constexpr i32 kDeviceSharedBytesOptIn = 97;
constexpr i32 kFunctionMaxThreads = 0;
constexpr i32 kFunctionSharedBytes = 1;
constexpr i32 kFunctionMaxDynamicShared = 8;

constexpr u32 kMaxFunctions = 1024;

// A kernel of a loaded module.
struct function {
  const kernel_record* kernel;
  i32 max_dynamic_shared;
};

function functions[kMaxFunctions];
u32 function_count;

char context_objects[kMaxDevices];  // their addresses are the primary contexts' handles

bool is_function(const function* f) { return f >= functions && f < functions + function_count; }

bool is_device_number(i32 device) { return device >= 0 && device < state.options.device_count; }

// The device whose primary context a handle is, or kNoDevice.
i32 device_of(context_handle context) {
  for (i32 device = 0; device < state.options.device_count; device++) {
    if (context == &context_objects[device]) {
      return device;
    }
  }
  return kNoDevice;
}

const char* name_of(i32 status) {
  switch (status) {
    case success:
      return "CUDA_SUCCESS";
    case invalid_value:
      return "CUDA_ERROR_INVALID_VALUE";
    case out_of_memory:
      return "CUDA_ERROR_OUT_OF_MEMORY";
    case not_initialized:
      return "CUDA_ERROR_NOT_INITIALIZED";
    case no_device:
      return "CUDA_ERROR_NO_DEVICE";
    case invalid_device:
      return "CUDA_ERROR_INVALID_DEVICE";
    case invalid_image:
      return "CUDA_ERROR_INVALID_IMAGE";
    case invalid_context:
      return "CUDA_ERROR_INVALID_CONTEXT";
    case no_binary_for_gpu:
      return "CUDA_ERROR_NO_BINARY_FOR_GPU";
    case invalid_handle:
      return "CUDA_ERROR_INVALID_HANDLE";
    case not_found:
      return "CUDA_ERROR_NOT_FOUND";
    case illegal_address:
      return "CUDA_ERROR_ILLEGAL_ADDRESS";
    case launch_out_of_resources:
      return "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
    case ecc_uncorrectable:
      return "CUDA_ERROR_ECC_UNCORRECTABLE";
    case launch_timeout:
      return "CUDA_ERROR_LAUNCH_TIMEOUT";
    case launch_failed:
      return "CUDA_ERROR_LAUNCH_FAILED";
    default:
      return nullptr;
  }
}

}  // namespace

void driver::release_contexts() {
  run_all(waiter::nobody);
  state.leaked += open_device_allocations() + open_pinned_allocations() + open_streams() +
                  open_events() + open_modules();
  destroy_all_streams();
  destroy_all_events();
  unload_all_modules();
  free_all_memory();
  function_count = 0;
  for (i32& retained : state.contexts) {
    retained = 0;
  }
  state.sticky = success;
}

DRIVER_EXPORT i32 cuInit(u32 flags) {
  call c(entry::cuInit, call::needs::nothing);
  if (c.failed()) {
    return c.status();
  }
  if (flags != 0) {
    return invalid_value;
  }
  if (state.options.device_count == 0) {
    return no_device;
  }
  state.initialized = true;
  return success;
}

DRIVER_EXPORT i32 cuDriverGetVersion(i32* version) {
  call c(entry::cuDriverGetVersion, call::needs::nothing);
  *version = state.options.driver_version;
  return c.status();
}

DRIVER_EXPORT i32 cuDeviceGetCount(i32* count) {
  call c(entry::cuDeviceGetCount, call::needs::device);
  *count = state.options.device_count;
  return c.status();
}

DRIVER_EXPORT i32 cuDeviceGet(i32* device, i32 ordinal) {
  call c(entry::cuDeviceGet, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  *device = ordinal;
  return is_device_number(ordinal) ? success : invalid_device;
}

DRIVER_EXPORT i32 cuDeviceGetName(char* name, i32 length, i32 device) {
  call c(entry::cuDeviceGetName, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  const char* text = "Fake GPU";
  i32 i = 0;
  for (; text[i] != 0 && i + 1 < length; i++) {
    name[i] = text[i];
  }
  name[i] = 0;
  return is_device_number(device) ? success : invalid_device;
}

DRIVER_EXPORT i32 cuDeviceGetAttribute(i32* value, i32 attribute, i32 device) {
  call c(entry::cuDeviceGetAttribute, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  if (!is_device_number(device)) {
    return invalid_device;
  }
  switch (attribute) {
    case kDeviceMultiprocessors:
      *value = kMultiprocessors;
      return success;
    case kDeviceCapabilityMajor:
      *value = state.options.capability / 10;
      return success;
    case kDeviceCapabilityMinor:
      *value = state.options.capability % 10;
      return success;
    case kDeviceSharedBytesOptIn:
      *value = kSharedBytesPerBlock;
      return success;
    default:
      return invalid_value;
  }
}

// A different one for each device.
DRIVER_EXPORT i32 cuDeviceGetUuid(u8* uuid, i32 device) {
  call c(entry::cuDeviceGetUuid, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  constexpr i32 kUuidBytes = 16;
  for (i32 i = 0; i < kUuidBytes; i++) {
    uuid[i] = static_cast<u8>(0xf0 + i);
  }
  uuid[0] = static_cast<u8>(device);
  return is_device_number(device) ? success : invalid_device;
}

DRIVER_EXPORT i32 cuDeviceTotalMem_v2(usize* bytes, i32 device) {
  call c(entry::cuDeviceTotalMem_v2, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  *bytes = state.options.memory_bytes;
  return is_device_number(device) ? success : invalid_device;
}

DRIVER_EXPORT i32 cuDevicePrimaryCtxRetain(context_handle* context, i32 device) {
  call c(entry::cuDevicePrimaryCtxRetain, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  if (!is_device_number(device)) {
    return invalid_device;
  }
  *context = &context_objects[device];
  state.contexts[device]++;
  return success;
}

DRIVER_EXPORT i32 cuDevicePrimaryCtxRelease_v2(i32 device) {
  call c(entry::cuDevicePrimaryCtxRelease_v2, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  if (!is_device_number(device) || state.contexts[device] == 0) {
    return invalid_context;
  }
  if (retained_contexts() > 1) {
    state.contexts[device]--;
  } else {
    release_contexts();
  }
  return success;
}

DRIVER_EXPORT i32 cuCtxSetCurrent(context_handle context) {
  call c(entry::cuCtxSetCurrent, call::needs::device);
  if (c.failed()) {
    return c.status();
  }
  const i32 device = device_of(context);
  if (context != nullptr && (device == kNoDevice || state.contexts[device] == 0)) {
    return invalid_context;
  }
  set_current_device(device);
  return success;
}

DRIVER_EXPORT i32 cuMemGetInfo_v2(usize* free_bytes, usize* total_bytes) {
  call c(entry::cuMemGetInfo_v2, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  const u64 used = used_device_bytes() + state.used_by_others[current_device()];
  *free_bytes = used < state.options.memory_bytes ? state.options.memory_bytes - used : 0;
  *total_bytes = state.options.memory_bytes;
  return success;
}

DRIVER_EXPORT i32 cuMemAlloc_v2(u64* address, usize bytes) {
  call c(entry::cuMemAlloc_v2, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  if (bytes == 0) {
    return invalid_value;
  }
  *address = allocate_device(bytes);
  return *address == 0 ? out_of_memory : success;
}

// Waits for the device, as cuMemFree does.
DRIVER_EXPORT i32 cuMemFree_v2(u64 address) {
  call c(entry::cuMemFree_v2, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  run_all(waiter::nobody);
  return free_device(address) ? state.sticky : static_cast<i32>(invalid_value);
}

DRIVER_EXPORT i32 cuMemHostAlloc(void** address, usize bytes, u32) {
  call c(entry::cuMemHostAlloc, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  if (state.largest_pinned > 0 && bytes > state.largest_pinned) {
    return out_of_memory;
  }
  *address = allocate_pinned(bytes);
  return success;
}

// Does not wait: nothing promises it. Queued work that touches the memory then fails.
DRIVER_EXPORT i32 cuMemFreeHost(void* address) {
  call c(entry::cuMemFreeHost, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  return free_pinned(address) ? state.sticky : static_cast<i32>(invalid_value);
}

DRIVER_EXPORT i32 cuMemcpyHtoDAsync_v2(u64 to, const void* from, usize bytes, stream* s) {
  call c(entry::cuMemcpyHtoDAsync_v2, call::needs::context);
  return c.failed()
             ? c.status()
             : queue_copy(s, operation_kind::to_device, to, reinterpret_cast<u64>(from), bytes);
}

DRIVER_EXPORT i32 cuMemcpyDtoHAsync_v2(void* to, u64 from, usize bytes, stream* s) {
  call c(entry::cuMemcpyDtoHAsync_v2, call::needs::context);
  return c.failed()
             ? c.status()
             : queue_copy(s, operation_kind::to_host, reinterpret_cast<u64>(to), from, bytes);
}

DRIVER_EXPORT i32 cuMemcpyDtoDAsync_v2(u64 to, u64 from, usize bytes, stream* s) {
  call c(entry::cuMemcpyDtoDAsync_v2, call::needs::context);
  return c.failed() ? c.status() : queue_copy(s, operation_kind::on_device, to, from, bytes);
}

DRIVER_EXPORT i32 cuMemsetD8Async(u64 to, u8 value, usize bytes, stream* s) {
  call c(entry::cuMemsetD8Async, call::needs::context);
  return c.failed() ? c.status() : queue_fill(s, to, value, bytes);
}

DRIVER_EXPORT i32 cuStreamCreate(stream** s, u32) {
  call c(entry::cuStreamCreate, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  *s = create_stream();
  return *s == nullptr ? out_of_memory : success;
}

DRIVER_EXPORT i32 cuStreamDestroy_v2(stream* s) {
  call c(entry::cuStreamDestroy_v2, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  return destroy_stream(s) ? success : invalid_handle;
}

DRIVER_EXPORT i32 cuStreamSynchronize(stream* s) {
  call c(entry::cuStreamSynchronize, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  stream* found = find_stream(s);
  return found == nullptr ? static_cast<i32>(invalid_handle) : run(found, waiter::this_stream);
}

DRIVER_EXPORT i32 cuModuleLoadData(module** m, const void* image) {
  call c(entry::cuModuleLoadData, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  i32 status = success;
  *m = load_module(static_cast<const u8*>(image), &status);
  return status;
}

DRIVER_EXPORT i32 cuModuleUnload(module* m) {
  call c(entry::cuModuleUnload, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  run_all(waiter::nobody);
  return unload_module(m) ? success : invalid_handle;
}

DRIVER_EXPORT i32 cuModuleGetFunction(function** f, module* m, const char* name) {
  call c(entry::cuModuleGetFunction, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  const kernel_record* kernel = find_kernel(m, name);
  if (kernel == nullptr || function_count == kMaxFunctions) {
    return not_found;
  }
  functions[function_count] = {kernel, (48 << 10) - kStaticSharedBytes};
  *f = &functions[function_count++];
  return success;
}

DRIVER_EXPORT i32 cuFuncGetAttribute(i32* value, i32 attribute, function* f) {
  call c(entry::cuFuncGetAttribute, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  if (!is_function(f)) {
    return invalid_handle;
  }
  switch (attribute) {
    case kFunctionMaxThreads:
      *value = static_cast<i32>(f->kernel->block);
      return success;
    case kFunctionSharedBytes:
      *value = kStaticSharedBytes;
      return success;
    default:
      return invalid_value;
  }
}

DRIVER_EXPORT i32 cuFuncSetAttribute(function* f, i32 attribute, i32 value) {
  call c(entry::cuFuncSetAttribute, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  if (!is_function(f)) {
    return invalid_handle;
  }
  if (attribute != kFunctionMaxDynamicShared || value < 0 ||
      value > kSharedBytesPerBlock - kStaticSharedBytes) {
    return invalid_value;
  }
  f->max_dynamic_shared = value;
  return success;
}

DRIVER_EXPORT i32 cuOccupancyMaxActiveBlocksPerMultiprocessor(i32* blocks, function* f, i32 block,
                                                              usize shared) {
  call c(entry::cuOccupancyMaxActiveBlocksPerMultiprocessor, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  if (!is_function(f)) {
    return invalid_handle;
  }
  const bool fits = block > 0 && static_cast<u32>(block) <= f->kernel->block &&
                    shared <= static_cast<usize>(f->max_dynamic_shared);
  *blocks = fits ? kBlocksPerMultiprocessor : 0;
  return success;
}

DRIVER_EXPORT i32 cuLaunchKernel(function* f, u32 grid_x, u32 grid_y, u32 grid_z, u32 block_x,
                                 u32 block_y, u32 block_z, u32 shared, stream* s, void** parameters,
                                 void** extra) {
  call c(entry::cuLaunchKernel, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  if (!is_function(f)) {
    return invalid_handle;
  }
  if (grid_x == 0 || grid_x >= kMaxGrid || grid_y != 1 || grid_z != 1 || block_x == 0 ||
      block_y != 1 || block_z != 1 || shared > static_cast<u32>(f->max_dynamic_shared) ||
      extra != nullptr) {
    return invalid_value;
  }
  if (block_x > f->kernel->block) {
    return launch_out_of_resources;
  }
  return queue_launch(s, {f->kernel, grid_x, block_x, shared}, parameters[0]);
}

DRIVER_EXPORT i32 cuGetErrorName(i32 status, const char** name) {
  *name = name_of(status);
  return *name == nullptr ? invalid_value : success;
}

// For a failed launch, what the emulator said.
DRIVER_EXPORT i32 cuGetErrorString(i32 status, const char** text) {
  const bool is_fault = is_sticky(status) && state.fault[0] != 0;
  *text = is_fault ? state.fault : name_of(status);
  return *text == nullptr ? invalid_value : success;
}
