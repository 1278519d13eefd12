// Host form; included by snappy.cuh only.
#pragma once

namespace snappy {

// Where a block stands.
struct cursor {
  const u8* data;
  u8* out;
  u64 at;     // next byte of the stream
  u64 end;    // its bytes
  u64 made;   // bytes of the result
  u64 whole;  // bytes it must have
};

// Literals of up to so many bytes are taken in one step with the copy behind them.
inline constexpr u32 kJoined = 7;
// Bytes of the stream that are looked at ahead: more of them pollute the cache and share their low
// address bits with what is written.
inline constexpr u64 kStretch = 512;
// A step reads so many bytes of the stream, and writes as many of the result, at the most.
inline constexpr u64 kReach = 80;
// Bytes that must be made before a step, so that no copy is longer.
inline constexpr u64 kLongest = 64;
inline constexpr u8 kOdd = 0x80;  // in the place of a step: none begins here

// What a step needs to know of a tag, as far as it is a short literal's or a copy's.
struct tag_table {
  u32 mask[256];    // of the distance's bits behind the tag
  u32 high[256];    // those in the tag; above every distance for copies of more than 32 bytes
  u8 length[256];   // of a copy
  u8 literal[256];  // bytes of a literal; 0 for a copy
  u8 passed[256];   // bytes of a literal and its tag

