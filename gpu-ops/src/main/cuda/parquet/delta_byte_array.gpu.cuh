// GPU form; included by delta_byte_array.cuh only.
#pragma once

namespace delta {

// One stream of the two.
struct length_reader {
  source bytes;
  stream lengths;
};

struct byte_array_place {
  u64 at;    // offset of the next suffix
  u64 heap;  // offset of the next value in the task's part
  u32 previous;
  u32 longest;
};

// The next 32 values, or those that are left of `left`.
ARIADNE_FUNCTION failure read_entries(length_reader& prefixes, length_reader& suffixes,
                                      byte_array_place& place, u32 left, parquet_delta_entry* out) {
  u64 prefix;
  u64 suffix;
  failure failed = read_values(prefixes.bytes, prefixes.lengths, prefix);
  if (failed.code == 0) {
    failed = read_values(suffixes.bytes, suffixes.lengths, suffix);
  }
  if (failed.code != 0) {
    return failed;
  }
  const u32 lane = target::lane_index();
  const u32 own_prefix = lane < left ? static_cast<u32>(prefix) : 0;
  const u32 own_suffix = lane < left ? static_cast<u32>(suffix) : 0;
  const u64 length = static_cast<u64>(own_prefix) + own_suffix;
  const u64 below = target::shuffle_up(length, 1);
  const u32 previous = lane == 0 ? place.previous : static_cast<u32>(below);
  const u64 suffix_sum = pattern::warp_inclusive_sum(static_cast<u64>(own_suffix));
  const u64 at = place.at + suffix_sum - own_suffix;
  const u64 rest = at <= prefixes.bytes.bytes ? prefixes.bytes.bytes - at : 0;
  const u32 wrong = target::ballot(is_wrong_value(own_prefix, own_suffix, previous, rest));
  if (wrong != 0) {
    return {PARQUET_ERROR_LENGTH, target::shuffle(at, static_cast<u32>(__builtin_ctz(wrong)))};
  }
  const u64 length_sum = pattern::warp_inclusive_sum(length);
  if (lane < left) {
    const u64 heap = place.heap + length_sum - length;
    const u32x4 entry = {static_cast<u32>(length), own_prefix, static_cast<u32>(at),
                         static_cast<u32>(heap)};
    target::store(reinterpret_cast<u32x4*>(out) + lane, entry);
  }
  place.at += target::shuffle(suffix_sum, target::kWarpSize - 1);
  place.heap += target::shuffle(length_sum, target::kWarpSize - 1);
  place.previous = static_cast<u32>(target::shuffle(length, target::kWarpSize - 1));
  place.longest = length > place.longest ? static_cast<u32>(length) : place.longest;
  return failed;
}

ARIADNE_FUNCTION failure read_task(const parquet_task& task, u32* staged, byte_array_place& place) {
  length_reader prefixes = {make_source(task, staged), {}};
  length_reader suffixes = {make_source(task, staged + kWindowWords), {}};
  place = {};
  u64 end = 0;
  failure failed = open_whole(prefixes.bytes, 0, task.count, prefixes.lengths, end);
  if (failed.code == 0) {
    failed = open_whole(suffixes.bytes, end, task.count, suffixes.lengths, place.at);
  }
  auto* const out = static_cast<parquet_delta_entry*>(task.out);
  for (u32 first = 0; first < task.count && failed.code == 0; first += target::kWarpSize) {
    failed = read_entries(prefixes, suffixes, place, task.count - first, out + first);
  }
  return failed;
}

ARIADNE_FUNCTION void run(const parquet_delta_byte_array_args& args) {
  ARIADNE_SHARED_ARRAY(u32, staged, kMaxWarps * 2 * kWindowWords);
  u32* const own = staged + target::warp_index() * 2 * kWindowWords;
  for (u32 number = parquet::launch_warp(); number < args.task_count;
       number += parquet::launch_warps()) {
    byte_array_place place;
    const failure failed = read_task(parquet::load_task(args.tasks, number), own, place);
    const u32 longest = pattern::warp_max(place.longest);
    if (target::lane_index() == 0) {
      if (failed.code != 0) {
        parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
      } else {
        args.results[number] = {place.heap, longest, 0};
      }
    }
    target::warp_barrier();
  }
}

ARIADNE_INLINE u32x4 load_entry(const parquet_task& task, u32 i) {
  return i < task.count ? static_cast<const u32x4*>(task.out)[i] : u32x4{0, 0, 0, 0};
}

// Bytes `column` to `column` + 31 of every value, one per lane.
ARIADNE_INLINE void fill_columns(const parquet_task& task, u8* part, u32 column) {
  const u32 lane = target::lane_index();
  const u32 own = column + lane;
  u8 byte = 0;  // of the value before, if it is so long
  for (u32 first = 0; first < task.count; first += target::kWarpSize) {
    const u32x4 entry = load_entry(task, first + lane);
    for (u32 left = target::ballot(entry.x > column); left != 0; left &= left - 1) {
      const u32 from = static_cast<u32>(__builtin_ctz(left));
      const u32 length = target::shuffle(entry.x, from);
      const u32 prefix = target::shuffle(entry.y, from);
      const u32 suffix = target::shuffle(entry.z, from);
      const u32 heap = target::shuffle(entry.w, from);
      if (own < length) {
        if (own >= prefix) {
          byte = target::load_ro(task.data + suffix + (own - prefix));
        }
        target::store(part + heap + own, byte);
      }
    }
  }
}

// Up to eight bytes of the heap, lowest first.
ARIADNE_INLINE u64 heap_bytes(const u8* from, u32 count) {
  u64 bytes = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < count; i++) {
    bytes |= static_cast<u64>(from[i]) << 8 * i;
  }
  return bytes;
}

ARIADNE_INLINE u64x2 filled_view(const parquet_task& task, const u8* part, const u32x4& entry) {
  const u8* from = part + entry.w;
  if (entry.x > column::kInlineLength) {
    const u32 prefix = static_cast<u32>(heap_bytes(from, 4));
    return parquet::long_view(entry.x, prefix, task.aux + entry.w);
  }
  const u64 low = heap_bytes(from, entry.x < 8 ? entry.x : 8);
  const u64 high = heap_bytes(from + 8, entry.x < 8 ? 0 : entry.x - 8);
  return parquet::short_view(entry.x, low, high);
}

ARIADNE_FUNCTION void fill(const parquet_delta_byte_array_fill_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32) {
    u8* const part = args.heap + static_cast<u32>(task.aux);
    for (u64 column = target::warp_index() * u64{target::kWarpSize}; column < task.limit;
         column += target::block_size()) {
      fill_columns(task, part, static_cast<u32>(column));
    }
    target::block_barrier();
    for (u32 i = target::thread_index(); i < task.count; i += target::block_size()) {
      const u64x2 view = filled_view(task, part, load_entry(task, i));
      target::store(static_cast<u64x2*>(task.out) + i, view);
    }
  });
}

}  // namespace delta
