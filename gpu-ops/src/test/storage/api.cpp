// The driver, files, buffers, and single reads, with the signatures of cufile.h.
#include "storage/storage.hpp"

using namespace storage;

namespace {

constexpr int kGetFlags = 1;          // F_GETFD
constexpr i32 kAllowCompatibility = 1;
constexpr i32 kPeerToPeer = 4;
constexpr i32 kOpaqueDescriptor = 1;  // CU_FILE_HANDLE_TYPE_OPAQUE_FD

struct descriptor {  // CUfileDescr_t
  i32 type;
  union {
    i32 file;
    void* handle;
  };
  const void* operations;
};

struct properties {  // CUfileDrvProps_t
  u32 major;
  u32 minor;
  usize poll_threshold;
  usize max_direct_io_kib;
  u32 status_flags;
  u32 control_flags;
  u32 features;
  u32 device_cache_kib;
  u32 buffer_cache_kib;
  u32 pinned_kib;
  u32 batch_entries;
  u32 batch_timeout_millis;
};
static_assert(sizeof(properties) == 56);

result of(i32 status) { return {status, 0}; }

bool is_handle(const handle* h) {
  return h >= state.handles && h < state.handles + kMaxHandles && h->live;
}

u64 registered_bytes() {
  u64 bytes = 0;
  for (const buffer& b : state.buffers) {
    bytes += b.live ? b.bytes : 0;
  }
  return bytes;
}

struct queued_read {
  request r;
  i64* read;
};

// Runs within the stream: device memory can be written, the driver must not be called.
i32 execute_queued(void* argument) {
  auto* q = static_cast<queued_read*>(argument);
  *q->read = read_file(q->r.from->file, reinterpret_cast<u8*>(q->r.to), q->r.bytes, q->r.position);
  end(q->r);
  munmap(q, sizeof(queued_read));
  return 0;
}

}  // namespace

STORAGE_EXPORT result cuFileGetVersion(i32* version) {
  call c(entry::cuFileGetVersion, false);
  *version = static_cast<i32>(state.options.version);
  return of(c.status());
}

STORAGE_EXPORT result cuFileSetParameterBool(i32 parameter, bool value) {
  call c(entry::cuFileSetParameterBool, false);
  if (c.failed()) {
    return of(c.status());
  }
  if (state.open) {
    return of(fault("a parameter is set while the driver is open", driver_already_open));
  }
  if (parameter != kAllowCompatibility || state.options.refuses_boolean != 0) {
    return of(invalid_value);
  }
  state.options.control_flags = value ? state.options.control_flags | 1 << kAllowCompatibility
                                      : state.options.control_flags & ~(1 << kAllowCompatibility);
  return of(success);
}

STORAGE_EXPORT result cuFileDriverOpen() {
  call c(entry::cuFileDriverOpen, false);
  if (c.failed()) {
    return of(c.status());
  }
  if (state.open) {
    return of(fault("the driver is opened twice", driver_already_open));
  }
  // Without the kernel module and without peer-to-peer transfers there is only compatibility mode.
  const bool is_direct = state.options.nvfs_major != 0 || state.options.nvfs_minor != 0 ||
                         (state.options.features >> kPeerToPeer & 1) != 0;
  if (!is_direct && (state.options.control_flags >> kAllowCompatibility & 1) == 0) {
    return of(driver_not_initialized);
  }
  state.open = true;
  state.opens++;
  return of(success);
}

STORAGE_EXPORT result cuFileDriverClose_v2() {
  call c(entry::cuFileDriverClose_v2);
  if (c.failed()) {
    return of(c.status());
  }
  state.open = false;
  for (handle& h : state.handles) {
    if (h.live) {
      h.live = false;
      fault("the driver is closed while a file is registered", success);
    }
  }
  for (buffer& b : state.buffers) {
    if (b.live) {
      b.live = false;
      fault("the driver is closed while a buffer is registered", success);
    }
  }
  for (void*& s : state.streams) {
    if (s != nullptr) {
      s = nullptr;
      fault("the driver is closed while a stream is registered", success);
    }
  }
  if (state.open_batches > 0) {
    fault("the driver is closed while a batch is open", success);
  }
  return of(success);
}

STORAGE_EXPORT result cuFileDriverGetProperties(properties* p) {
  call c(entry::cuFileDriverGetProperties);
  if (c.failed()) {
    return of(c.status());
  }
  *p = {};
  p->major = static_cast<u32>(state.options.nvfs_major);
  p->minor = static_cast<u32>(state.options.nvfs_minor);
  p->max_direct_io_kib = 16384;
  p->status_flags = static_cast<u32>(state.options.file_systems);
  p->control_flags = static_cast<u32>(state.options.control_flags);
  p->features = static_cast<u32>(state.options.features);
  p->device_cache_kib = 131072;
  p->buffer_cache_kib = static_cast<u32>(state.options.buffer_cache_kib);
  p->batch_entries = static_cast<u32>(state.options.batch_entries);
  return of(success);
}

