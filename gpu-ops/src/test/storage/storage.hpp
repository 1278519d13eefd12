// A fake libcufile.so.0 for tests: the calls that the GDS reader makes, over files of any file
// system and the device memory of the fake CUDA driver.
//
// It is stricter than the library. It opens nothing by itself. A read of a batch is made as late as
// it may, when its status is asked for. What is wrong by the documentation, or only leaks until the
// driver closes, counts as a fault, with words that tests print: calls before the driver is open or
// in no CUDA context, handles and buffers used after their end or ended while reads use them, files
// closed before their handles, memory freed before its registration ends, offsets into memory that
// is not registered, and all that is left when the driver closes. Any call can be made to fail.
#pragma once

#include "emulator/system.hpp"
#include "target/types.cuh"

#define STORAGE_EXPORT extern "C" __attribute__((visibility("default")))

extern "C" {
i64 pread(int file, void* to, usize bytes, i64 position);
int fcntl(int file, int command, ...);
int* __errno_location();
i32 cuFakeIsDeviceMemory(u64 address, usize bytes);
i32 cuFakeDmaWrite(u64 to, const void* from, usize bytes);
i32 cuFakeQueueDma(void* stream, u64 to, usize bytes, i32 (*write)(void*), void* argument);
}

namespace storage {

// Errors, numbered as in cufile.h.
enum error : i32 {
  success = 0,
  driver_not_initialized = 5001,
  invalid_mapping_size = 5016,
  invalid_mapping_range = 5017,
  invalid_value = 5022,
  memory_already_registered = 5023,
  memory_not_registered = 5024,
  driver_already_open = 5026,
  handle_not_registered = 5027,
  handle_already_registered = 5028,
  cuda_driver_error = 5011,
  cuda_pointer_invalid = 5012,
  internal_error = 5030,
  invalid_context = 5047,
};

constexpr i32 kBaseOfErrors = 5000;

struct result {  // CUfileError_t
  i32 error;
  i32 cuda_error;
};

enum class entry : u32 {
#define ENTRY(NAME) NAME,
#include "storage/entries.def"
#undef ENTRY
  count
};

constexpr u32 kEntries = static_cast<u32>(entry::count);

struct option_values {
#define OPTION(NAME, VALUE) i64 NAME = VALUE;
#include "storage/options.def"
#undef OPTION
};

struct handle {
  bool live;
  i32 file;
  u32 reads;  // under way
};

struct buffer {
  bool live;
  u64 base;
  u64 bytes;
  u32 reads;  // under way
};

constexpr u32 kMaxHandles = 4096;
constexpr u32 kMaxBuffers = 256;
constexpr u32 kMaxStreams = 64;

struct storage_state {
  option_values options;
  bool open;
  u64 opens;
  handle handles[kMaxHandles];
  buffer buffers[kMaxBuffers];
  void* streams[kMaxStreams];
  u64 open_batches;
  u64 unaligned;      // reads that the library would have to bounce
  u64 unregistered;   // reads into memory that is not registered
  u64 registered_reads;
  u64 faults;
  char fault[256];
  u64 calls[kEntries];
  u64 failing_call[kEntries];  // 0: none
  i32 failing_status[kEntries];
};

extern storage_state state;

// Counts something that the caller does wrong; returns an error for it.
i32 fault(const char* words, i32 status);

// One call: holds the lock, counts, and says whether to go on.
class call {
 public:
  explicit call(entry which, bool needs_driver = true);
  ~call();
  call(const call&) = delete;
  call& operator=(const call&) = delete;

  bool failed() const { return status_ != success; }
  i32 status() const { return status_; }
  // Lets other calls go on while this one does I/O.
  void unlock();
  void lock();

 private:
  i32 status_;
};

// A read into device memory.
struct request {
  handle* from;
  buffer* registered;  // null: none
  u64 to;
  u64 bytes;
  i64 position;
};

// Finds what a read uses, and notes that the read is under way; returns an error, or 0.
i32 begin(request* r, void* file, void* base, u64 bytes, i64 position, i64 offset);
void end(const request& r);

// Ends all open batches without their reads.
void end_batches();

// Bytes, or minus an error number of the system, or minus an error of cuFile. Does not lock.
i64 execute(const request& r);

// Reads into host memory, whatever the alignment that the file needs.
i64 read_file(i32 file, u8* to, u64 bytes, i64 position);

}  // namespace storage