  constexpr tag_table() : mask(), high(), length(), literal(), passed() {
    for (u32 tag = 0; tag < 256; tag++) {
      const u32 kind = tag & 3;
      const u32 plus = (tag >> 2) + 1;
      const bool is_short = kind == kLiteral && plus <= kJoined;
      literal[tag] = static_cast<u8>(is_short ? plus : 0);
      passed[tag] = static_cast<u8>(is_short ? plus + 1 : 0);
      mask[tag] = kind == 1 ? 0xff : kind == 2 ? 0xffff : 0;
      length[tag] = static_cast<u8>(kind == 1 ? 4 + (tag >> 2 & 7) : plus);
      high[tag] = kind == 1 ? tag >> 5 << 8 : length[tag] > 32 ? 0x80000000 : 0;
    }
  }
};

static constexpr tag_table kTags{};

// For each of `count` bytes how many a step takes that begins there: a copy with or without a short
// literal before it. kOdd and above: none. `count` and kJoined + 1 bytes more are read.
__attribute__((noinline)) static void measure_steps(const u8* data, u64 count, u8* steps) {
  using lanes = u8 __attribute__((vector_size(64)));
  constexpr u64 kLanes = sizeof(lanes);
  u8 copies[kStretch + kLanes];
  for (u64 i = 0; i < count + kJoined + 1; i += kLanes) {
    lanes tags;
    __builtin_memcpy(&tags, data + i, kLanes);
    const lanes kind = tags & 3;
    const lanes copy = (kind == 1 | kind == 2) ? kind + 1 : lanes(kOdd - lanes{});
    __builtin_memcpy(copies + i, &copy, kLanes);
  }
  for (u64 i = 0; i < count; i += kLanes) {
    lanes tags;
    lanes step;
    __builtin_memcpy(&tags, data + i, kLanes);
    __builtin_memcpy(&step, copies + i, kLanes);
#pragma unroll
    for (u32 length = 1; length <= kJoined; length++) {
      lanes copy;
      __builtin_memcpy(&copy, copies + i + length + 1, kLanes);
      step = tags == static_cast<u8>((length - 1) << 2) ? copy + static_cast<u8>(length + 1) : step;
    }
    __builtin_memcpy(steps + i, &step, kLanes);
  }
}

// One element of any kind, with regard to every bound.
__attribute__((noinline)) static failure take_element(cursor& c) {
  const u64 left = c.end - c.at;
  const u64 window = parquet::load_bytes(c.data + c.at, left);
  const element e = read_element(window & 0xff, static_cast<u32>(window >> 8));
  const u32 code = code_of(e, left, c.made, c.whole - c.made);
  if (code != 0) {
    return {c.at, code};
  }
  u8* const to = c.out + c.made;
  if (e.is_literal) {
    __builtin_memcpy(to, c.data + c.at + e.bytes, e.length);
    c.at += e.length;
  } else {
#pragma clang loop vectorize(disable) unroll(disable)
    for (u64 i = 0; i < e.length; i++) {
      to[i] = to[i - e.distance];
    }
  }
  c.at += e.bytes;
  c.made += e.length;
  return {};
}

// A literal of up to 60 bytes; returns its bytes with the tag, 0 when it is something else.
ARIADNE_INLINE u64 take_literal(const u8* at, u8* out, u64& made) {
  const u32 tag = at[0];
  if ((tag & 3) != kLiteral || tag >> 2 >= kLongestInTag) {
    return 0;
  }
  target::copy_bytes<32>(out + made, at + 1);
  target::copy_bytes<32>(out + made + 32, at + 33);
  made += (tag >> 2) + 1;
  return (tag >> 2) + 2;
}

// A short literal and the copy behind it, or a copy. Returns whether it is one that can be; else
// nothing has happened.
ARIADNE_INLINE bool take_step(const u8* at, u8* out, u64& made) {
  const u64 first = at[0];
  target::copy_bytes<16>(out + made, at + 1);
  u64 word;
  __builtin_memcpy(&word, at + kTags.passed[first], sizeof(word));
  const u64 tag = word & 0xff;
  const u64 length = kTags.length[tag];
  u64 distance = (word >> 8 & kTags.mask[tag]) + kTags.high[tag];
  const u64 to = made + kTags.literal[first];
  const u64 from = to - distance;
  if (from <= to - length) [[likely]] {
    target::copy_bytes<32>(out + to, out + from);
  } else {
    distance &= 0xffff;
    if (distance - 1 >= to) {
      return false;
    }
    target::repeat_bytes(out + to, distance);
  }
  made = to + length;
  return true;
}

// The elements of a stretch. Returns whether all were taken: the next one is else for take_element.
ARIADNE_FUNCTION bool take_stretch(cursor& c) {
  alignas(64) u8 steps[kStretch];
  const u8* const data = c.data + c.at;
  const u64 left = c.end - c.at - kReach;
  const u64 count = left < kStretch ? left : kStretch;
  measure_steps(data, count, steps);
  u8* const out = c.out;
  const u64 most = c.whole - kReach;
  u64 made = c.made;
  u64 at = 0;
  while (at < count && made <= most) {
    u64 step = steps[at];
    if (step < kOdd) [[likely]] {
      if (!take_step(data + at, out, made)) {
        break;
      }
    } else {
      step = take_literal(data + at, out, made);
      if (step == 0) {
        break;
      }
    }
    at += step;
  }
  c.at += at;
  c.made = made;
  return at >= count;
}

ARIADNE_INLINE bool is_within_reach(const cursor& c) {
  return c.made >= kLongest && c.end - c.at > kReach && c.whole - c.made >= kReach;
}

ARIADNE_FUNCTION failure decode(const parquet_task& task) {
  const parquet::varint declared =
      parquet::read_varint(parquet::load_bytes(task.data, task.data_bytes), task.data_bytes);
  failure failed = check_size(declared, task.count);
  cursor c = {task.data, static_cast<u8*>(task.out), declared.length, task.data_bytes, 0,
              task.count};
  while (failed.code == 0 && c.at < c.end) {
    if (!is_within_reach(c) || !take_stretch(c)) {
      failed = take_element(c);
    }
  }
  if (failed.code == 0 && c.made < c.whole) {
    failed = {c.end, PARQUET_ERROR_TRUNCATED};
  }
  return failed;
}

ARIADNE_FUNCTION void run(const parquet_snappy_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    const failure failed = decode(task);
    if (failed.code != 0) {
      parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
    }
  });
}

}  // namespace snappy
