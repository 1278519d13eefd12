// Walking the runs of a hybrid stream on the host.
#pragma once

#include "parquet/hybrid.cuh"
#include "unpack/unpack.cuh"

namespace hybrid {

// Where a run's values lie: behind its header, at `offset` of the stream.
struct run_body {
  const u8* at;
  u64 left;  // bytes of the stream from `at` on
  u64 offset;
};

// Calls sink.repeat(value, body, skipped, counted) or sink.unpack(body, skipped, counted) for each
// run until all wanted values are found, the sink returns false, an error is raised or the launch
// is cancelled (a hostile stream may hold any number of empty runs). The first `skipped` values of
// the run belong to the task's skipped part, the next `counted` to the other.
template <typename Sink>
ARIADNE_INLINE void walk_runs(const parquet_task& task, u32 number, kernel_status* status,
                              Sink& sink) {
  u32 skip = task.skip;
  u32 count = task.count;
  if (task.width == 0) {
    sink.repeat(0, {task.data, 0, 0}, skip, count);
    return;
  }
  const u32 value_bytes = (task.width + 7) / 8;
  for (u64 offset = 0; skip + count > 0 && !status::cancelled(status);) {
    const u64 left = task.data_bytes - offset;
    const u64 bytes = parquet::load_bytes(task.data + offset, left);
    const parquet::varint header = parquet::read_varint(bytes, left);
    if (header.length == 0) {
      parquet::raise(status, number, offset, header_error(left));
      return;
    }
    const u64 room = left - header.length;
    const bool is_packed = header.value & 1;
    const u64 length = static_cast<u64>(header.value >> 1) * (is_packed ? 8 : 1);
    const u32 wanted = length < skip + count ? static_cast<u32>(length) : skip + count;
    const u64 needed = is_packed ? (static_cast<u64>(wanted) * task.width + 7) / 8 : value_bytes;
    if (needed > room) {
      parquet::raise(status, number, offset, PARQUET_ERROR_TRUNCATED);
      return;
    }
    const u64 at = offset + header.length;
    const u32 skipped = wanted < skip ? wanted : skip;
    skip -= skipped;
    count -= wanted - skipped;
    const run_body body{task.data + at, room, at};
    bool goes_on = true;
    if (is_packed) {
      goes_on = sink.unpack(body, skipped, wanted - skipped);
      const u64 body_bytes = length / 8 * task.width;
      offset = at + (body_bytes < room ? body_bytes : room);
    } else {
      const u32 value = static_cast<u32>(parquet::load_bytes(body.at, room));
      if (wanted > 0) {
        goes_on = sink.repeat(value & value_mask(value_bytes), body, skipped, wanted - skipped);
      }
      offset = at + value_bytes;
    }
    if (!goes_on) {
      return;
    }
  }
}

// Values first, first + 1, ... of a bit-packed run, unpacked; `first` is a multiple of 8.
ARIADNE_INLINE void unpack_values(const run_body& body, u32 width, u32 first, u32* out, u32 count,
                                  kernel_status* status) {
  const u64 bytes = static_cast<u64>(first) / 8 * width;
  unpack::unpack_width<u32>({status, body.at + bytes, body.left - bytes, out, count, width},
                            unpack::indices<33>{});
}

// `count` values from `first` on, rounded up to whole groups if the stream is long enough for it:
// the unpacker is fastest when it sees nothing else.
ARIADNE_INLINE u32 whole_groups(const run_body& body, u32 width, u32 first, u32 count) {
  const u32 groups = (count + unpack::kGroup - 1) / unpack::kGroup;
  const u64 end = (static_cast<u64>(first) / 8 + groups * 8) * width + unpack::kOverread;
  return end <= body.left ? groups * unpack::kGroup : count;
}

inline constexpr u32 kTileValues = 1024;  // a multiple of 64
static_assert(kTileValues % unpack::kGroup == 0);

// Calls step(values, count, first) for unpacked pieces of values [first, first + count) of a run,
// the first of each piece being value `first`; stops when it returns false.
template <typename Step>
ARIADNE_INLINE bool for_unpacked(const run_body& body, u32 width, u32 first, u32 count,
                                 kernel_status* status, Step step) {
  alignas(64) u32 values[kTileValues];
  while (count > 0) {
    const u32 lead = first % 8;
    const u32 piece = count < kTileValues - lead ? count : kTileValues - lead;
    unpack_values(body, width, first - lead, values,
                  whole_groups(body, width, first - lead, lead + piece), status);
    if (!step(values + lead, piece, first)) {
      return false;
    }
    first += piece;
    count -= piece;
  }
  return true;
}

ARIADNE_INLINE u32 largest(const u32* values, u32 count) {
  u32 result = 0;
  for (u32 i = 0; i < count; i++) {
    result = values[i] > result ? values[i] : result;
  }
  return result;
}

// Byte of the stream where the first value above `maximum` begins; there is one.
ARIADNE_FUNCTION u64 offset_above(const run_body& body, u32 width, const u32* values, u32 first,
                                  u32 maximum) {
  u32 i = 0;
  while (values[i] <= maximum) {
    i++;
  }
  return body.offset + (static_cast<u64>(first) + i) * width / 8;
}

}  // namespace hybrid
