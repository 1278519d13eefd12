// GPU form; included by byte_stream_split.cuh only.
#pragma once

#include "parquet/staged.gpu.cuh"
#include "parquet/tiles.gpu.cuh"

namespace split {

inline constexpr u32 kTileValues = 128;
inline constexpr u32 kStreams = 16;  // staged at a time
inline constexpr u32 kStreamWords = parquet::staged_words(kTileValues);
inline constexpr u32 kMaxWarps = 4;

ARIADNE_INLINE u32 tile_values(const parquet_task&) { return kTileValues; }

// A warp's share: bytes `first_byte` to `first_byte` + bytes - 1 of `count` values.
struct piece {
  const parquet_task& task;
  u32 first;  // value of the task's output
  u32 count;
  u32 first_byte;
  u32 bytes;
};

// Stages the streams; gives where value 0 of stream k lies in its words, in bytes.
ARIADNE_INLINE void stage(const piece& part, u64 values, u32* staged) {
  for (u32 k = 0; k < part.bytes; k++) {
    const u64 stream = (part.first_byte + k) * values;
    const u8* from = part.task.data + stream + part.task.skip + part.first;
    parquet::stage_bytes(from, part.count, staged + k * kStreamWords);
  }
}

// Byte k of value i of the tile.
ARIADNE_INLINE u32 staged_byte(const piece& part, u64 values, const u32* staged, u32 k, u32 i) {
  const u64 from = reinterpret_cast<u64>(part.task.data) + (part.first_byte + k) * values +
                   part.task.skip + part.first;
  const u32 byte = static_cast<u32>(from % 4) + i;
  return staged[k * kStreamWords + byte / 4] >> 8 * (byte % 4) & 0xff;
}

// Output words, if the values consist of such.
ARIADNE_INLINE void write_words(const piece& part, u64 values, const u32* staged) {
  const u32 words = part.bytes / 4;
  for (u32 at = target::lane_index(); at < part.count * words; at += target::kWarpSize) {
    const u32 i = at / words;
    const u32 k = at % words * 4;
    u32 word = 0;
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
      word |= staged_byte(part, values, staged, k + b, i) << 8 * b;
    }
    u8* out = static_cast<u8*>(part.task.out) + part.first_byte + k;
    target::store(reinterpret_cast<u32*>(out + static_cast<u64>(part.first + i) * part.task.width),
                  word);
  }
}

ARIADNE_INLINE void write_bytes(const piece& part, u64 values, const u32* staged) {
  for (u32 at = target::lane_index(); at < part.count * part.bytes; at += target::kWarpSize) {
    const u32 i = at / part.bytes;
    const u32 k = at % part.bytes;
    u8* out = static_cast<u8*>(part.task.out) + part.first_byte + k;
    target::store(out + static_cast<u64>(part.first + i) * part.task.width,
                  static_cast<u8>(staged_byte(part, values, staged, k, i)));
  }
}

ARIADNE_FUNCTION void run(const parquet_byte_stream_split_args& args) {
  ARIADNE_SHARED_ARRAY(u32, staged, kMaxWarps * kStreams * kStreamWords);
  u32* const own = staged + target::warp_index() * kStreams * kStreamWords;
  parquet::for_tiles(args, tile_values, [&](const parquet_task& task, u32 number, u32 first) {
    const bool reports = first == 0 && target::lane_index() == 0;
    if (!is_valid(task, args.status, number, reports)) {
      return;
    }
    const u64 values = task.data_bytes / task.width;
    const u32 count = task.count - first < kTileValues ? task.count - first : kTileValues;
    for (u32 byte = 0; byte < task.width; byte += kStreams) {
      const u32 bytes = task.width - byte < kStreams ? task.width - byte : kStreams;
      const piece part = {task, first, count, byte, bytes};
      stage(part, values, own);
      if (task.width % 4 == 0) {
        write_words(part, values, own);
      } else {
        write_bytes(part, values, own);
      }
      target::warp_barrier();
    }
  });
}

}  // namespace split
