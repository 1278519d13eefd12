// io_uring for io.ariadne.io.local.NativeRing: a queue of requests and a queue of results that
// the process shares with the kernel. Written without jni.h, as host_jni.cpp. A negative result is
// a negated error number. Nothing here allocates, throws, or calls back into the JVM. One thread
// uses a ring.
//
// Source: Linux, include/uapi/linux/io_uring.h, and io_uring(7) on the order of the queues' ends.
#define JNI_CLASS io_ariadne_io_local_NativeRing
#include "target/jni_function.cuh"
#include "target/linux.cuh"
#include "target/target.cuh"

namespace {

struct request {
  u8 operation;
  u8 flags;
  u16 priority;
  i32 file;
  u64 position;
  u64 address;
  u32 length;
  u32 operation_flags;
  u64 id;
  u64 unused[3];
};

static_assert(sizeof(request) == 64);
static_assert(__builtin_offsetof(request, position) == 8);
static_assert(__builtin_offsetof(request, address) == 16);
static_assert(__builtin_offsetof(request, length) == 24);
static_assert(__builtin_offsetof(request, id) == 32);

struct result {
  u64 id;
  i32 code;
  u32 flags;
};

static_assert(sizeof(result) == 16);

struct request_offsets {
  u32 head, tail, mask, entries, flags, dropped, array, reserved;
  u64 user_address;
};

struct result_offsets {
  u32 head, tail, mask, entries, overflow, results, flags, reserved;
  u64 user_address;
};

struct parameters {
  u32 request_entries;
  u32 result_entries;
  u32 flags;
  u32 thread_processor;
  u32 thread_idle;
  u32 features;
  u32 worker_file;
  u32 reserved[3];
  request_offsets requests;
  result_offsets results;
};

static_assert(sizeof(parameters) == 120);
static_assert(__builtin_offsetof(parameters, requests) == 40);
static_assert(__builtin_offsetof(parameters, results) == 80);

struct duration {
  i64 seconds;
  i64 nanoseconds;
};

struct wait_arguments {
  u64 signals;
  u32 signals_length;
  u32 reserved;
  u64 timeout;
};

static_assert(sizeof(wait_arguments) == 24);

// What the kernel has mapped into the process; NativeRing provides the memory of this struct.
struct ring {
  i32 file;
  u32 features;
  u32 request_mask;
  u32 request_entries;
  u32 result_mask;
  u32 reserved;
  u32* request_head;
  u32* request_tail;
  u32* request_array;
  u32* result_head;
  u32* result_tail;
  request* requests;
  result* results;
  i64 queues;
  i64 queues_length;
  i64 requests_length;
};

// What NativeRing reads of a result.
struct reaped {
  i64 id;
  i64 code;
};

constexpr i64 kReadWrite = 3;        // PROT_READ | PROT_WRITE
constexpr i64 kSharedPresent = 0x8001;  // MAP_SHARED | MAP_POPULATE
constexpr i64 kQueuesOffset = 0;
constexpr i64 kRequestsOffset = 0x10000000;

constexpr u32 kSetupClamp = 1u << 4;
constexpr u32 kSetupOneThreadRuns = 1u << 8;   // COOP_TASKRUN, Linux 5.19
constexpr u32 kSetupOneSubmitter = 1u << 12;   // SINGLE_ISSUER, Linux 6.0
constexpr u32 kSetupRunWhenAsked = 1u << 13;   // DEFER_TASKRUN, Linux 6.1

// One mapping for both queues, no result lost, waits with a time limit: Linux 5.11.
constexpr u32 kFeatureOneMapping = 1u << 0;
constexpr u32 kFeatureNoDrop = 1u << 1;
constexpr u32 kFeatureExtraArguments = 1u << 8;
constexpr u32 kNeededFeatures = kFeatureOneMapping | kFeatureNoDrop | kFeatureExtraArguments;

constexpr i64 kEnterGetResults = 1;
constexpr i64 kEnterExtraArguments = 8;

constexpr u8 kOperationNone = 0;
constexpr u8 kOperationCancel = 14;
constexpr u8 kOperationRead = 22;
constexpr u8 kFlagOtherThread = 1u << 4;  // IOSQE_ASYNC

constexpr i64 kInvalid = -22;
constexpr i64 kBusy = -16;
constexpr i64 kNotSupported = -95;
constexpr i64 kNanosPerSecond = 1000000000;
constexpr i64 kEventCloseOnExec = 0x80000;

ring* at(i64 address) { return __builtin_bit_cast(ring*, address); }

bool is_error(i64 code) { return code < 0 && code >= -4095; }

template <typename T>
T* within(i64 base, u32 offset) {
  return __builtin_bit_cast(T*, base + offset);
}

i64 map(i64 length, i32 file, i64 offset) {
  return target::system_call(target::kMap, 0, length, kReadWrite, kSharedPresent, file, offset);
}

i64 close_file(i32 file) { return target::system_call(target::kClose, file, 0, 0, 0, 0, 0); }

// Asks for the cheapest ways to notice results that the kernel knows.
i64 setup(u32 entries, parameters* out) {
  constexpr u32 choices[] = {kSetupOneSubmitter | kSetupRunWhenAsked, kSetupOneThreadRuns, 0};
  i64 file = kInvalid;
  for (u32 choice : choices) {
    *out = {};
    out->flags = kSetupClamp | choice;
    file = target::system_call(target::kIoUringSetup, entries, target::address_of(out), 0, 0, 0, 0);
    if (file != kInvalid) {
      break;
    }
  }
  return file;
}

i64 max(i64 a, i64 b) { return a > b ? a : b; }

i64 map_queues(ring* r, const parameters& p) {
  r->queues_length = max(p.requests.array + i64{p.request_entries} * 4,
                         p.results.results + i64{p.result_entries} * i64{sizeof(result)});
  i64 base = map(r->queues_length, r->file, kQueuesOffset);
  if (is_error(base)) {
    return base;
  }
  r->requests_length = i64{p.request_entries} * i64{sizeof(request)};
  i64 requests = map(r->requests_length, r->file, kRequestsOffset);
  if (is_error(requests)) {
    target::system_call(target::kUnmap, base, r->queues_length, 0, 0, 0, 0);
    return requests;
  }
  r->queues = base;
  r->requests = __builtin_bit_cast(request*, requests);
  r->request_head = within<u32>(base, p.requests.head);
  r->request_tail = within<u32>(base, p.requests.tail);
  r->request_array = within<u32>(base, p.requests.array);
  r->request_mask = *within<u32>(base, p.requests.mask);
  r->request_entries = p.request_entries;
  r->result_head = within<u32>(base, p.results.head);
  r->result_tail = within<u32>(base, p.results.tail);
  r->result_mask = *within<u32>(base, p.results.mask);
  r->results = within<result>(base, p.results.results);
  return 0;
}

u32 unsubmitted(const ring* r) {
  return *r->request_tail - target::atomic_load<target::order::acquire>(r->request_head);
}

// Appends a request; the kernel sees it when the ring is entered.
i32 push(ring* r, const request& filled) {
  if (unsubmitted(r) >= r->request_entries) {
    return static_cast<i32>(kBusy);
  }
  u32 tail = *r->request_tail;
  u32 index = tail & r->request_mask;
  r->requests[index] = filled;
  r->request_array[index] = index;
  target::atomic_store<target::order::release>(r->request_tail, tail + 1);
  return 0;
}

}  // namespace

