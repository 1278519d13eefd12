// Instructions on strings, on the host: row by row.
#pragma once

#include "text/text.host.cuh"
#include "tile/byte_hash.cuh"
#include "tile/lanes.host.cuh"

namespace tile {

// A string operand: views in registers, or the same string for every row.
struct text_operand {
  const i64* low;
  const i64* high;
  const void* const* heaps;
  text::memory_text constant;

  ARIADNE_MEMBER bool is_constant() const { return low == nullptr; }
  ARIADNE_MEMBER text::memory_text at(u32 i, u64 (&room)[2]) const {
    return is_constant() ? constant : text::of_view(low[i], high[i], heaps, room);
  }
};

ARIADNE_INLINE text_operand text_of(const host_tile& tile, const tile_program_args& args,
                                    const tile_instruction& code, u8 index, u8 constant_flag,
                                    u32 input) {
  if ((code.flags & constant_flag) != 0) {
    return {nullptr, nullptr, nullptr, {constant_bytes(args, code.imm), constant_length(code.imm)}};
  }
  return {tile.lane[index % TILE_MAX_LANES],
          tile.lane[(index + 1) % TILE_MAX_LANES],
          args.inputs[input % TILE_MAX_INPUTS].heaps,
          {nullptr, 0}};
}

ARIADNE_INLINE text_operand first_text(const host_tile& tile, const tile_program_args& args,
                                       const tile_instruction& code) {
  return text_of(tile, args, code, code.a, TILE_A_CONSTANT, code.aux & 255u);
}
ARIADNE_INLINE text_operand second_text(const host_tile& tile, const tile_program_args& args,
                                        const tile_instruction& code) {
  return text_of(tile, args, code, code.b, TILE_B_CONSTANT, code.aux >> 8);
}

// m[dst] = f(row), of the rows that count.
template <typename F>
ARIADNE_INLINE void test_rows(host_tile& tile, const tile_instruction& code, F f) {
  u64* out = tile.mask(code.dst);
  const u64* mask = code.mask == TILE_NO_REGISTER ? nullptr : tile.mask(code.mask);
  for (u32 w = 0; w < tile.words; w++) {
    u64 left = tile.live_bits(w) & (mask == nullptr ? ~0ull : mask[w]);
    u64 bits = 0;
    for (; left != 0; left &= left - 1) {
      const u32 k = static_cast<u32>(__builtin_ctzll(left));
      bits |= static_cast<u64>(f(w * 64 + k)) << k;
    }
    out[w] = bits;
  }
}

// m[dst] = f(a, b) of strings that need not be looked at where their views tell.
template <typename Quick, typename F>
ARIADNE_INLINE void test_texts(host_tile& tile, const tile_program_args& args,
                               const tile_instruction& code, Quick quick, F f) {
  const text_operand x = first_text(tile, args, code);
  const text_operand y = second_text(tile, args, code);
  test_rows(tile, code, [&](u32 i) {
    if (!quick(x, y, i)) {
      return false;
    }
    u64 room_x[2];
    u64 room_y[2];
    return f(x.at(i, room_x), y.at(i, room_y));
  });
}

// Whether strings may be equal: their lengths and first bytes are.
ARIADNE_INLINE bool may_equal(const text_operand& x, const text_operand& y, u32 i) {
  return x.is_constant() || y.is_constant() || x.low[i] == y.low[i];
}
ARIADNE_INLINE bool may_hold(const text_operand&, const text_operand&, u32) { return true; }

static void test_like(host_tile& tile, const tile_program_args& args,
                      const tile_instruction& code) {
  using text::memory_text;
  const text_operand y = second_text(tile, args, code);
  const text::pattern_parts parts(y.is_constant() ? y.constant : memory_text{nullptr, 0});
  if (y.is_constant() && parts.count != 0) {
    test_texts(tile, args, code, may_hold,
               [&](const memory_text& a, const memory_text&) { return parts.matches(a); });
    return;
  }
  test_texts(tile, args, code, may_hold,
             [](const memory_text& a, const memory_text& b) { return text::is_like(a, b); });
}

static bool run_text_test(host_tile& tile, const tile_program_args& args,
                          const tile_instruction& code) {
  using text::memory_text;
  switch (code.op) {
    case TILE_EQ_VIEW:
      test_texts(tile, args, code, may_equal,
                 [](const memory_text& a, const memory_text& b) { return text::equals(a, b); });
      return true;
    case TILE_STARTS_VIEW:
      test_texts(tile, args, code, may_hold, [](const memory_text& a, const memory_text& b) {
        return text::starts_with(a, b);
      });
      return true;
    case TILE_ENDS_VIEW:
      test_texts(tile, args, code, may_hold,
                 [](const memory_text& a, const memory_text& b) { return text::ends_with(a, b); });
      return true;
    case TILE_CONTAINS_VIEW:
      test_texts(tile, args, code, may_hold,
                 [](const memory_text& a, const memory_text& b) { return text::contains(a, b); });
      return true;
    case TILE_LIKE_VIEW:
      test_like(tile, args, code);
      return true;
    default:
      return false;
  }
}

static bool run_text_number(host_tile& tile, const tile_program_args& args,
                            const tile_instruction& code) {
  const text_operand x = first_text(tile, args, code);
  const text_operand y = second_text(tile, args, code);
  const auto map = [&](auto f) {
    i64* out = tile.write(code.dst);
    const u32 rows = tile.rows;
    for (u32 i = 0; i < rows; i++) {
      u64 room[2];
      const text::memory_text a = x.at(i, room);
      out[i] = f(i, a);
    }
  };
  switch (code.op) {
    case TILE_COMPARE_VIEW:
      map([&](u32 i, const text::memory_text& a) {
        u64 room[2];
        return i64{text::compare(a, y.at(i, room))};
      });
      return true;
    case TILE_POSITION_VIEW: {
      const i64* start = tile.lane[code.mask % TILE_MAX_LANES];
      map([&](u32 i, const text::memory_text& a) {
        u64 room[2];
        const text::memory_text b = y.at(i, room);
        return i64{text::position_of(a, b, start[i])};
      });
      return true;
    }
    case TILE_LENGTH_VIEW:
      map([](u32, const text::memory_text& a) {
        return text::is_ascii(a) ? i64{a.length} : i64{text::characters(a)};
      });
      return true;
    case TILE_CODE_POINT_VIEW:
      map([](u32, const text::memory_text& a) { return i64{text::first_code_point(a)}; });
      return true;
    default:
      return false;
  }
}

// The view of a part of the string whose view is given.
ARIADNE_INLINE void write_view(i64 high, const text::memory_text& a, text::range part, i64& out_low,
                               i64& out_high) {
  const u32 length = part.to - part.from;
  u64 bytes[2] = {};
  if (length <= column::kInlineLength) {
    __builtin_memcpy(bytes, a.at + part.from, length);
    out_low = static_cast<i64>(bytes[0] << 32 | length);
    out_high = static_cast<i64>(bytes[0] >> 32 | bytes[1] << 32);
    return;
  }
  u32 prefix;
  __builtin_memcpy(&prefix, a.at + part.from, sizeof(prefix));
  out_low = static_cast<i64>(static_cast<u64>(prefix) << 32 | length);
  out_high = static_cast<i64>(static_cast<u64>(high) + (static_cast<u64>(part.from) << 32));
}

template <typename F>
ARIADNE_INLINE void map_parts(host_tile& tile, const tile_program_args& args,
                              const tile_instruction& code, F f) {
  const text_operand x = text_of(tile, args, code, code.a, 0, code.aux & 255u);
  i64* low = tile.write(code.dst);
  i64* high = tile.write(code.dst + 1);
  const u32 rows = tile.rows;
  for (u32 i = 0; i < rows; i++) {
    u64 room[2];
    const text::memory_text a = x.at(i, room);
    const i64 place = x.high[i];
    write_view(place, a, f(i, a), low[i], high[i]);
  }
}

static bool run_text_part(host_tile& tile, const tile_program_args& args,
                          const tile_instruction& code) {
  using text::memory_text;
  switch (code.op) {
    case TILE_SUBSTRING_VIEW: {
      const i64* position = tile.lane[code.b % TILE_MAX_LANES];
      const i64* count = tile.lane[code.mask % TILE_MAX_LANES];
      map_parts(tile, args, code, [&](u32 i, const memory_text& a) {
        return text::substring(a, static_cast<i32>(position[i]), static_cast<i32>(count[i]));
      });
      return true;
    }
    case TILE_TRIM_VIEW: {
      const memory_text set = {constant_bytes(args, code.imm), constant_length(code.imm)};
      const u32 sides = code.aux >> 8;
      map_parts(tile, args, code, [&](u32, const memory_text& a) {
        return set.length == 0 ? text::trim_spaces(a, sides) : text::trim(a, set, sides);
      });
      return true;
    }
    default:
      return false;
  }
}

static bool run_text(host_tile& tile, const tile_program_args& args, const tile_instruction& code) {
  return run_text_test(tile, args, code) || run_text_number(tile, args, code) ||
         run_text_part(tile, args, code);
}

}  // namespace tile
