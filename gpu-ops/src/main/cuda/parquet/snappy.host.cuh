// Host form; included by snappy.cuh only.
#pragma once

namespace snappy {

// Bytes of the stream that are looked at ahead: more of them pollute the cache and share their low
// address bits with what is written.
inline constexpr u64 kStretch = 512;
// A step reads fewer than so many bytes of the stream, and writes as many of the result at most.
inline constexpr u64 kReach = 80;
// A longer copy is a step too, but done the way of copies that overlap themselves.
inline constexpr u32 kShortCopy = 32;
// Literals of up to so many bytes are taken in one step with the copy before them; tags below it.
inline constexpr u32 kJoined = 16;
inline constexpr u32 kJoinedTag = kJoined << 2;
inline constexpr u8 kOdd = 0x80;  // in the place of a step: none begins here

using lanes = u8 __attribute__((vector_size(64)));
inline constexpr u64 kLanes = sizeof(lanes);

// What a step does that begins at a byte: a copy, and the literal behind it if that is short.
struct step_table {
  alignas(64) u16 distance[kStretch];  // of the copy; 0 for one of more than kShortCopy bytes
  alignas(64) u8 length[kStretch];     // of the copy
  alignas(64) u8 made[kStretch];       // bytes of the result
  alignas(64) u8 passed[kStretch];     // bytes of the stream; kOdd: no step begins here
};

// A block on its way.
struct walker {
  const u8* data;
  u8* out;
  u64 at;        // next byte of the stream
  u64 end;       // its bytes
  u64 made;      // bytes of the result
  u64 whole;     // bytes it must have
  u64 measured;  // first byte that `steps` is of
  u64 count;     // bytes that `steps` is of
  u32 number;    // of the task
  failure failed;
  step_table steps;
};

ARIADNE_INLINE void load_lanes(const u8* at, lanes& to) { __builtin_memcpy(&to, at, sizeof(to)); }

ARIADNE_INLINE void store_lanes(void* to, const lanes& all) {
  __builtin_memcpy(to, &all, sizeof(all));
}

// Joins the low and the high bytes of 16-bit numbers.
ARIADNE_INLINE void store_pairs(u16* to, const lanes& low, const lanes& high) {
#define ARIADNE_PAIR(I) I, I + 64
#define ARIADNE_PAIRS(I) \
  ARIADNE_PAIR(I), ARIADNE_PAIR(I + 1), ARIADNE_PAIR(I + 2), ARIADNE_PAIR(I + 3)
#define ARIADNE_HALF(I)                                                                \
  ARIADNE_PAIRS(I), ARIADNE_PAIRS(I + 4), ARIADNE_PAIRS(I + 8), ARIADNE_PAIRS(I + 12), \
      ARIADNE_PAIRS(I + 16), ARIADNE_PAIRS(I + 20), ARIADNE_PAIRS(I + 24), ARIADNE_PAIRS(I + 28)
  store_lanes(to, __builtin_shufflevector(low, high, ARIADNE_HALF(0)));
  store_lanes(to + 32, __builtin_shufflevector(low, high, ARIADNE_HALF(32)));
#undef ARIADNE_HALF
#undef ARIADNE_PAIRS
#undef ARIADNE_PAIR
}

// Fills the table for `count` bytes, at most kStretch, as though an element began at each. `count`
// and kReach bytes more can be read.
__attribute__((noinline)) static void measure_steps(const u8* data, u64 count, step_table& steps) {
  for (u64 i = 0; i < count; i += kLanes) {
    lanes tags;
    lanes second;
    lanes third;
    lanes fourth;
    load_lanes(data + i, tags);
    load_lanes(data + i + 1, second);
    load_lanes(data + i + 2, third);
    load_lanes(data + i + 3, fourth);
    const lanes kind = tags & 3;
    const auto has_byte = kind == 1;
    const lanes length = has_byte ? (tags >> 2 & 7) + 4 : (tags >> 2) + 1;
    const lanes next = has_byte ? third : fourth;
    const auto is_literal = ((next & 3) == kLiteral) & (next < kJoinedTag);
    const lanes literal = is_literal ? (next >> 2) + 1 : lanes{};
    const lanes passed = kind + 1 + literal + (is_literal ? lanes{} + 1 : lanes{});
    const auto is_short = length <= kShortCopy;
    store_pairs(steps.distance + i, is_short ? second : lanes{},
                is_short ? (has_byte ? tags >> 5 : third) : lanes{});
    store_lanes(steps.length + i, length);
    store_lanes(steps.made + i, length + literal);
    store_lanes(steps.passed + i, (has_byte | (kind == 2)) ? passed : lanes{} + kOdd);
  }
}

// One element of any kind, with regard to every bound.
__attribute__((noinline)) static void take_element(walker& w) {
  const u64 left = w.end - w.at;
  const u64 window = parquet::load_bytes(w.data + w.at, left);
  const element e = read_element(window & 0xff, static_cast<u32>(window >> 8));
  const u32 code = code_of(e, left, w.made, w.whole - w.made);
  if (code != 0) {
    w.failed = {w.at, code};
    return;
  }
  u8* const to = w.out + w.made;
  if (e.is_literal) {
    __builtin_memcpy(to, w.data + w.at + e.bytes, e.length);
    w.at += e.length;
  } else {
#pragma clang loop vectorize(disable) unroll(disable)
    for (u64 i = 0; i < e.length; i++) {
      to[i] = to[i - e.distance];
    }
  }
  w.at += e.bytes;
  w.made += e.length;
}

// Where a block stands while steps are taken.
struct place {
  u64 step;  // next byte, counted from the first measured one
  u64 made;
};

// A literal of up to 60 bytes that is no part of a step. Returns whether it was one; else nothing
// has happened.
ARIADNE_INLINE bool take_literal(const u8* at, u8* out, place& p) {
  const u32 tag = at[0];
  if ((tag & 3) != kLiteral || tag >> 2 >= kLongestInTag) {
    return false;
  }
  target::copy_bytes<32>(out + p.made, at + 1);
  target::copy_bytes<32>(out + p.made + 32, at + 33);
  p.made += (tag >> 2) + 1;
  p.step += (tag >> 2) + 2;
  return true;
}

// Executes a copy that is long or overlaps itself. Returns false, and writes nothing, when the copy
// begins before the result.
ARIADNE_INLINE bool repeat(const u8* at, u8* out, u64 made) {
  const u32 behind = static_cast<u32>(at[1] | at[2] << 8);
  const u64 distance = read_element(at[0], behind).distance;
  if (distance - 1 >= made) {
    return false;
  }
  target::repeat_bytes(out + made, distance);
  return true;
}

// Takes a step, or executes a literal. Returns false, and changes nothing, when it can do neither.
ARIADNE_INLINE bool take_step(const step_table& steps, const u8* data, u8* out, place& p) {
  const u8* const at = data + p.step;
  const u64 passed = steps.passed[p.step];
  if (passed >= kOdd) [[unlikely]] {
    return take_literal(at, out, p);
  }
  const u64 distance = steps.distance[p.step];
  const u64 length = steps.length[p.step];
  u8* const to = out + p.made;
  if (distance > p.made) [[unlikely]] {
    return false;
  }
  if (distance >= length) [[likely]] {
    target::copy_bytes<kShortCopy>(to, to - distance);
  } else if (!repeat(at, out, p.made)) {
    return false;
  }
  target::copy_bytes<kJoined>(to + length, at + 2 + (at[0] & 3));
  p.made += steps.made[p.step];
  p.step += passed;
  return true;
}

// What the steps of a stretch need of a block.
struct stretch {
  const u8* data;
  u8* out;
  u64 count;
  u64 most;  // bytes of the result before a step
};

ARIADNE_INLINE stretch stretch_of(const walker& w) {
  return {w.data + w.measured, w.out, w.count, w.whole - kReach};
}

ARIADNE_INLINE bool has_step(const stretch& s, const place& p) {
  return p.step < s.count && p.made <= s.most;
}

ARIADNE_INLINE place place_of(const walker& w) { return {w.at - w.measured, w.made}; }

ARIADNE_INLINE void set_place(walker& w, const place& p) {
  w.at = w.measured + p.step;
  w.made = p.made;
}

// Takes steps of two blocks alternately, as each block waits most of the time for the start of its
// next step. Returns the block that can take no step.
__attribute__((noinline)) static walker& take_steps(walker& first, walker& second) {
  const stretch one = stretch_of(first);
  const stretch other = stretch_of(second);
  place a = place_of(first);
  place b = place_of(second);
  walker* ended = &second;
  while (true) {
    if (!has_step(one, a) || !take_step(first.steps, one.data, one.out, a)) {
      ended = &first;
      break;
    }
    if (!has_step(other, b) || !take_step(second.steps, other.data, other.out, b)) {
      break;
    }
  }
  set_place(first, a);
  set_place(second, b);
  return *ended;
}

// The same for one block.
__attribute__((noinline)) static void take_steps(walker& w) {
  const stretch all = stretch_of(w);
  place p = place_of(w);
  while (has_step(all, p) && take_step(w.steps, all.data, all.out, p)) {
  }
  set_place(w, p);
}

// Executes elements that are no steps until a step is possible. Returns false when the block has
// ended.
ARIADNE_FUNCTION bool go_on(walker& w) {
  bool is_odd = w.at - w.measured < w.count;
  while (w.failed.code == 0 && w.at < w.end) {
    const u64 left = w.end - w.at;
    const bool is_reached = left > kReach && w.whole - w.made >= kReach;
    if (is_reached && !is_odd) {
      if (w.at - w.measured >= w.count) {
        w.measured = w.at;
        w.count = left - kReach < kStretch ? left - kReach : kStretch;
        measure_steps(w.data + w.at, w.count, w.steps);
      }
      return true;
    }
    is_odd = false;
    take_element(w);
  }
  return false;
}

ARIADNE_FUNCTION void begin(walker& w, const parquet_task& task, u32 number) {
  const parquet::varint declared =
      parquet::read_varint(parquet::load_bytes(task.data, task.data_bytes), task.data_bytes);
  w.data = task.data;
  w.out = static_cast<u8*>(task.out);
  w.at = declared.length;
  w.end = task.data_bytes;
  w.made = 0;
  w.whole = task.count;
  w.measured = w.at;
  w.count = 0;
  w.number = number;
  w.failed = check_size(declared, task.count);
}

ARIADNE_FUNCTION void finish(const parquet_snappy_args& args, walker& w) {
  if (w.failed.code == 0 && w.made < w.whole) {
    w.failed = {w.end, PARQUET_ERROR_TRUNCATED};
  }
  if (w.failed.code != 0) {
    parquet::raise(args.status, w.number, w.failed.offset,
                   static_cast<parquet_error>(w.failed.code));
  }
}

// Continues a block until a step is possible, or begins the next block when it has ended. Returns
// false when there is no next block.
ARIADNE_FUNCTION bool go_on(const parquet_snappy_args& args, walker& w, u32& next) {
  while (!go_on(w)) {
    finish(args, w);
    if (next >= args.task_count || status::cancelled(args.status)) {
      return false;
    }
    begin(w, args.tasks[next], next);
    next++;
  }
  return true;
}

// Begins with the next block that needs steps. Returns false when there is none.
ARIADNE_FUNCTION bool start(const parquet_snappy_args& args, walker& w, u32& next) {
  if (next >= args.task_count || status::cancelled(args.status)) {
    return false;
  }
  begin(w, args.tasks[next], next);
  next++;
  return go_on(args, w, next);
}

ARIADNE_FUNCTION void run(const parquet_snappy_args& args) {
  walker pair[2];
  u32 next = 0;
  bool is_first = start(args, pair[0], next);
  bool is_second = is_first && start(args, pair[1], next);
  while (is_first && is_second) {
    walker& ended = take_steps(pair[0], pair[1]);
    const bool is_on = go_on(args, ended, next);
    (&ended == pair ? is_first : is_second) = is_on;
  }
  walker& last = is_first ? pair[0] : pair[1];
  while (is_first || is_second) {
    take_steps(last);
    is_first = go_on(args, last, next);
    is_second = false;
  }
}

}  // namespace snappy