// Bytes of a ring struct.
JNI_FUNCTION(i32, sizeInBytes)(jni_environment, jni_class) { return sizeof(ring); }

// Creates a ring for the calling thread. -EOPNOTSUPP when the kernel's io_uring lacks a feature.
JNI_FUNCTION(i32, open)(jni_environment, jni_class, i64 address, i32 entries) {
  ring* r = at(address);
  *r = {};
  parameters p;
  i64 file = setup(static_cast<u32>(entries), &p);
  if (file < 0) {
    return static_cast<i32>(file);
  }
  r->file = static_cast<i32>(file);
  r->features = p.features;
  i64 code = (p.features & kNeededFeatures) == kNeededFeatures ? map_queues(r, p) : kNotSupported;
  if (code < 0) {
    close_file(r->file);
  }
  return static_cast<i32>(code);
}

// Closes a ring without requests in the kernel.
JNI_FUNCTION(void, close)(jni_environment, jni_class, i64 address) {
  ring* r = at(address);
  target::system_call(target::kUnmap, target::address_of(r->requests), r->requests_length, 0, 0, 0,
                      0);
  target::system_call(target::kUnmap, r->queues, r->queues_length, 0, 0, 0, 0);
  close_file(r->file);
}

// Appends a read. -EBUSY when the queue is full.
JNI_FUNCTION(i32, pushRead)
(jni_environment, jni_class, i64 address, i64 id, i32 file, i64 target, i32 length, i64 position,
 bool in_other_thread) {
  request filled = {};
  filled.operation = kOperationRead;
  filled.flags = in_other_thread ? kFlagOtherThread : 0;
  filled.file = file;
  filled.position = static_cast<u64>(position);
  filled.address = static_cast<u64>(target);
  filled.length = static_cast<u32>(length);
  filled.id = static_cast<u64>(id);
  return push(at(address), filled);
}

