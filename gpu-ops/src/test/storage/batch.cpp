// Batches of reads. An entry is read when its status is asked for, not before.
#include "storage/storage.hpp"

using namespace storage;

namespace {

constexpr u32 kMaxEntries = 1024;
constexpr u32 kMaxBatches = 64;

enum batch_status : i32 {  // CUfileStatus_t
  canceled = 0x08,
  complete = 0x10,
  failed = 0x40,
};

struct parameters {  // CUfileIOParams_t
  i32 mode;
  void* base;
  i64 position;
  i64 offset;
  usize bytes;
  void* file;
  i32 operation;
  void* cookie;
};
static_assert(sizeof(parameters) == 64 && __builtin_offsetof(parameters, file) == 40);

struct event {  // CUfileIOEvents_t
  void* cookie;
  i32 status;
  i64 result;
};
static_assert(sizeof(event) == 24);

struct pending {
  request r;
  void* cookie;
  bool is_canceled;
};

struct batch {
  bool live;
  u32 capacity;
  u32 first;
  u32 count;
  pending* entries;
};

batch batches[kMaxBatches];

bool is_batch(const batch* b) {
  return b >= batches && b < batches + kMaxBatches && b->live;
}

// Reads the entry, unless it was cancelled or has to fail.
event finish(const pending& p, call* c) {
  if (p.is_canceled) {
    return {p.cookie, canceled, 0};
  }
  if (state.options.failing_entry > 0 && --state.options.failing_entry == 0) {
    const i64 r = state.options.entry_result;
    if (r <= 0) {
      return {p.cookie, failed, r};
    }
    request shorter = p.r;
    shorter.bytes = static_cast<u64>(r);
    c->unlock();
    const i64 got = execute(shorter);
    c->lock();
    return {p.cookie, got < 0 ? failed : complete, got};
  }
  c->unlock();
  const i64 got = execute(p.r);
  c->lock();
  return {p.cookie, got < 0 ? failed : complete, got};
}

void destroy(batch* b) {
  for (; b->first < b->count; b->first++) {
    end(b->entries[b->first].r);
  }
  munmap(b->entries, b->capacity * sizeof(pending));
  b->live = false;
  state.open_batches--;
}

}  // namespace

STORAGE_EXPORT result cuFileBatchIOSetUp(batch** made, u32 entries) {
  call c(entry::cuFileBatchIOSetUp);
  if (c.failed()) {
    return {c.status(), 0};
  }
  if (entries == 0 || entries > state.options.batch_entries || entries > kMaxEntries) {
    return {fault("a batch of so many entries", invalid_value), 0};
  }
  for (batch& b : batches) {
    if (!b.live) {
      b = {true, entries, 0, 0, emulator::map_array<pending>(entries)};
      state.open_batches++;
      *made = &b;
      return {success, 0};
    }
  }
  return {internal_error, 0};
}

STORAGE_EXPORT result cuFileBatchIOSubmit(batch* b, u32 count, const parameters* p, u32 flags) {
  call c(entry::cuFileBatchIOSubmit);
  if (c.failed()) {
    return {c.status(), 0};
  }
  if (!is_batch(b) || flags != 0 || count == 0 || b->first != b->count || count > b->capacity) {
    return {fault("a batch that cannot be submitted", invalid_value), 0};
  }
  b->first = 0;
  b->count = 0;
  for (u32 i = 0; i < count; i++) {
    const bool is_read = p[i].mode == 1 && p[i].operation == 0;
    pending& next = b->entries[b->count];
    const i32 status = !is_read ? fault("an entry that is no read of a batch", invalid_value)
                                : begin(&next.r, p[i].file, p[i].base, p[i].bytes, p[i].position,
                                        p[i].offset);
    if (status != success) {
      for (; b->count > 0; b->count--) {
        end(b->entries[b->count - 1].r);
      }
      return {status, 0};
    }
    next.cookie = p[i].cookie;
    next.is_canceled = false;
    b->count++;
  }
  return {success, 0};
}

STORAGE_EXPORT result cuFileBatchIOGetStatus(batch* b, u32 least, u32* count, event* events,
                                             const i64* timeout) {
  call c(entry::cuFileBatchIOGetStatus);
  const u32 most = *count;
  *count = 0;
  if (c.failed()) {
    return {c.status(), 0};
  }
  if (!is_batch(b) || least > most || timeout == nullptr) {
    return {fault("the status of something that is no batch", invalid_value), 0};
  }
  if (state.options.failing_polls > 0) {
    state.options.failing_polls--;
    return {invalid_value, 0};
  }
  if (state.options.idle_polls > 0) {
    state.options.idle_polls--;
    c.unlock();
    sched_yield();
    c.lock();
    return {success, 0};
  }
  const u64 limit = static_cast<u64>(state.options.events_per_poll);
  while (*count < most && *count < limit && b->first < b->count) {
    const pending& p = b->entries[b->first];
    events[*count] = finish(p, &c);
    end(p.r);
    b->first++;
    (*count)++;
  }
  return {success, 0};
}

STORAGE_EXPORT result cuFileBatchIOCancel(batch* b) {
  call c(entry::cuFileBatchIOCancel);
  if (c.failed()) {
    return {c.status(), 0};
  }
  if (!is_batch(b)) {
    return {fault("something is cancelled that is no batch", invalid_value), 0};
  }
  for (u32 i = b->first; i < b->count; i++) {
    b->entries[i].is_canceled = true;
  }
  state.options.idle_polls = 0;
  return {success, 0};
}

void storage::end_batches() {
  for (batch& b : batches) {
    if (b.live) {
      destroy(&b);
    }
  }
}

STORAGE_EXPORT void cuFileBatchIODestroy(batch* b) {
  call c(entry::cuFileBatchIODestroy);
  if (!is_batch(b)) {
    fault("something is destroyed that is no batch", success);
    return;
  }
  if (b->first != b->count) {
    fault("a batch is destroyed while it reads", success);
  }
  destroy(b);
}
