// Streams: queues of work that runs when somebody waits for it, or at random before.
#include "driver/driver.hpp"
#include "emulator/emulator.hpp"

extern "C" u64 pthread_self();

namespace driver {

// What was recorded last, and what of it is done: numbers of recordings.
struct event {
  bool live;
  stream* recorded_in;
  u64 recorded;
  u64 done;
};

struct operation {
  operation* next;
  u64 mapped_bytes;
  u64 thread;  // that queued it
  operation_kind kind;
  bool is_to_pinned;  // of a copy to the host: into memory of the driver
  u8 value;
  u64 to;
  u64 from;
  u64 bytes;
  launch_shape shape;
  i32 (*write)(void*);
  void* argument;
  event* of;  // of a recording
  u64 recording;
  alignas(64)
      u8 payload[];  // arguments of a launch, or the contents of pageable memory when it was copied
};

struct stream {
  bool live;
  operation* first;
  operation* last;
};

namespace {

constexpr u32 kMaxStreams = 256;
constexpr u32 kMaxEvents = 4096;
constexpr u32 kYieldsPerMillion = 20000;
constexpr u32 kRunAtOnce = 4;  // one of so many

event events[kMaxEvents];
stream streams[kMaxStreams];  // the first is the default stream, which is always there

operation* new_operation(operation_kind kind, u64 payload_bytes) {
  const u64 bytes = sizeof(operation) + payload_bytes;
  auto* o = static_cast<operation*>(emulator::map_pages(bytes));
  o->mapped_bytes = bytes;
  o->thread = pthread_self();
  o->kind = kind;
  return o;
}

void drop(operation* o) { munmap(o, o->mapped_bytes); }

i32 queue(stream* s, operation* o) {
  if (s->last == nullptr) {
    s->first = o;
  } else {
    s->last->next = o;
  }
  s->last = o;
  return random_below(kRunAtOnce) == 0 ? run(s, waiter::this_stream) : static_cast<i32>(success);
}

void* pointer(u64 address) { return reinterpret_cast<void*>(address); }

void remember_fault(const char* words) {
  u32 i = 0;
  for (; words[i] != 0 && i + 1 < sizeof(state.fault); i++) {
    state.fault[i] = words[i];
  }
  state.fault[i] = 0;
}

bool begins_with(const char* text, const char* prefix) {
  while (*prefix != 0 && *text == *prefix) {
    text++;
    prefix++;
  }
  return *prefix == 0;
}

i32 execute_launch(const operation& o) {
  emulator_launch_options options = {};
  options.seed = static_cast<u64>(random_below(1U << 31));
  options.grid = o.shape.grid;
  options.block = o.shape.block;
  options.dynamic_shared = o.shape.shared;
  options.yield_ppm = kYieldsPerMillion;
  options.flags = emulator_no_meter;
  if (ariadne_emulator_launch(o.shape.kernel->entry, o.payload, &options) == 0) {
    return success;
  }
  const char* words = ariadne_emulator_report()->error;
  remember_fault(words);
  return begins_with(words, "out of bounds") ? illegal_address : launch_failed;
}

// Whether the host memory that a copy goes to may be somebody else's by now: the driver does not
// own it, and the thread that asked for the copy does something else instead of waiting for it.
// What another thread does says nothing: this one may be about to wait.
bool is_late(const operation& o, waiter who) {
  return o.kind == operation_kind::to_host && who != waiter::this_stream && !o.is_to_pinned &&
         o.thread == pthread_self();
}

// Whether the memory that the driver knew when a copy was queued is still there.
bool is_intact(const operation& o) {
  const bool reads_known = o.kind != operation_kind::to_device || o.from != 0;
  const bool writes_known = o.kind != operation_kind::to_host || o.is_to_pinned;
  if (o.kind == operation_kind::write) {
    return is_visible(o.to, o.bytes);
  }
  if (o.kind == operation_kind::record) {
    return true;
  }
  return o.kind == operation_kind::launch ||
         ((o.kind == operation_kind::fill || !reads_known || is_visible(o.from, o.bytes)) &&
          (!writes_known || is_visible(o.to, o.bytes)));
}

// Whether a copy is made although the context is lost: after an unknown error the device may still
// write to memory that is page-locked, and no call waits for that any more.
bool outlives_context(const operation& o) {
  return state.sticky == unknown && o.kind == operation_kind::to_host && o.is_to_pinned &&
         is_intact(o);
}

i32 execute(const operation& o) {
  if (!is_intact(o)) {
    remember_fault("out of bounds: a queued copy touches memory that was freed");
    return illegal_address;
  }
  switch (o.kind) {
    case operation_kind::to_device:
      memcpy(pointer(o.to), o.from == 0 ? o.payload : pointer(o.from), o.bytes);
      return success;
    case operation_kind::to_host:
    case operation_kind::on_device:
      memmove(pointer(o.to), pointer(o.from), o.bytes);
      return success;
    case operation_kind::fill:
      memset(pointer(o.to), o.value, o.bytes);
      return success;
    case operation_kind::launch:
      return execute_launch(o);
    case operation_kind::write:
      return o.write(o.argument);
    case operation_kind::record:
      o.of->done = o.of->done < o.recording ? o.recording : o.of->done;
      return success;
  }
  abort();
}

void run_first(stream* s, waiter who) {
  operation* o = s->first;
  s->first = o->next;
  if (s->first == nullptr) {
    s->last = nullptr;
  }
  if (state.sticky == success && is_late(*o, who)) {
    state.late_copies++;
  } else if (state.sticky == success) {
    state.sticky = execute(*o);
  } else if (outlives_context(*o)) {
    state.late_copies++;
    execute(*o);
  }
  drop(o);
}

// Runs the stream of an event until a recording is done.
i32 run_to(event* e, u64 recording, waiter who) {
  device_access access;
  while (e->done < recording && e->recorded_in != nullptr && e->recorded_in->first != nullptr) {
    run_first(e->recorded_in, who);
  }
  return state.sticky;
}

}  // namespace

stream* create_stream() {
  for (stream& s : streams) {
    if (&s != streams && !s.live) {
      s = {true, nullptr, nullptr};
      return &s;
    }
  }
  return nullptr;
}

stream* find_stream(stream* handle) {
  if (handle == nullptr) {
    return streams;
  }
  const bool is_live = handle > streams && handle < streams + kMaxStreams && handle->live;
  return is_live ? handle : nullptr;
}

bool destroy_stream(stream* s) {
  if (s == nullptr || s != find_stream(s)) {
    return false;
  }
  run(s, waiter::nobody);
  s->live = false;
  return true;
}

u64 open_streams() {
  u64 count = 0;
  for (const stream& s : streams) {
    count += s.live;
  }
  return count;
}

i32 run(stream* s, waiter who) {
  if (s->first == nullptr) {
    return state.sticky;
  }
  device_access access;
  while (s->first != nullptr) {
    run_first(s, who);
  }
  return state.sticky;
}

i32 run_all(waiter who) {
  for (stream& s : streams) {
    run(&s, who);
  }
  return state.sticky;
}

void destroy_all_streams() {
  for (stream& s : streams) {
    if (s.live) {
      destroy_stream(&s);
    }
  }
}

i32 queue_copy(stream* handle, operation_kind kind, u64 to, u64 from, u64 bytes) {
  stream* s = find_stream(handle);
  const bool reads_device = kind != operation_kind::to_device;
  const bool writes_device = kind != operation_kind::to_host;
  if (s == nullptr || (reads_device ? !is_visible(from, bytes) : is_device(from)) ||
      (writes_device ? !is_visible(to, bytes) : is_device(to))) {
    return invalid_value;
  }
  if (kind != operation_kind::on_device) {
    const bool is_to_host = kind == operation_kind::to_host;
    copy_count& count =
        state.copies[copy_index(is_to_host, is_pinned(pointer(is_to_host ? to : from)))];
    count.copies++;
    count.bytes += bytes;
  }
  const bool is_staged = kind == operation_kind::to_device && !is_pinned(pointer(from));
  operation* o = new_operation(kind, is_staged ? bytes : 0);
  o->to = to;
  o->bytes = bytes;
  o->is_to_pinned = kind == operation_kind::to_host && is_pinned(pointer(to));
  if (is_staged) {
    memcpy(o->payload, pointer(from), bytes);
  } else {
    o->from = from;
  }
  return queue(s, o);
}

i32 queue_fill(stream* handle, u64 to, u8 value, u64 bytes) {
  stream* s = find_stream(handle);
  if (s == nullptr || !is_visible(to, bytes)) {
    return invalid_value;
  }
  operation* o = new_operation(operation_kind::fill, 0);
  o->to = to;
  o->value = value;
  o->bytes = bytes;
  return queue(s, o);
}

i32 queue_write(stream* handle, u64 to, u64 bytes, i32 (*write)(void*), void* argument) {
  stream* s = find_stream(handle);
  if (s == nullptr) {
    return invalid_handle;
  }
  operation* o = new_operation(operation_kind::write, 0);
  o->to = to;
  o->bytes = bytes;
  o->write = write;
  o->argument = argument;
  return queue(s, o);
}

namespace {

bool is_event(const event* e) { return e >= events && e < events + kMaxEvents && e->live; }

}  // namespace

event* create_event() {
  for (event& e : events) {
    if (!e.live) {
      e = {true, nullptr, 0, 0};
      return &e;
    }
  }
  return nullptr;
}

bool destroy_event(event* e) {
  if (!is_event(e)) {
    return false;
  }
  run_to(e, e->recorded, waiter::nobody);
  e->live = false;
  return true;
}

u64 open_events() {
  u64 count = 0;
  for (const event& e : events) {
    count += e.live;
  }
  return count;
}

void destroy_all_events() {
  for (event& e : events) {
    e.live = false;
  }
}

i32 queue_record(stream* handle, event* e) {
  if (find_stream(handle) == nullptr || !is_event(e)) {
    return invalid_handle;
  }
  // What was recorded before counts as done only when this is.
  e->recorded_in = find_stream(handle);
  e->recorded++;
  operation* o = new_operation(operation_kind::record, 0);
  o->of = e;
  o->recording = e->recorded;
  return queue(e->recorded_in, o);
}

i32 run_until(event* e, waiter who) {
  return is_event(e) ? run_to(e, e->recorded, who) : static_cast<i32>(invalid_handle);
}

i32 queue_launch(stream* handle, const launch_shape& shape, const void* arguments) {
  stream* s = find_stream(handle);
  if (s == nullptr) {
    return invalid_handle;
  }
  operation* o = new_operation(operation_kind::launch, shape.kernel->args_size);
  o->shape = shape;
  memcpy(o->payload, arguments, shape.kernel->args_size);
  return queue(s, o);
}

}  // namespace driver
