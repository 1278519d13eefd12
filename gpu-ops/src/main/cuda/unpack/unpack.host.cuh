// Host form of bit-unpacking; included by unpack.cuh only.
//
// Eight values of W bits fill W bytes, so the byte and the shift at which each value starts repeat
// and are constants of the instance. A vector takes 16-byte lanes from the input, a byte shuffle
// brings each value's bytes into its lane, and a shift and a mask per lane finish it.
#pragma once

namespace unpack {

inline constexpr u32 kGroup = 64;            // values per step: 8 * W bytes
inline constexpr u32 kOverread = 16;         // bytes a step may read behind its own
inline constexpr u32 kPollValues = 1 << 16;  // values between looks at the cancel word

using bytes16 = u8 __attribute__((ext_vector_type(16)));
using bytes32 = u8 __attribute__((ext_vector_type(32)));

template <typename T, T... Values>
struct sequence {};
template <u32 Count>
using indices = __make_integer_seq<sequence, u32, Count>;

constexpr u32 common_power_of_two(u32 width) {
  return width % 8 == 0 ? 8 : width % 4 == 0 ? 4 : width % 2 == 0 ? 2 : 1;
}

// Whether each value lies within a word of `bits` that starts at the value's first byte.
constexpr bool fits(u32 width, u32 bits) { return width + 8 - common_power_of_two(width) <= bits; }

// Where the values of one 32-byte vector lie: lanes of LaneBits in two 16-byte blocks. `First` is
// the vector's first value, counted from a byte boundary: 0 or, for 64-bit lanes, 4.
template <u32 Width, u32 LaneBits, u32 First>
struct layout {
  static constexpr u32 kBlockValues = 128 / LaneBits;
  static constexpr u32 kVectorValues = 2 * kBlockValues;

