// GPU form of bit-unpacking; included by unpack.cuh only.
#pragma once

namespace unpack {

inline constexpr u32 kItems = 8;
inline constexpr u32 kWarpValues = kItems * target::kWarpSize;
inline constexpr u32 kMaxWarps = 8;

// Words that hold the values of a warp, a misaligned first word, and what extraction reads beyond.
template <typename Out>
inline constexpr u32 kStagedWords = kWarpValues * sizeof(Out) / 4 + 1 + sizeof(Out) / 4;

ARIADNE_INLINE void extract(const u32* words, u32 bit, u32 width, u32& value) {
  const u32* at = words + bit / 32;
  const u64 pair = static_cast<u64>(at[1]) << 32 | at[0];
  value = static_cast<u32>(pair >> bit % 32) & static_cast<u32>((u64{1} << width) - 1);
}

ARIADNE_INLINE void extract(const u32* words, u32 bit, u32 width, u64& value) {
  const u32* at = words + bit / 32;
  const u32 shift = bit % 32;
  const u64 low = (static_cast<u64>(at[1]) << 32 | at[0]) >> shift;
  const u64 high = static_cast<u64>(at[2]) << 32 << (32 - shift);  // 0 for shift 0
  value = (low | (shift == 0 ? 0 : high)) & (width == 64 ? ~u64{0} : (u64{1} << width) - 1);
}

// One warp: the values of `tile`, from staged words.
template <typename Out>
ARIADNE_FUNCTION void run_tile(const arguments<Out>& args, const u32* words, u64 word_count,
                               u32 skew, u64 tile, u32* staged) {
  const u32 lane = target::lane_index();
  const u64 first_word = tile * (kWarpValues / 32) * args.width;
  const u32 tile_words = kWarpValues / 32 * args.width + (skew != 0);
  const u64 rest = word_count - first_word;
  const u32 loaded = rest < tile_words ? static_cast<u32>(rest) : tile_words;
  const u32 staged_words = kWarpValues / 32 * args.width + 1 + sizeof(Out) / 4;
  for (u32 i = lane; i < staged_words; i += target::kWarpSize) {
    staged[i] = i < loaded ? target::load_ro(words + first_word + i) : 0;
  }
  target::warp_barrier();
#pragma unroll
  for (u32 k = 0; k < kItems; k++) {
    const u32 index = k * target::kWarpSize + lane;
    const u64 row = tile * kWarpValues + index;
    Out value;
    extract(staged, skew + index * args.width, args.width, value);
    if (row < args.count) {
      target::store(args.out + row, value);
    }
  }
  target::warp_barrier();
}

template <typename Out>
ARIADNE_FUNCTION void run(const arguments<Out>& args) {
  if (!is_valid(args, target::block_index() == 0 && target::thread_index() == 0)) {
    return;
  }
  ARIADNE_SHARED_ARRAY(u32, staged, kMaxWarps * kStagedWords<Out>);
  const u64 address = reinterpret_cast<u64>(args.packed);
  const u32 skew_bytes = static_cast<u32>(address % 4);
  const u32* words = reinterpret_cast<const u32*>(args.packed - skew_bytes);
  const u64 word_count = (skew_bytes + args.packed_bytes + 3) / 4;
  const u32 warps = target::block_size() / target::kWarpSize;
  const u64 tiles = (static_cast<u64>(args.count) + kWarpValues - 1) / kWarpValues;
  const u64 step = static_cast<u64>(target::grid_size()) * warps;
  u32* const own = staged + target::warp_index() * kStagedWords<Out>;
  for (u64 tile = static_cast<u64>(target::block_index()) * warps + target::warp_index();
       tile < tiles; tile += step) {
    run_tile(args, words, word_count, skew_bytes * 8, tile, own);
  }
}

}  // namespace unpack
