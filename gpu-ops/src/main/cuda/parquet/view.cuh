// String views of bytes that lie in a page.
#pragma once

#include "column/column_view.cuh"
#include "target/target.cuh"

namespace parquet {

// Words of a view: low holds length and first four bytes, high the rest of a short string or heap
// and offset of a long one.
ARIADNE_INLINE u64x2 long_view(u32 length, u32 prefix, u64 heap_and_offset) {
  const u64 heap = heap_and_offset >> 32;
  const u64 offset = heap_and_offset & 0xffffffff;
  return {static_cast<u64>(prefix) << 32 | length, offset << 32 | heap};
}

// A view of up to 12 bytes out of 16 that begin with the string's; those behind it are cleared.
ARIADNE_INLINE u64x2 short_view(u32 length, u64 bytes, u64 next_bytes) {
  const u64 low = length >= 8 ? bytes : bytes & ((u64{1} << 8 * length) - 1);
  const u64 high = length > 8 ? next_bytes & ((u64{1} << 8 * (length - 8)) - 1) : 0;
  return {low << 32 | length, low >> 32 | high << 32};
}

}  // namespace parquet