// Appends a request to cancel another one. -EBUSY when the queue is full.
JNI_FUNCTION(i32, pushCancel)
(jni_environment, jni_class, i64 address, i64 id, i64 cancelled) {
  request filled = {};
  filled.operation = kOperationCancel;
  filled.file = -1;
  filled.address = static_cast<u64>(cancelled);
  filled.id = static_cast<u64>(id);
  return push(at(address), filled);
}

// Appends a request that does nothing. -EBUSY when the queue is full.
JNI_FUNCTION(i32, pushNothing)(jni_environment, jni_class, i64 address, i64 id) {
  request filled = {};
  filled.operation = kOperationNone;
  filled.file = -1;
  filled.id = static_cast<u64>(id);
  return push(at(address), filled);
}

// Passes the appended requests to the kernel, then waits for so many results or the end of the
// time. Returns the number of requests passed.
JNI_FUNCTION(i32, enter)(jni_environment, jni_class, i64 address, i32 results, i64 nanos) {
  ring* r = at(address);
  duration timeout = {nanos / kNanosPerSecond, nanos % kNanosPerSecond};
  wait_arguments arguments = {};
  arguments.timeout = static_cast<u64>(target::address_of(&timeout));
  return static_cast<i32>(target::system_call(
      target::kIoUringEnter, r->file, unsubmitted(r), results,
      kEnterGetResults | kEnterExtraArguments, target::address_of(&arguments), sizeof arguments));
}

// Takes back the appended requests that the kernel has not seen, and returns their number.
JNI_FUNCTION(i32, retract)(jni_environment, jni_class, i64 address) {
  ring* r = at(address);
  u32 count = unsubmitted(r);
  target::atomic_store<target::order::release>(r->request_tail, *r->request_tail - count);
  return static_cast<i32>(count);
}

// Moves results to an array of (id, code), 64 bits each; returns how many.
JNI_FUNCTION(i32, reap)(jni_environment, jni_class, i64 address, i64 target_array, i32 most) {
  ring* r = at(address);
  auto* out = __builtin_bit_cast(reaped*, target_array);
  u32 head = *r->result_head;
  u32 tail = target::atomic_load<target::order::acquire>(r->result_tail);
  i32 count = 0;
  for (; head != tail && count < most; head++, count++) {
    const result& from = r->results[head & r->result_mask];
    out[count] = {static_cast<i64>(from.id), i64{from.code}};
  }
  target::atomic_store<target::order::release>(r->result_head, head);
  return count;
}

// Creates a descriptor that is readable after notify; closed by NativeFile.close.
JNI_FUNCTION(i32, openEvent)(jni_environment, jni_class) {
  return static_cast<i32>(
      target::system_call(target::kEventFile, 0, kEventCloseOnExec, 0, 0, 0, 0));
}

// Makes a descriptor of openEvent readable.
JNI_FUNCTION(i32, notify)(jni_environment, jni_class, i32 event) {
  u64 one = 1;
  i64 code = target::system_call(target::kWrite, event, target::address_of(&one), sizeof one, 0, 0,
                                 0);
  return static_cast<i32>(code);
}
