// Files of Linux for io.ariadne.io.local.NativeFile: positional reads, and what the kernel tells of
// an open file. Written without jni.h, as host_jni.cpp. A negative result is a negated error
// number. Nothing here allocates, throws, or calls back into the JVM.
#define JNI_CLASS io_ariadne_io_local_NativeFile
#include "target/jni_function.cuh"
#include "target/linux.cuh"
#include "target/types.cuh"

namespace {

// include/uapi/linux/stat.h: the same on every processor. Kernels write all 256 bytes.
struct status_time {
  i64 seconds;
  u32 nanoseconds;
  i32 reserved;
};

struct extended_status {
  u32 mask;
  u32 block_size;
  u64 attributes;
  u32 links;
  u32 user;
  u32 group;
  u16 mode;
  u16 spare;
  u64 inode;
  u64 size;
  u64 blocks;
  u64 attributes_mask;
  status_time accessed, created, changed, modified;
  u32 special_major, special_minor;
  u32 device_major, device_minor;
  u64 mount;
  u32 direct_memory_alignment;
  u32 direct_offset_alignment;
  u64 spare_tail[12];
};

static_assert(sizeof(status_time) == 16);
static_assert(__builtin_offsetof(extended_status, mode) == 0x1c);
static_assert(__builtin_offsetof(extended_status, inode) == 0x20);
static_assert(__builtin_offsetof(extended_status, modified) == 0x70);
static_assert(__builtin_offsetof(extended_status, device_major) == 0x88);
static_assert(__builtin_offsetof(extended_status, direct_memory_alignment) == 0x98);
static_assert(sizeof(extended_status) == 256);

// What NativeFile.Status reads: 64-bit numbers in this order.
struct file_status {
  i64 mode;
  i64 length;
  i64 modified_millis;
  i64 inode;
  i64 device;
  i64 direct_memory_alignment;
  i64 direct_offset_alignment;
};

static_assert(sizeof(file_status) == 7 * 8);

struct io_vector {
  i64 address;
  i64 length;
};

static_assert(sizeof(io_vector) == 16);

constexpr i64 kAtWorkingFolder = -100;
constexpr i64 kAtEmptyPath = 0x1000;
constexpr i64 kBasicStatus = 0x7ff;
constexpr i64 kDirectAlignment = 0x2000;
constexpr i64 kReadWithoutWaiting = 8;
constexpr i64 kTryAgain = -11;
constexpr i64 kInterrupted = -4;
constexpr i64 kMillisPerSecond = 1000;
constexpr i64 kNanosPerMilli = 1000000;

i64 read_status(i64 folder, i64 path, i64 flags, i64 result) {
  extended_status status = {};
  i64 code =
      target::system_call(target::kExtendedStatus, folder, path, flags,
                          kBasicStatus | kDirectAlignment, target::address_of(&status), 0);
  if (code < 0) {
    return code;
  }
  auto* out = __builtin_bit_cast(file_status*, result);
  bool has_alignment = (status.mask & kDirectAlignment) != 0;
  out->mode = status.mode;
  out->length = static_cast<i64>(status.size);
  out->modified_millis =
      status.modified.seconds * kMillisPerSecond + status.modified.nanoseconds / kNanosPerMilli;
  out->inode = static_cast<i64>(status.inode);
  out->device = static_cast<i64>(u64{status.device_major} << 32 | status.device_minor);
  out->direct_memory_alignment = has_alignment ? i64{status.direct_memory_alignment} : -1;
  out->direct_offset_alignment = has_alignment ? i64{status.direct_offset_alignment} : -1;
  return 0;
}

}  // namespace

// Opens a file to read, closed when the process executes another program. The path is a
// zero-terminated string.
JNI_FUNCTION(i32, open)(jni_environment, jni_class, i64 path, bool direct) {
  i64 flags = target::kOpenCloseOnExec | (direct ? target::kOpenDirect : 0);
  i64 code;
  do {
    code = target::system_call(target::kOpenAt, kAtWorkingFolder, path, flags, 0, 0, 0);
  } while (code == kInterrupted);
  return static_cast<i32>(code);
}

// Closes a descriptor; it is closed also when the kernel reports an error.
JNI_FUNCTION(i32, close)(jni_environment, jni_class, i32 file) {
  return static_cast<i32>(target::system_call(target::kClose, file, 0, 0, 0, 0, 0));
}

// Writes a file_status of a path.
JNI_FUNCTION(i32, statusOfPath)(jni_environment, jni_class, i64 path, i64 result) {
  return static_cast<i32>(read_status(kAtWorkingFolder, path, 0, result));
}

// Writes a file_status of an open file.
JNI_FUNCTION(i32, status)(jni_environment, jni_class, i32 file, i64 result) {
  char empty = 0;
  return static_cast<i32>(read_status(file, target::address_of(&empty), kAtEmptyPath, result));
}

// Reads once; returns the number of bytes, 0 at the end of the file.
JNI_FUNCTION(i64, read)
(jni_environment, jni_class, i32 file, i64 address, i64 length, i64 position) {
  i64 code;
  do {
    code =
        target::system_call(target::kPositionedRead, file, address, length, position, 0, 0);
  } while (code == kInterrupted);
  return code;
}

// Reads a byte at every step of a range and its last byte, none of which may wait for the device.
// Returns 1 when all were read, 0 when one would have waited.
JNI_FUNCTION(i32, isResident)
(jni_environment, jni_class, i32 file, i64 position, i64 length, i64 step) {
  i64 last = position + length - 1;
  for (i64 at = position;;) {
    char byte;
    io_vector vector = {target::address_of(&byte), 1};
    i64 code =
        target::system_call(target::kPositionedReadWithFlags, file, target::address_of(&vector), 1,
                            at, 0, kReadWithoutWaiting);
    if (code < 0 && code != kInterrupted) {
      return code == kTryAgain ? 0 : static_cast<i32>(code);
    }
    if (code == kInterrupted) {
      continue;
    }
    if (at >= last) {
      return 1;
    }
    at = last - at > step ? at + step : last;
  }
}