  static constexpr u32 block_bit(u32 block) { return (First + block * kBlockValues) * Width; }
  // Bit of a value of the vector, counted from its block's first byte.
  static constexpr u32 bit(u32 value) {
    return block_bit(value / kBlockValues) % 8 + value % kBlockValues * Width;
  }
  static constexpr u32 source_byte(u32 target_byte) {
    constexpr u32 lane_bytes = LaneBits / 8;
    const u32 value = target_byte / lane_bytes;
    const u32 byte = bit(value) / 8 + target_byte % lane_bytes;
    return value / kBlockValues * 16 + (byte < 16 ? byte : 15);
  }
};

template <u32 Offset0, u32 Offset1>
ARIADNE_INLINE bytes32 load_blocks(const u8* in) {
  bytes16 low;
  bytes16 high;
  __builtin_memcpy(&low, in + Offset0, 16);
  __builtin_memcpy(&high, in + Offset1, 16);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
}

template <typename Layout, u32... Bytes>
ARIADNE_INLINE bytes32 gather_bytes(const u8* in, sequence<u32, Bytes...>) {
  using at = Layout;
  const bytes32 blocks = load_blocks<at::block_bit(0) / 8, at::block_bit(1) / 8>(in);
  return __builtin_shufflevector(blocks, blocks, at::source_byte(Bytes)...);
}

template <typename Lane, u32 Width, typename Layout, u32... Values>
ARIADNE_INLINE auto shift_and_mask(bytes32 bytes, sequence<u32, Values...>) {
  using vector = Lane __attribute__((ext_vector_type(32 / sizeof(Lane))));
  constexpr Lane mask = static_cast<Lane>(~Lane{0}) >> (8 * sizeof(Lane) - Width);
  const vector shifts = {(Layout::bit(Values) % 8)...};
  return (__builtin_bit_cast(vector, bytes) >> shifts) & mask;
}

// Values through one 32-byte vector of Lane, from value `First` of eight on.
template <typename Lane, u32 Width, u32 First, typename Out>
ARIADNE_INLINE void unpack_vector(const u8* in, Out* out) {
  using at = layout<Width, 8 * sizeof(Lane), First>;
  const bytes32 bytes = gather_bytes<at>(in, indices<32>{});
  const auto values = shift_and_mask<Lane, Width, at>(bytes, indices<at::kVectorValues>{});
  using result = Out __attribute__((ext_vector_type(at::kVectorValues)));
  const result converted = __builtin_convertvector(values, result);
  __builtin_memcpy(out + First, &converted, sizeof(converted));
}

// A value that may span nine bytes.
template <u32 Width>
ARIADNE_INLINE u64 unpack_wide(const u8* in, u32 value) {
  const u32 bit = value * Width;
  u64 low;
  __builtin_memcpy(&low, in + bit / 8, 8);
  const u64 high = in[bit / 8 + 8];
  const u32 shift = bit % 8;
  const u64 joined = shift == 0 ? low : low >> shift | high << (64 - shift);
  return joined & (~u64{0} >> (64 - Width));
}

// kGroup values; reads up to kOverread bytes behind them.
template <u32 Width, typename Out>
ARIADNE_INLINE void unpack_group(const u8* in, Out* out) {
  if constexpr (Width == 0) {
    for (u32 i = 0; i < kGroup; i++) {
      out[i] = 0;
    }
  } else if constexpr (sizeof(Out) == 4 && fits(Width, 32)) {
#pragma unroll
    for (u32 i = 0; i < kGroup; i += 8) {
      unpack_vector<u32, Width, 0>(in + i * Width / 8, out + i);
    }
  } else if constexpr (fits(Width, 64)) {
#pragma unroll
    for (u32 i = 0; i < kGroup; i += 8) {
      unpack_vector<u64, Width, 0>(in + i * Width / 8, out + i);
      unpack_vector<u64, Width, 4>(in + i * Width / 8, out + i);
    }
  } else {
    for (u32 i = 0; i < kGroup; i++) {
      out[i] = static_cast<Out>(unpack_wide<Width>(in, i));
    }
  }
}

// Fewer than kGroup values, or input too close to its end: through a copy.
template <u32 Width, typename Out>
ARIADNE_FUNCTION void unpack_rest(const u8* in, u64 in_bytes, Out* out, u32 count) {
  alignas(64) u8 bytes[kGroup * sizeof(Out) + kOverread] = {};
  alignas(64) Out values[kGroup];
  const u64 wanted = kGroup / 8 * Width;
  __builtin_memcpy(bytes, in, in_bytes < wanted ? in_bytes : wanted);
  unpack_group<Width>(bytes, values);
  __builtin_memcpy(out, values, count * sizeof(Out));
}

template <u32 Width, typename Out>
ARIADNE_FUNCTION void unpack_all(const arguments<Out>& args) {
  constexpr u64 group_bytes = kGroup / 8 * Width;
  const u8* in = args.packed;
  u64 left_bytes = args.packed_bytes;
  for (u32 row = 0; row < args.count;) {
    if (status::cancelled(args.status)) {
      return;
    }
    const u32 end = args.count - row < kPollValues ? args.count : row + kPollValues;
    for (; end - row >= kGroup && left_bytes >= group_bytes + kOverread; row += kGroup) {
      unpack_group<Width>(in, args.out + row);
      in += group_bytes;
      left_bytes -= group_bytes;
    }
    while (row < end) {
      const u32 count = end - row < kGroup ? end - row : kGroup;
      unpack_rest<Width>(in, left_bytes, args.out + row, count);
      row += count;
      in += group_bytes;
      left_bytes -= left_bytes < group_bytes ? left_bytes : group_bytes;
    }
  }
}

// One function per width, chosen by a table of constants.
template <typename Out, u32... Widths>
ARIADNE_INLINE void unpack_width(const arguments<Out>& args, sequence<u32, Widths...>) {
  using function = void (*)(const arguments<Out>&);
  static constexpr function table[] = {unpack_all<Widths, Out>...};
  table[args.width](args);
}

template <typename Out>
ARIADNE_FUNCTION void run(const arguments<Out>& args) {
  if (is_valid(args, true)) {
    unpack_width(args, indices<8 * sizeof(Out) + 1>{});
  }
}

}  // namespace unpack