STORAGE_EXPORT result cuFileHandleRegister(handle** made, const descriptor* d) {
  call c(entry::cuFileHandleRegister);
  if (c.failed()) {
    return of(c.status());
  }
  if (d->type != kOpaqueDescriptor || d->operations != nullptr || fcntl(d->file, kGetFlags) < 0) {
    return of(fault("a file is registered that is not open", invalid_value));
  }
  handle* free = nullptr;
  for (handle& h : state.handles) {
    if (h.live && h.file == d->file) {
      return of(fault("a file is registered twice", handle_already_registered));
    }
    free = h.live || free != nullptr ? free : &h;
  }
  if (free == nullptr) {
    return of(internal_error);
  }
  *free = {true, d->file, 0};
  *made = free;
  return of(success);
}

STORAGE_EXPORT void cuFileHandleDeregister(handle* h) {
  call c(entry::cuFileHandleDeregister);
  if (!is_handle(h)) {
    fault("a file is deregistered that is not registered", success);
    return;
  }
  if (h->reads > 0) {
    fault("a file is deregistered while it is read", success);
  }
  if (fcntl(h->file, kGetFlags) < 0) {
    fault("a file is closed before it is deregistered", success);
  }
  h->live = false;
}

STORAGE_EXPORT result cuFileBufRegister(const void* base, usize bytes, i32 flags) {
  call c(entry::cuFileBufRegister);
  if (c.failed()) {
    return of(c.status());
  }
  const u64 address = reinterpret_cast<u64>(base);
  const i32 status = cuFakeIsDeviceMemory(address, bytes);
  if (status != 0) {
    return {status == 201 ? fault("a buffer is registered without a CUDA context", invalid_context)
                          : static_cast<i32>(cuda_pointer_invalid),
            status};
  }
  if (flags != 0) {
    return of(fault("flags of a registration", invalid_value));
  }
  buffer* free = nullptr;
  for (buffer& b : state.buffers) {
    if (b.live && address < b.base + b.bytes && b.base < address + bytes) {
      return of(memory_already_registered);
    }
    free = b.live || free != nullptr ? free : &b;
  }
  const u64 limit = static_cast<u64>(state.options.registered_limit);
  if (free == nullptr || registered_bytes() + bytes > limit) {
    return of(invalid_mapping_size);
  }
  *free = {true, address, bytes, 0};
  return of(success);
}

STORAGE_EXPORT result cuFileBufDeregister(const void* base) {
  call c(entry::cuFileBufDeregister);
  if (c.failed()) {
    return of(c.status());
  }
  for (buffer& b : state.buffers) {
    if (b.live && b.base == reinterpret_cast<u64>(base)) {
      if (b.reads > 0) {
        fault("a buffer is deregistered while it is read into", success);
      }
      if (cuFakeIsDeviceMemory(b.base, b.bytes) != 0) {
        fault("a buffer is freed before it is deregistered", success);
      }
      b.live = false;
      return of(success);
    }
  }
  return of(fault("a buffer is deregistered that is not registered", memory_not_registered));
}

STORAGE_EXPORT i64 cuFileRead(void* file, void* base, usize bytes, i64 position, i64 offset) {
  call c(entry::cuFileRead);
  request r;
  i64 got;
  if (c.failed()) {
    got = -static_cast<i64>(c.status());
  } else {
    got = -static_cast<i64>(begin(&r, file, base, bytes, position, offset));
    if (got == 0) {
      c.unlock();
      got = execute(r);
      c.lock();
      end(r);
    }
  }
  if (got < 0 && got > -kBaseOfErrors) {
    *__errno_location() = static_cast<int>(-got);
    return -1;
  }
  return got;
}

STORAGE_EXPORT result cuFileStreamRegister(void* stream, u32 flags) {
  call c(entry::cuFileStreamRegister);
  if (c.failed()) {
    return of(c.status());
  }
  if (flags > 15) {
    return of(fault("flags of a stream", invalid_value));
  }
  if (stream == nullptr) {
    return of(success);  // the default stream
  }
  for (void*& s : state.streams) {
    if (s == nullptr) {
      s = stream;
      return of(success);
    }
  }
  return of(internal_error);
}

STORAGE_EXPORT result cuFileStreamDeregister(void* stream) {
  call c(entry::cuFileStreamDeregister);
  if (stream == nullptr) {
    return of(success);
  }
  for (void*& s : state.streams) {
    if (s == stream) {
      s = nullptr;
      return of(success);
    }
  }
  return of(fault("a stream is deregistered that is not registered", invalid_value));
}

STORAGE_EXPORT result cuFileReadAsync(void* file, void* base, usize* bytes, i64* position,
                                      i64* offset, i64* read, void* stream) {
  call c(entry::cuFileReadAsync);
  if (c.failed()) {
    return of(c.status());
  }
  auto* q = static_cast<queued_read*>(emulator::map_pages(sizeof(queued_read)));
  q->read = read;
  const i32 status = begin(&q->r, file, base, *bytes, *position, *offset);
  if (status != success) {
    munmap(q, sizeof(queued_read));
    return of(status);
  }
  const i32 queued = cuFakeQueueDma(stream, q->r.to, q->r.bytes, execute_queued, q);
  return {queued == 0 ? static_cast<i32>(success) : static_cast<i32>(cuda_driver_error), queued};
}

