// Host form; included by binary.cuh only.
#pragma once

#include "parquet/view.cuh"

namespace binary {

// For each length up to 12, and then for all longer ones, the bits of a view that are the page's.
struct view_masks {
  u64x2 at[column::kInlineLength + 2];
};

constexpr view_masks make_masks() {
  view_masks masks = {};
  for (u32 length = 0; length <= column::kInlineLength; length++) {
    const u32 bytes = kLengthBytes + length;
    masks.at[length].x = bytes >= 8 ? ~u64{0} : (u64{1} << 8 * bytes) - 1;
    masks.at[length].y = bytes <= 8 ? 0 : bytes == 16 ? ~u64{0} : (u64{1} << 8 * (bytes - 8)) - 1;
  }
  masks.at[column::kInlineLength + 1] = {~u64{0}, 0};
  return masks;
}

static constexpr view_masks kViewMasks = make_masks();

// Where a walk stands.
struct cursor {
  u64 offset = 0;
  u32 longest = 0;
};

ARIADNE_INLINE u32 load_length(const u8* at) {
  u32 length;
  __builtin_memcpy(&length, at, sizeof(length));
  return length;
}

// A view from the 16 bytes that begin with the value's length.
ARIADNE_INLINE u64x2 view_of(u64x2 bytes, u32 length, u64 place) {
  const bool is_long = length > column::kInlineLength;
  const u64x2 shown = bytes & kViewMasks.at[is_long ? column::kInlineLength + 1 : length];
  const u64x2 heap_and_offset = {0, is_long ? place << 32 | place >> 32 : 0};
  return shown | heap_and_offset;
}

// Passes over up to `count` values that all begin 16 bytes before the stream's end or earlier.
// Returns how many; write(i, bytes, length, offset) sees each. The time is that of the chain from
// one length to the next: one load and one addition.
template <typename Write>
ARIADNE_INLINE u32 walk(const parquet_task& task, u32 count, cursor& cursor, Write write) {
  if (task.data_bytes < 16) {
    return 0;
  }
  const u8* const data = task.data;
  const u8* const end = data + task.data_bytes;
  const u8* const last = end - 16;
  const u8* at = data + cursor.offset;
  u32 longest = cursor.longest;
  u32 i = 0;
  for (; i < count && at <= last; i++) {
    const u32 length = load_length(at);
    const u8* const bytes = at + kLengthBytes;
    if (length > static_cast<u64>(end - bytes)) {
      break;
    }
    write(i, at, length, static_cast<u64>(at - data));
    longest = length > longest ? length : longest;
    at = bytes + length;
  }
  cursor = {static_cast<u64>(at - data), longest};
  return i;
}

// Reads the value at the cursor, which may be the stream's last; raises an error if it is not
// whole.
ARIADNE_FUNCTION bool read_one(const parquet_task& task, u32 number, kernel_status* status,
                               cursor& cursor, u64x2& bytes, u32& length) {
  const u64 left = task.data_bytes - cursor.offset;
  const u8* at = task.data + cursor.offset;
  length = left < kLengthBytes ? 0 : load_length(at);
  if (left < kLengthBytes || length > left - kLengthBytes) {
    parquet::raise(status, number, cursor.offset,
                   left < kLengthBytes ? PARQUET_ERROR_TRUNCATED : PARQUET_ERROR_LENGTH);
    return false;
  }
  bytes = {parquet::load_bytes(at, left), left > 8 ? parquet::load_bytes(at + 8, left - 8) : 0};
  cursor.offset += kLengthBytes + static_cast<u64>(length);
  cursor.longest = length > cursor.longest ? length : cursor.longest;
  return true;
}

ARIADNE_INLINE bool skip_values(const parquet_task& task, u32 number, kernel_status* status,
                                cursor& cursor) {
  u32 done = walk(task, task.skip, cursor, [](u32, const u8*, u32, u64) {});
  for (; done < task.skip; done++) {
    u64x2 bytes;
    u32 length;
    if (!read_one(task, number, status, cursor, bytes, length)) {
      return false;
    }
  }
  return true;
}

ARIADNE_INLINE bool read_values(const parquet_task& task, u32 number, kernel_status* status,
                                cursor& cursor) {
  u64x2* const out = static_cast<u64x2*>(task.out);
  const u64 base = task.aux + kLengthBytes;
  u32 done = walk(task, task.count, cursor, [=](u32 i, const u8* at, u32 length, u64 offset) {
    u64x2 bytes;
    __builtin_memcpy(&bytes, at, sizeof(bytes));
    out[i] = view_of(bytes, length, base + offset);
  });
  for (; done < task.count; done++) {
    const u64 offset = cursor.offset;
    u64x2 bytes;
    u32 length;
    if (!read_one(task, number, status, cursor, bytes, length)) {
      return false;
    }
    out[done] = view_of(bytes, length, base + offset);
  }
  return true;
}

ARIADNE_FUNCTION void run(const parquet_binary_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    cursor cursor;
    if (skip_values(task, number, args.status, cursor) &&
        read_values(task, number, args.status, cursor)) {
      args.results[number] = {cursor.offset, cursor.longest, 0};
    }
  });
}

}  // namespace binary
