// GPU form; included by binary.cuh only.
#pragma once

#include "parquet/view.cuh"
#include "pattern/block_scan.gpu.cuh"

namespace binary {

inline constexpr u32 kBlock = 256;
inline constexpr u32 kItems = 4;  // bytes of a window that a thread looks at: at most one begins
inline constexpr u32 kWindowBytes = kItems * kBlock;
inline constexpr u32 kWarps = kBlock / target::kWarpSize;
// Words of a window, one for a misaligned start, and those the view of its last value needs.
inline constexpr u32 kWindowWords = kWindowBytes / 4 + 1 + 4;
inline constexpr u32 kNoValue = ~0u;
static_assert(kItems <= kLengthBytes);

struct binary_scratch {
  u32 words[kWindowWords];
  u32 next[kWindowBytes];  // place of a later value, or kNoValue where none can begin
  u32 begins[kBlock];      // a byte per place: 1 where a value begins
  pattern::block_sum_scratch<u32> sums;
  u32 longest[kWarps];
  u64 end;  // of the last value wanted, in bytes of the stream
};

// The window's four bytes from place `at` on.
ARIADNE_INLINE u32 word_at(const binary_scratch& scratch, u32 skew, u32 at) {
  const u32 byte = skew + at;
  const u64 pair = static_cast<u64>(scratch.words[byte / 4 + 1]) << 32 | scratch.words[byte / 4];
  return static_cast<u32>(pair >> byte % 4 * 8);
}

ARIADNE_INLINE void stage_window(const parquet_task& task, u64 offset, u32 skew,
                                 binary_scratch& scratch) {
  const u32* const from = reinterpret_cast<const u32*>(task.data + offset - skew);
  const u64 words = (task.data_bytes - offset + skew + 3) / 4;
  for (u32 i = target::thread_index(); i < kWindowWords; i += kBlock) {
    scratch.words[i] = i < words ? target::load_ro(from + i) : 0;
  }
  target::block_barrier();
}

// Whether a value can begin at a place: its length and its bytes are there.
ARIADNE_INLINE bool is_whole(u64 left, u32 at, u32 length) {
  return at + kLengthBytes <= left && length <= left - at - kLengthBytes;
}

// Where the next value begins if one begins at a place, for all places; the first is known to be
// one.
ARIADNE_INLINE void read_lengths(u64 left, u32 skew, binary_scratch& scratch) {
  scratch.begins[target::thread_index()] = target::thread_index() == 0;
  for (u32 at = target::thread_index(); at < kWindowBytes; at += kBlock) {
    const u32 length = word_at(scratch, skew, at);
    scratch.next[at] = is_whole(left, at, length) ? at + kLengthBytes + length : kNoValue;
  }
  target::block_barrier();
}

// Marks the places reached from the first. After n rounds those of the first 2^n values are marked
// and `next` leads 2^n values on, until that is outside of the window. Two chains never meet at a
// marked place, so no byte is written twice in a round.
ARIADNE_INLINE void follow_jumps(binary_scratch& scratch) {
  u8* const begins = reinterpret_cast<u8*>(scratch.begins);
  while (scratch.next[0] < kWindowBytes) {
    u32 to[kItems];
    u32 further[kItems];
    bool is_marked[kItems];
#pragma unroll
    for (u32 k = 0; k < kItems; k++) {
      const u32 at = target::thread_index() + k * kBlock;
      to[k] = scratch.next[at];
      further[k] = to[k] < kWindowBytes ? scratch.next[to[k]] : to[k];
      is_marked[k] = begins[at] != 0;
    }
    target::block_barrier();
#pragma unroll
    for (u32 k = 0; k < kItems; k++) {
      if (is_marked[k] && to[k] < kWindowBytes) {
        begins[to[k]] = 1;
      }
      scratch.next[target::thread_index() + k * kBlock] = further[k];
    }
    target::block_barrier();
  }
}

// A task and how far its walk has come; the same in all threads but for `longest`.
struct walk {
  const parquet_task& task;
  u32 number;
  kernel_status* status;
  u64 offset = 0;
  u32 values = 0;
  u32 longest = 0;

