// Instructions on strings, on the GPU: each thread reads the strings of its rows, one row after the
// other.
#pragma once

#include "text/text.gpu.cuh"
#include "tile/byte_hash.cuh"
#include "tile/lanes.gpu.cuh"

namespace tile {

// A string operand of a row: the view in a register pair, or a constant.
ARIADNE_INLINE text::word_text text_of(const gpu_tile& tile, const tile_instruction& code, u8 index,
                                       u8 constant_flag, u32 input, u32 item) {
  if ((code.flags & constant_flag) != 0) {
    return text::word_text(constant_bytes(tile.args, code.imm), constant_length(code.imm));
  }
  return text::word_text(tile.lane(index, item), tile.lane(index + 1, item),
                         tile.args.inputs[input % TILE_MAX_INPUTS].heaps);
}

ARIADNE_INLINE text::word_text first_text(const gpu_tile& tile, const tile_instruction& code,
                                          u32 item) {
  return text_of(tile, code, code.a, TILE_A_CONSTANT, code.aux & 255u, item);
}
ARIADNE_INLINE text::word_text second_text(const gpu_tile& tile, const tile_instruction& code,
                                           u32 item) {
  return text_of(tile, code, code.b, TILE_B_CONSTANT, code.aux >> 8, item);
}

// The rows of a thread: those that are, and are kept.
ARIADNE_INLINE bool is_row(const gpu_tile& tile, u32 item) {
  return tile.row(item) < tile.args.rows;
}

ARIADNE_INLINE bool test_texts(const tile_instruction& code, text::word_text& a,
                               text::word_text& b) {
  switch (code.op) {
    case TILE_EQ_VIEW:
      return text::equals(a, b);
    case TILE_STARTS_VIEW:
      return text::starts_with(a, b);
    case TILE_ENDS_VIEW:
      return text::ends_with(a, b);
    case TILE_CONTAINS_VIEW:
      return text::contains(a, b);
    default:
      return text::is_like(a, b);
  }
}

ARIADNE_INLINE void run_text_test(const gpu_tile& tile, const tile_instruction& code) {
  const u32 wanted = code.mask == TILE_NO_REGISTER ? ~0u : tile.mask(code.mask);
  u32 bits = 0;
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    if (is_row(tile, j) && (wanted >> j & 1) != 0) {
      text::word_text a = first_text(tile, code, j);
      text::word_text b = second_text(tile, code, j);
      bits |= static_cast<u32>(test_texts(code, a, b)) << j;
    }
  }
  tile.mask(code.dst) = static_cast<u8>(bits);
}

ARIADNE_INLINE i64 number_of(const gpu_tile& tile, const tile_instruction& code, u32 item) {
  text::word_text a = first_text(tile, code, item);
  switch (code.op) {
    case TILE_COMPARE_VIEW: {
      text::word_text b = second_text(tile, code, item);
      return text::compare(a, b);
    }
    case TILE_POSITION_VIEW: {
      text::word_text b = second_text(tile, code, item);
      return text::position_of(a, b, tile.lane(code.mask, item));
    }
    case TILE_LENGTH_VIEW:
      return text::characters(a);
    default:
      return text::first_code_point(a);
  }
}

ARIADNE_INLINE void run_text_number(const gpu_tile& tile, const tile_instruction& code) {
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    tile.lane(code.dst, j) = is_row(tile, j) ? number_of(tile, code, j) : 0;
  }
}

// Writes the view of a part of the string whose view is w[a].
ARIADNE_INLINE void write_view(const gpu_tile& tile, const tile_instruction& code, u32 item,
                               text::word_text& a, text::range part) {
  const u32 length = part.to - part.from;
  const u32 shown = length <= column::kInlineLength ? length : 4;
  const u64 place = static_cast<u64>(tile.lane(code.a + 1, item));
  u64 low = length;
  u64 high = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < shown; i++) {
    const u64 byte = a.byte(part.from + i);
    if (i < 4) {
      low |= byte << (32 + 8 * i);
    } else {
      high |= byte << 8 * (i - 4);
    }
  }
  if (length > column::kInlineLength) {
    high = place + (static_cast<u64>(part.from) << 32);
  }
  tile.lane(code.dst, item) = static_cast<i64>(low);
  tile.lane(code.dst + 1, item) = static_cast<i64>(high);
}

ARIADNE_INLINE void run_text_part(const gpu_tile& tile, const tile_instruction& code) {
#pragma clang loop unroll(disable)
  for (u32 j = 0; j < kItems; j++) {
    if (!is_row(tile, j)) {
      tile.lane(code.dst, j) = 0;
      tile.lane(code.dst + 1, j) = 0;
      continue;
    }
    text::word_text a = text_of(tile, code, code.a, 0, code.aux & 255u, j);
    text::range part;
    if (code.op == TILE_SUBSTRING_VIEW) {
      part = text::substring(a, static_cast<i32>(tile.lane(code.b, j)),
                             static_cast<i32>(tile.lane(code.mask, j)));
    } else if (constant_length(code.imm) == 0) {
      part = text::trim_spaces(a, code.aux >> 8);
    } else {
      text::word_text set(constant_bytes(tile.args, code.imm), constant_length(code.imm));
      part = text::trim(a, set, code.aux >> 8);
    }
    write_view(tile, code, j, a, part);
  }
}

ARIADNE_INLINE bool run_text(const gpu_tile& tile, const tile_instruction& code) {
  switch (code.op) {
    case TILE_EQ_VIEW:
    case TILE_STARTS_VIEW:
    case TILE_ENDS_VIEW:
    case TILE_CONTAINS_VIEW:
    case TILE_LIKE_VIEW:
      run_text_test(tile, code);
      return true;
    case TILE_COMPARE_VIEW:
    case TILE_POSITION_VIEW:
    case TILE_LENGTH_VIEW:
    case TILE_CODE_POINT_VIEW:
      run_text_number(tile, code);
      return true;
    case TILE_SUBSTRING_VIEW:
    case TILE_TRIM_VIEW:
      run_text_part(tile, code);
      return true;
    default:
      return false;
  }
}

}  // namespace tile
