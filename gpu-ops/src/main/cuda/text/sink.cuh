// Where kernels put the bytes of the strings they make: the first pass counts them, the second
// writes them.
#pragma once

#include "element/decimal.cuh"
#include "text/text.cuh"

namespace text {

// Counts what is put.
struct counting_sink {
  u64 length;
  bool is_covered;

  ARIADNE_MEMBER void put(u8) { length++; }
  // `count` digits of a number below 10^count, zeros in front.
  ARIADNE_MEMBER void put_digits(u64, u32 count) { length += count; }
  template <typename A>
  ARIADNE_MEMBER void copy(A&, u32 from, u32 to) {
    length += to - from;
  }
};

}  // namespace text

#include ARIADNE_TARGET_FILE(text, sink)
