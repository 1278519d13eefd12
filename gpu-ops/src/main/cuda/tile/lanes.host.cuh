// Registers of a tile on the host, and the loops over them. Loops run over whole words of 64 rows:
// rows after the last one hold any bits, which no operation minds.
#pragma once

#include "element/wide.cuh"
#include "tile/tile_program.cuh"

namespace tile {

inline constexpr u32 kRows = TILE_HOST_ROWS;
inline constexpr u32 kWords = kRows / 64;

// What a program computes on while it runs over one tile.
struct host_tile {
  const i64* lane[TILE_MAX_LANES];  // a register's values: in lane_room, or a column
  i64* lane_room;                   // kRows values per lane register
  u64* mask_room;                   // kWords words per mask register
  u64* filter;                      // kWords words: rows that FILTER kept
  u16* selection;                   // their numbers, once a store has asked for them
  bool is_selection_built;
  u32 first_row;  // of the tile
  u32 rows;       // of the tile
  u32 words;      // rows rounded up to words of 64
  u32 selected;   // rows that FILTER kept, all without FILTER
  u64 stored;     // rows stored by the tiles before

  ARIADNE_MEMBER u32 padded_rows() const { return words * 64; }
  // Bits of the rows that exist in a word.
  ARIADNE_MEMBER u64 live_bits(u32 word) const {
    const u32 left = rows - word * 64;
    return left >= 64 ? ~0ull : (1ull << left) - 1;
  }
  // Bits of the rows that FILTER kept and, when the register is one, that a mask keeps too.
  ARIADNE_MEMBER u64 kept_bits(u32 word, u8 mask_register) const {
    const u64 kept = filter[word];
    return mask_register == TILE_NO_REGISTER ? kept : kept & mask(mask_register)[word];
  }
  ARIADNE_MEMBER u64* mask(u32 index) const { return mask_room + index * kWords; }
  ARIADNE_MEMBER i64* write(u32 index) {
    i64* room = lane_room + index * kRows;
    lane[index] = room;
    return room;
  }
};

// A register value seen as its type, and back.
template <typename T>
ARIADNE_INLINE T from_lane(i64 bits) {
  return __builtin_bit_cast(T, bits);
}
ARIADNE_INLINE i64 to_lane(i64 value) { return value; }
ARIADNE_INLINE i64 to_lane(f64 value) { return __builtin_bit_cast(i64, value); }

// An operand: a register, or the same value for every row.
struct lane_operand {
  const i64* lane;
  i64 value;
};
struct wide_operand {
  const i64* low;
  const i64* high;
  i128 value;
};

// r[dst] = f(r[a])
template <typename In, typename F>
ARIADNE_INLINE void map_unary(host_tile& tile, u32 dst, u32 a, F f) {
  const i64* in = tile.lane[a];
  i64* out = tile.write(dst);
  const u32 rows = tile.padded_rows();
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < rows; i++) {
    out[i] = to_lane(f(from_lane<In>(in[i])));
  }
}

template <typename In, typename A, typename B, typename F>
ARIADNE_INLINE void map_rows(i64* out, u32 rows, A a, B b, F f) {
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < rows; i++) {
    out[i] = to_lane(f(from_lane<In>(a(i)), from_lane<In>(b(i))));
  }
}

// Calls body(a, b) with functions from row to operand; one instance of the loop per form.
template <typename Body>
ARIADNE_INLINE void with_operands(const lane_operand& a, const lane_operand& b, Body body) {
  const i64* x = a.lane;
  const i64* y = b.lane;
  const i64 constant_a = a.value;
  const i64 constant_b = b.value;
  const auto register_a = [x](u32 i) { return x[i]; };
  const auto register_b = [y](u32 i) { return y[i]; };
  if (x == nullptr) {
    body([constant_a](u32) { return constant_a; }, register_b);
  } else if (y == nullptr) {
    body(register_a, [constant_b](u32) { return constant_b; });
  } else {
    body(register_a, register_b);
  }
}

// The same for functions with branches.
template <typename In, typename F>
ARIADNE_INLINE void map_unary_scalar(host_tile& tile, u32 dst, u32 a, F f) {
  const i64* in = tile.lane[a];
  i64* out = tile.write(dst);
  const u32 rows = tile.padded_rows();
  for (u32 i = 0; i < rows; i++) {
    out[i] = to_lane(f(from_lane<In>(in[i])));
  }
}

template <typename In, typename F>
ARIADNE_INLINE void map_binary_scalar(host_tile& tile, u32 dst, const lane_operand& a,
                                      const lane_operand& b, F f) {
  i64* out = tile.write(dst);
  const u32 rows = tile.padded_rows();
  for (u32 i = 0; i < rows; i++) {
    const i64 x = a.lane == nullptr ? a.value : a.lane[i];
    const i64 y = b.lane == nullptr ? b.value : b.lane[i];
    out[i] = to_lane(f(from_lane<In>(x), from_lane<In>(y)));
  }
}

// r[dst] = f(a, b)
template <typename In, typename F>
ARIADNE_INLINE void map_binary(host_tile& tile, u32 dst, const lane_operand& a,
                               const lane_operand& b, F f) {
  i64* out = tile.write(dst);
  const u32 rows = tile.padded_rows();
  with_operands(a, b, [&](auto x, auto y) { map_rows<In>(out, rows, x, y, f); });
}

using target::pack_truths;

// out bit i = f(i)
template <typename F>
ARIADNE_INLINE void map_bits(u64* out, u32 words, F f) {
  for (u32 w = 0; w < words; w++) {
    u8 truths[64];
#pragma clang loop vectorize(assume_safety)
    for (u32 k = 0; k < 64; k++) {
      truths[k] = f(w * 64 + k) ? 1 : 0;
    }
    out[w] = pack_truths(truths);
  }
}

// m[dst] = f(a, b)
template <typename In, typename F>
ARIADNE_INLINE void compare(host_tile& tile, u32 dst, const lane_operand& a, const lane_operand& b,
                            F f) {
  u64* out = tile.mask(dst);
  const u32 words = tile.words;
  with_operands(a, b, [&](auto x, auto y) {
    map_bits(out, words, [=](u32 i) { return f(from_lane<In>(x(i)), from_lane<In>(y(i))); });
  });
}

template <typename F>
ARIADNE_INLINE void map_unary_wide(host_tile& tile, u32 dst, u32 a, F f) {
  const i64* low = tile.lane[a];
  const i64* high = tile.lane[a + 1];
  i64* out_low = tile.write(dst);
  i64* out_high = tile.write(dst + 1);
  const u32 rows = tile.padded_rows();
  for (u32 i = 0; i < rows; i++) {
    const i128 value = f(element::join(low[i], high[i]));
    out_low[i] = element::low_half(value);
    out_high[i] = element::high_half(value);
  }
}

ARIADNE_INLINE i128 wide_at(const wide_operand& operand, u32 i) {
  return operand.low == nullptr ? operand.value : element::join(operand.low[i], operand.high[i]);
}

template <typename F>
ARIADNE_INLINE void map_binary_wide(host_tile& tile, u32 dst, const wide_operand& a,
                                    const wide_operand& b, F f) {
  i64* out_low = tile.write(dst);
  i64* out_high = tile.write(dst + 1);
  const u32 rows = tile.padded_rows();
  for (u32 i = 0; i < rows; i++) {
    const i128 value = f(wide_at(a, i), wide_at(b, i));
    out_low[i] = element::low_half(value);
    out_high[i] = element::high_half(value);
  }
}

}  // namespace tile
