// Host form; included by delta_length.cuh only.
#pragma once

namespace delta {

inline constexpr u32 kLengths = 256;  // decoded at a time, a multiple of eight

// The view of `length` bytes that begin `left` bytes before the stream's end.
ARIADNE_INLINE u64x2 view_at(const u8* at, u64 left, u32 length, u64 place) {
  u64x2 bytes;
  if (left >= sizeof(bytes)) {
    __builtin_memcpy(&bytes, at, sizeof(bytes));
  } else {
    bytes = {parquet::load_bytes(at, left), left > 8 ? parquet::load_bytes(at + 8, left - 8) : 0};
  }
  const u64x2 shifted = {bytes.x << 32 | length, bytes.x >> 32 | bytes.y << 32};
  return binary::view_of(shifted, length, place);
}

ARIADNE_FUNCTION failure read_lengths(const parquet_task& task, parquet_binary_result& result) {
  source source = {task.data, task.data_bytes};
  stream s;
  u64 at = 0;
  const u32 end = task.skip + task.count;
  failure failed = open_whole(source, 0, end, s, at);
  u64x2* const out = static_cast<u64x2*>(task.out);
  u32 longest = 0;
  for (u32 first = 0; first < end && failed.code == 0; first += kLengths) {
    alignas(64) u32 lengths[kLengths];
    const u32 count = end - first < kLengths ? end - first : kLengths;
    failed = read(source, s, lengths, count);
    for (u32 i = 0; i < count && failed.code == 0; i++) {
      const u32 length = lengths[i];
      const u64 left = task.data_bytes - at;
      if (length > left) {
        failed = {PARQUET_ERROR_LENGTH, at};
        break;
      }
      if (first + i >= task.skip) {
        out[first + i - task.skip] = view_at(task.data + at, left, length, task.aux + at);
      }
      longest = length > longest ? length : longest;
      at += length;
    }
  }
  result = {at, longest, 0};
  return failed;
}

ARIADNE_FUNCTION void run(const parquet_delta_length_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    parquet_binary_result result;
    const failure failed = read_lengths(task, result);
    if (failed.code != 0) {
      parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
    } else {
      args.results[number] = result;
    }
  });
}

}  // namespace delta
