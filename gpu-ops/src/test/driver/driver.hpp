// A fake libcuda.so.1 for tests: the driver calls that the CUDA back end makes, over the emulated
// kernels, so that the back end and JCuda itself run unmodified on a machine without a GPU.
//
// It is stricter than a driver. Work of a stream runs as late as it may, when somebody waits for
// it, or at random earlier; so what is used without waiting is wrong. Device memory is mapped
// without any access except while device work runs, so a host access to it faults; an address is
// never given out twice in the life of a context, and new memory is filled with a pattern. Calls
// need a current context. Any call can be made to fail, or to stand still until the test lets it go
// on. After an error that a context does not survive, calls in it return that error again; after an
// unknown one queued copies to page-locked memory are still made, when the test says so or the
// context ends. Copies to the host's own memory that run after the caller stopped waiting for them
// are found.
#pragma once

#include "emulator/system.hpp"
#include "target/kernel_record.cuh"
#include "target/types.cuh"

#define DRIVER_EXPORT extern "C" __attribute__((visibility("default")))

namespace driver {

// Results, numbered as in cuda.h.
enum status : i32 {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  invalid_handle = 400,
  not_found = 500,
  ecc_uncorrectable = 214,
  nvlink_uncorrectable = 220,
  contained = 226,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  context_is_destroyed = 709,
  device_assert = 710,
  hardware_stack_error = 714,
  launch_failed = 719,
  tensor_memory_leak = 721,
  unknown = 999,
};

enum class entry : u32 {
#define ENTRY(NAME) NAME,
#include "driver/entries.def"
#undef ENTRY
  count
};

constexpr i32 kMaxDevices = 8;

// What the devices are; set by the test. They are all alike, and share one memory.
struct device_options {
  u64 memory_bytes = 4ULL << 30;
  i32 device_count = 1;
  i32 driver_version = 12060;
  i32 capability = 90;  // 10 * major + minor
};

struct copy_count {
  u64 copies;
  u64 bytes;
};

// Copies between host and device are counted by direction and kind of host memory.
inline u32 copy_index(bool is_to_host, bool is_pinned) { return is_to_host * 2 + is_pinned; }

struct driver_state {
  device_options options;
  bool initialized;
  i32 contexts[kMaxDevices];        // how often each device's primary context is retained
  u64 used_by_others[kMaxDevices];  // bytes that other processes have of each device
  u64 largest_pinned;  // requests for more page-locked memory are refused; 0: none are
  i32 sticky;       // what every call returns once device work has failed
  copy_count copies[4];  // by copy_index
  u64 late_copies;  // copies to the host that no call waited for when they ran
  u64 leaked;       // objects alive when the last context was released
  u64 random;       // state of the generator
  char fault[512];  // what the emulator said of the failed launch
  u64 calls[static_cast<u32>(entry::count)];
  u64 failing_call[static_cast<u32>(entry::count)];  // 0: none
  i32 failing_status[static_cast<u32>(entry::count)];
  u64 stalling_call[static_cast<u32>(entry::count)];  // 0: none
  bool is_stalled;  // a call stands still until the test lets it go on
};

extern driver_state state;

inline u32 random_below(u32 bound) {
  state.random = state.random * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<u32>(state.random >> 33) % bound;
}

// One call of an entry point: holds the driver's lock, counts, and says whether to go on.
class call {
 public:
  enum class needs { nothing, device, context };

  call(entry which, needs what);
  ~call();
  call(const call&) = delete;
  call& operator=(const call&) = delete;

  bool failed() const { return status_ != success; }
  i32 status() const { return status_; }

 private:
  i32 status_;
};

constexpr i32 kNoDevice = -1;

// The device of the thread's current context, or kNoDevice.
i32 current_device();
void set_current_device(i32 device);

// How often contexts are retained, all together.
i32 retained_contexts();

// Ends all contexts, however often they are retained, with everything in them.
void release_contexts();

// Whether errors of this kind leave the context unusable.
inline bool is_sticky(i32 status) {
  switch (status) {
    case ecc_uncorrectable:
    case nvlink_uncorrectable:
    case contained:
    case illegal_address:
    case launch_timeout:
    case context_is_destroyed:
    case device_assert:
    case tensor_memory_leak:
    case unknown:
      return true;
    default:
      return status >= hardware_stack_error && status <= launch_failed;
  }
}

// ---- memory

// Device memory: 0 when there is not enough left.
u64 allocate_device(u64 bytes);
bool free_device(u64 address);
// Host memory that kernels see; null when there is none.
void* allocate_pinned(u64 bytes);
bool free_pinned(void* address);
// Whether kernels may touch all of the bytes.
bool is_visible(u64 address, u64 bytes);
bool is_pinned(const void* address);
bool is_device(u64 address);
u64 used_device_bytes();
u64 open_device_allocations();
u64 open_pinned_allocations();
void free_all_memory();

// Lets this process touch device memory while it lives.
class device_access {
 public:
  device_access();
  ~device_access();
  device_access(const device_access&) = delete;
  device_access& operator=(const device_access&) = delete;
};

// ---- streams

struct stream;

stream* create_stream();
bool destroy_stream(stream* s);
// The stream of a handle: null is the default stream. Null when there is no such stream.
stream* find_stream(stream* handle);
u64 open_streams();
// Who runs queued work: a wait for the stream, so that what the caller lent it is still there; or
// something else that happens to need it done.
enum class waiter { this_stream, nobody };
// Runs what is queued; returns the first failure. A copy to pageable memory that nobody waits for
// is counted and left out, as its target may be freed.
i32 run(stream* s, waiter who);
i32 run_all(waiter who);
void destroy_all_streams();

enum class operation_kind : u32 {
  to_device,
  to_host,
  on_device,
  fill,
  launch,
  write,
  record
};

struct launch_shape {
  const kernel_record* kernel;
  u32 grid;
  u32 block;
  u32 shared;
};

i32 queue_copy(stream* s, operation_kind kind, u64 to, u64 from, u64 bytes);
i32 queue_fill(stream* s, u64 to, u8 value, u64 bytes);
// A write to device memory by something else than the driver.
i32 queue_write(stream* s, u64 to, u64 bytes, i32 (*write)(void*), void* argument);
i32 queue_launch(stream* s, const launch_shape& shape, const void* arguments);

// ---- events

struct event;

event* create_event();
bool destroy_event(event* e);
u64 open_events();
void destroy_all_events();
// Queues the end of what the event waits for, which what was recorded before is not any more.
i32 queue_record(stream* s, event* e);
// Runs what was recorded; returns the first failure.
i32 run_until(event* e, waiter who);

// ---- modules

struct module;

// Null when the image is not for this device; `status` says why.
module* load_module(const u8* image, i32* status);
bool unload_module(module* m);
const kernel_record* find_kernel(const module* m, const char* name);
u64 open_modules();
void unload_all_modules();

}  // namespace driver
