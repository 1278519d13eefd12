// Host form; included by format.cuh only.
#pragma once

#include "text/format_row.cuh"
#include "text/text.host.cuh"

namespace text {

inline constexpr u32 kFormattedRows = 1 << 12;  // between looks at the cancel word

// Two digits for each number below 100.
struct digit_pairs {
  u16 entry[100];

  constexpr digit_pairs() : entry() {
    for (u32 i = 0; i < 100; i++) {
      entry[i] = static_cast<u16>(('0' + i % 10) << 8 | ('0' + i / 10));
    }
  }
};

// Writes to memory.
struct writing_sink {
  u8* at;

  ARIADNE_MEMBER void put(u8 byte) { *at++ = byte; }
  ARIADNE_MEMBER void put_digits(u64 value, u32 count) {
    static constexpr digit_pairs pairs;
    u64 rest = value;
    u32 left = count;
    for (; left >= 2; left -= 2) {
      const u64 upper = rest / 100;
      __builtin_memcpy(at + left - 2, &pairs.entry[rest - upper * 100], sizeof(u16));
      rest = upper;
    }
    if (left != 0) {
      *at = static_cast<u8>('0' + rest % 10);
    }
    at += count;
  }
};

// The bytes of a string of up to twelve, of which sixteen may be read.
ARIADNE_INLINE string_view short_view(const u8* at, u32 length) {
  u64 low;
  u64 high;
  __builtin_memcpy(&low, at, sizeof(low));
  __builtin_memcpy(&high, at + sizeof(low), sizeof(high));
  low &= length >= 8 ? ~0ull : (1ull << length * 8) - 1;
  high &= length <= 8 ? 0 : (1ull << (length - 8) * 8) - 1;
  return {static_cast<i32>(length), static_cast<u32>(low), static_cast<u32>(low >> 32),
          static_cast<u32>(high)};
}

template <u32 Type>
static void format_all(const format_value_args& args, format_constant<Type>) {
  u8* next = args.heap;
  for (u32 row = 0; row < args.rows; row++) {
    if (row % kFormattedRows == 0 && status::cancelled(args.status)) {
      return;
    }
    u8 room[16];
    u8* const at = args.heap == nullptr ? room : next;
    writing_sink sink = {at};
    if (has_value(args, row)) {
      format<Type>(args, row, sink);
    }
    const u32 length = static_cast<u32>(sink.at - at);
    if (length > column::kInlineLength) {
      u32 prefix;
      __builtin_memcpy(&prefix, at, sizeof(prefix));
      args.out[row] = {static_cast<i32>(length), prefix, 0, static_cast<u32>(at - args.heap)};
      next = sink.at;
    } else {
      args.out[row] = short_view(at, length);
    }
  }
  args.status->detail[0] = static_cast<u64>(next - args.heap);
}

ARIADNE_FUNCTION void format_text(const format_value_args& args) {
  with_format(args.type, [&](auto type) { format_all(args, type); });
}

}  // namespace text
