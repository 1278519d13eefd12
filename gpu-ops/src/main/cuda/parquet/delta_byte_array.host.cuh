// Host form; included by delta_byte_array.cuh only.
#pragma once

namespace delta {

// Lengths of a task's values and where they lie.
struct byte_array_reader {
  source bytes;
  stream prefixes;
  stream suffixes;
  u64 at;    // offset of the next suffix
  u64 heap;  // offset of the next value in the task's part
  u32 previous;
  u32 longest;
};

ARIADNE_FUNCTION failure open_streams(const parquet_task& task, byte_array_reader& reader) {
  reader = {};
  reader.bytes = {task.data, task.data_bytes};
  u64 end = 0;
  const failure failed = open_whole(reader.bytes, 0, task.count, reader.prefixes, end);
  return failed.code != 0 ? failed
                          : open_whole(reader.bytes, end, task.count, reader.suffixes, reader.at);
}

// Up to kLengths values.
ARIADNE_FUNCTION failure read_entries(byte_array_reader& reader, parquet_delta_entry* out,
                                      u32 count) {
  alignas(64) u32 prefixes[kLengths];
  alignas(64) u32 suffixes[kLengths];
  failure failed = read(reader.bytes, reader.prefixes, prefixes, count);
  if (failed.code == 0) {
    failed = read(reader.bytes, reader.suffixes, suffixes, count);
  }
  for (u32 i = 0; i < count && failed.code == 0; i++) {
    const u64 left = reader.bytes.bytes - reader.at;
    if (is_wrong_value(prefixes[i], suffixes[i], reader.previous, left)) {
      return {PARQUET_ERROR_LENGTH, reader.at};
    }
    const u32 length = prefixes[i] + suffixes[i];
    out[i] = {length, prefixes[i], static_cast<u32>(reader.at), static_cast<u32>(reader.heap)};
    reader.previous = length;
    reader.longest = length > reader.longest ? length : reader.longest;
    reader.at += suffixes[i];
    reader.heap += length;
  }
  return failed;
}

ARIADNE_FUNCTION void run(const parquet_delta_byte_array_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32 number) {
    byte_array_reader reader;
    failure failed = open_streams(task, reader);
    auto* const out = static_cast<parquet_delta_entry*>(task.out);
    for (u32 first = 0; first < task.count && failed.code == 0; first += kLengths) {
      const u32 count = task.count - first < kLengths ? task.count - first : kLengths;
      failed = read_entries(reader, out + first, count);
    }
    if (failed.code != 0) {
      parquet::raise(args.status, number, failed.offset, static_cast<parquet_error>(failed.code));
    } else {
      args.results[number] = {reader.heap, reader.longest, 0};
    }
  });
}

// Copies bytes; up to 16 may be written behind them, and read when `is_padded`.
ARIADNE_INLINE void copy_bytes(u8* to, const u8* from, u32 count, bool is_padded) {
  if (count <= 16 && is_padded) {
    u64x2 bytes;
    __builtin_memcpy(&bytes, from, sizeof(bytes));
    __builtin_memcpy(to, &bytes, sizeof(bytes));
  } else {
    __builtin_memcpy(to, from, count);
  }
}

ARIADNE_FUNCTION void fill(const parquet_delta_byte_array_fill_args& args) {
  parquet::for_tasks(args, [&](const parquet_task& task, u32) {
    auto* const entries = static_cast<parquet_delta_entry*>(task.out);
    auto* const views = static_cast<u64x2*>(task.out);
    u8* const part = args.heap + static_cast<u32>(task.aux);
    const u8* previous = part;
    for (u32 i = 0; i < task.count; i++) {
      const parquet_delta_entry entry = entries[i];
      u8* const to = part + entry.heap;
      copy_bytes(to, previous, entry.prefix, true);
      copy_bytes(to + entry.prefix, task.data + entry.suffix, entry.length - entry.prefix,
                 entry.suffix + u64{16} <= task.data_bytes);
      views[i] = view_at(to, 16, entry.length, task.aux + entry.heap);
      previous = to;
    }
  });
}

}  // namespace delta
