// What all entry points share: the lock, counting, injected failures, reads.
#include "storage/storage.hpp"

namespace storage {

constinit storage_state state = {};

namespace {

constexpr u64 kPage = 4096;
constexpr u64 kChunk = 1 << 20;
constexpr int kGetFlags = 1;  // F_GETFD

bool lock_held;

void acquire() {
  while (__atomic_exchange_n(&lock_held, true, __ATOMIC_ACQUIRE)) {
    sched_yield();
  }
}

void release() { __atomic_store_n(&lock_held, false, __ATOMIC_RELEASE); }

i32 of_driver(i32 status) {
  if (status == 0) {
    return success;
  }
  // CUDA_ERROR_INVALID_CONTEXT
  return status == 201 ? fault("a call without a CUDA context", invalid_context)
                       : static_cast<i32>(cuda_pointer_invalid);
}

u64 least(u64 a, u64 b) { return a < b ? a : b; }

}  // namespace

i32 fault(const char* words, i32 status) {
  state.faults++;
  u32 i = 0;
  for (; words[i] != 0 && i + 1 < sizeof(state.fault); i++) {
    state.fault[i] = words[i];
  }
  state.fault[i] = 0;
  return status;
}

call::call(entry which, bool needs_driver) {
  acquire();
  const u32 i = static_cast<u32>(which);
  status_ = ++state.calls[i] == state.failing_call[i] ? state.failing_status[i] : 0;
  if (status_ == success && needs_driver && !state.open) {
    status_ = fault("a call while the driver is not open", driver_not_initialized);
  }
}

call::~call() { release(); }
void call::unlock() { release(); }
void call::lock() { acquire(); }

i32 begin(request* r, void* file, void* base, u64 bytes, i64 position, i64 offset) {
  *r = {static_cast<handle*>(file), nullptr, reinterpret_cast<u64>(base) + static_cast<u64>(offset),
        bytes, position};
  if (r->from < state.handles || r->from >= state.handles + kMaxHandles || !r->from->live) {
    return fault("a read of a file that is not registered", handle_not_registered);
  }
  if (fcntl(r->from->file, kGetFlags) < 0) {
    return fault("a read of a file that is closed", handle_not_registered);
  }
  if (bytes == 0 || position < 0 || offset < 0) {
    return fault("a read of nothing, or before the begin", invalid_value);
  }
  const u64 address = reinterpret_cast<u64>(base);
  for (buffer& b : state.buffers) {
    if (b.live && b.base == address) {
      r->registered = &b;
    } else if (b.live && address - b.base < b.bytes) {
      return fault("an address within registered memory instead of its base", invalid_value);
    }
  }
  if (r->registered == nullptr && offset != 0) {
    return fault("an offset into memory that is not registered", invalid_value);
  }
  if (r->registered != nullptr && static_cast<u64>(offset) + bytes > r->registered->bytes) {
    return fault("a read beyond registered memory", invalid_mapping_range);
  }
  const i32 status = of_driver(cuFakeIsDeviceMemory(r->to, bytes));
  if (status != success) {
    return status;
  }
  const bool is_aligned = (r->to | bytes | static_cast<u64>(position)) % kPage == 0;
  if (!is_aligned && state.options.refuse_unaligned != 0) {
    return invalid_value;
  }
  state.unaligned += !is_aligned;
  (r->registered == nullptr ? state.unregistered : state.registered_reads)++;
  r->from->reads++;
  if (r->registered != nullptr) {
    r->registered->reads++;
  }
  return success;
}

void end(const request& r) {
  r.from->reads--;
  if (r.registered != nullptr) {
    r.registered->reads--;
  }
}

i64 read_file(i32 file, u8* to, u64 bytes, i64 position) {
  u8* pages = static_cast<u8*>(emulator::map_pages(kChunk + 2 * kPage));
  u64 done = 0;
  i64 failure = 0;
  while (done < bytes) {
    const u64 first = static_cast<u64>(position) + done;
    const u64 skipped = first % kPage;
    const u64 wanted = least(bytes - done, kChunk);
    const u64 rounded = (skipped + wanted + kPage - 1) / kPage * kPage;
    const i64 got = pread(file, pages, rounded, static_cast<i64>(first - skipped));
    if (got < 0) {
      failure = -static_cast<i64>(*__errno_location());
      break;
    }
    if (static_cast<u64>(got) <= skipped) {
      break;
    }
    const u64 useful = least(static_cast<u64>(got) - skipped, wanted);
    memcpy(to + done, pages + skipped, useful);
    done += useful;
    if (useful < wanted) {
      break;
    }
  }
  munmap(pages, kChunk + 2 * kPage);
  return done > 0 ? static_cast<i64>(done) : failure;
}

i64 execute(const request& r) {
  const u64 bytes = least(r.bytes, static_cast<u64>(state.options.read_limit));
  u8* host = static_cast<u8*>(emulator::map_pages(bytes));
  i64 got = read_file(r.from->file, host, bytes, r.position);
  if (got > 0) {
    const i32 status = cuFakeDmaWrite(r.to, host, static_cast<usize>(got));
    got = status == 0 ? got : -static_cast<i64>(cuda_driver_error);
  }
  munmap(host, bytes);
  return got;
}

}  // namespace storage
