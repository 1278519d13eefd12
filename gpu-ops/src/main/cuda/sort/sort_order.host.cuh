// Host form of sort_order. Keys of at most 32 bits share a word with the row number.
#pragma once

namespace sort {

inline constexpr u32 kMaxDigitBits = 9;
inline constexpr u32 kMaxDigits = (64 + kMaxDigitBits - 1) / kMaxDigitBits;

struct narrow_element {
  u64 word;
  ARIADNE_MEMBER static narrow_element of(u64 key, u32 row) { return {key << 32 | row}; }
  ARIADNE_MEMBER u64 key() const { return word >> 32; }
  ARIADNE_MEMBER u32 row() const { return static_cast<u32>(word); }
};

struct alignas(16) wide_element {
  u64 word;
  u64 number;
  ARIADNE_MEMBER static wide_element of(u64 key, u32 row) { return {key, row}; }
  ARIADNE_MEMBER u64 key() const { return word; }
  ARIADNE_MEMBER u32 row() const { return static_cast<u32>(number); }
};

struct digit_counts {
  u32 of[kMaxDigits][1 << kMaxDigitBits];
};

template <typename Element>
ARIADNE_FUNCTION void load_elements(const sort_order_args& args, Element* elements, u32 digits,
                                    u32 digit_bits, digit_counts& counts) {
  const u64 mask = (u64{1} << digit_bits) - 1;
  for (u32 i = 0; i < args.rows; i++) {
    const u32 row = args.is_first != 0 ? i : args.row_numbers[i];
    const u64 key = args.keys[row];
    elements[i] = Element::of(key, row);
    for (u32 d = 0; d < digits; d++) {
      counts.of[d][key >> d * digit_bits & mask]++;
    }
  }
}

template <typename Element>
ARIADNE_FUNCTION void order_elements(const sort_order_args& args) {
  Element* from = reinterpret_cast<Element*>(args.elements);
  Element* to = reinterpret_cast<Element*>(args.sorted);
  const u32 digits = (args.bits + kMaxDigitBits - 1) / kMaxDigitBits;
  const u32 digit_bits = (args.bits + digits - 1) / digits;
  const u64 mask = (u64{1} << digit_bits) - 1;
  digit_counts counts = {};
  load_elements(args, from, digits, digit_bits, counts);
  for (u32 d = 0; d < digits && !status::cancelled(args.status); d++) {
    u32* next = counts.of[d];
    u32 sum = 0;
    for (u32 digit = 0; digit <= mask; digit++) {
      const u32 count = next[digit];
      next[digit] = sum;
      sum += count;
    }
    const u32 shift = d * digit_bits;
    for (u32 i = 0; i < args.rows; i++) {
      const Element element = from[i];
      to[next[element.key() >> shift & mask]++] = element;
    }
    Element* const other = from;
    from = to;
    to = other;
  }
  for (u32 i = 0; i < args.rows; i++) {
    args.row_numbers[i] = from[i].row();
  }
}

ARIADNE_FUNCTION void order(const sort_order_args& args) {
  if (args.phase != ORDER_LOAD) {
    return;
  }
  if (args.bits <= 32) {
    order_elements<narrow_element>(args);
  } else {
    order_elements<wide_element>(args);
  }
}

}  // namespace sort