  ARIADNE_MEMBER void store_view(const binary_scratch& scratch, u32 skew, u32 at, u32 length,
                                 u32 row) const {
    u64x2* const out = static_cast<u64x2*>(task.out);
    const u32 prefix = word_at(scratch, skew, at + 4);
    if (length > column::kInlineLength) {
      const u64 place = task.aux + offset + at + kLengthBytes;
      target::store(out + row, parquet::long_view(length, prefix, place));
      return;
    }
    const u64 second = word_at(scratch, skew, at + 8);
    const u64 third = word_at(scratch, skew, at + 12);
    target::store(out + row, parquet::short_view(length, second << 32 | prefix, third));
  }

  // This thread's value, which begins at place `at`.
  ARIADNE_MEMBER void take_value(binary_scratch& scratch, u32 skew, u32 at, u32 value) {
    const u64 left = task.data_bytes - offset;
    const u32 length = word_at(scratch, skew, at);
    if (!is_whole(left, at, length)) {
      const bool has_length = at + kLengthBytes <= left;
      parquet::raise(status, number, offset + at,
                     has_length ? PARQUET_ERROR_LENGTH : PARQUET_ERROR_TRUNCATED);
      return;
    }
    longest = length > longest ? length : longest;
    if (value >= task.skip) {
      store_view(scratch, skew, at, length, value - task.skip);
    }
    if (value == task.skip + task.count - 1) {
      scratch.end = offset + at + kLengthBytes + length;
    }
  }

  // One window; false when a value in it cannot be read.
  ARIADNE_MEMBER bool read_window(binary_scratch& scratch) {
    const u32 skew = static_cast<u32>(reinterpret_cast<u64>(task.data + offset) % 4);
    stage_window(task, offset, skew, scratch);
    read_lengths(task.data_bytes - offset, skew, scratch);
    follow_jumps(scratch);
    const u32 marks = scratch.begins[target::thread_index()];
    const u32 behind = scratch.next[0];
    u32 total;
    const u32 before = pattern::block_exclusive_sum(u32{marks != 0}, scratch.sums, total);
    if (marks != 0 && values + before < task.skip + task.count) {
      const u32 at = target::thread_index() * kItems + static_cast<u32>(__builtin_ctz(marks)) / 8;
      take_value(scratch, skew, at, values + before);
    }
    target::block_barrier();
    values += total;
    offset += behind;
    return behind != kNoValue;
  }
};

ARIADNE_INLINE u32 warp_largest(u32 value) {
#pragma unroll
  for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
    const u32 other = target::shuffle_xor(value, distance);
    value = other > value ? other : value;
  }
  return value;
}

// The whole block; holds two barriers.
ARIADNE_INLINE void write_result(binary_scratch& scratch, u32 longest,
                                 parquet_binary_result* result) {
  const u32 largest = warp_largest(longest);
  if (target::lane_index() == 0) {
    scratch.longest[target::warp_index()] = largest;
  }
  target::block_barrier();
  if (target::thread_index() == 0) {
    u32 all = 0;
    for (u32 warp = 0; warp < kWarps; warp++) {
      all = scratch.longest[warp] > all ? scratch.longest[warp] : all;
    }
    *result = {scratch.end, all, 0};
  }
  target::block_barrier();
}

ARIADNE_FUNCTION void run(const parquet_binary_args& args) {
  ARIADNE_SHARED(binary_scratch, scratch);
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    if (target::thread_index() == 0) {
      scratch.end = 0;
    }
    target::block_barrier();
    walk state{task, number, args.status};
    while (state.values < task.skip + task.count && state.read_window(scratch)) {
    }
    write_result(scratch, state.longest, args.results + number);
  });
}

}  // namespace binary
