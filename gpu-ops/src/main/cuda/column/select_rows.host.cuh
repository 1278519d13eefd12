// Host form; included by select_rows.cuh only.
#pragma once

namespace selection {

inline constexpr u32 kPollWords = 1 << 10;

// For each byte the positions of its set bits, the first eight of them being all there are.
struct position_table {
  u8 at[256][8];
};

constexpr position_table make_positions() {
  position_table table = {};
  for (u32 byte = 0; byte < 256; byte++) {
    u32 count = 0;
    for (u32 bit = 0; bit < 8; bit++) {
      if (byte >> bit & 1) {
        table.at[byte][count++] = static_cast<u8>(bit);
      }
    }
  }
  return table;
}

static constexpr position_table kPositions = make_positions();

using bytes8 = u8 __attribute__((ext_vector_type(8)));
using words8 = u32 __attribute__((ext_vector_type(8)));

// The mask word with nulls and the bits behind the last row cleared.
ARIADNE_INLINE u64 live_word(const select_rows_args& args, u32 word) {
  u64 bits = args.mask[word];
  if (args.validity != nullptr) {
    bits &= args.validity[word];
  }
  const u32 rest = args.rows - word * 64;
  return rest < 64 ? bits & ((u64{1} << rest) - 1) : bits;
}

// Appends the numbers of eight rows' set bits; writes eight whatever their count, which stay below
// `rows` rounded up to eight.
ARIADNE_INLINE u32 append(u32* out, u32 count, u32 first_row, u32 byte) {
  bytes8 positions;
  __builtin_memcpy(&positions, kPositions.at[byte], sizeof(positions));
  const words8 numbers = __builtin_convertvector(positions, words8) + first_row;
  __builtin_memcpy(out + count, &numbers, sizeof(numbers));
  return count + static_cast<u32>(__builtin_popcount(byte));
}

ARIADNE_FUNCTION void run(const select_rows_args& args) {
  const u32 words = (args.rows + 63) / 64;
  u32 count = 0;
  for (u32 word = 0; word < words; word++) {
    if (word % kPollWords == 0 && status::cancelled(args.status)) {
      return;
    }
    const u64 bits = live_word(args, word);
    if (bits == 0) {
      continue;
    }
    for (u32 i = 0; i < 8; i++) {
      const u32 first_row = word * 64 + i * 8;
      if (first_row < args.rows) {
        count = append(args.indices, count, first_row, bits >> i * 8 & 0xff);
      }
    }
  }
  args.status->rows_out = count;
}

}  // namespace selection
