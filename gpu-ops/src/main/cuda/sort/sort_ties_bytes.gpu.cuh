// Comparison of bytes on the GPU: one by one, as they have any alignment.
#pragma once

namespace sort {

ARIADNE_INLINE i32 compare_bytes(const u8* a, const u8* b, u32 length) {
  for (u32 at = 0; at < length; at++) {
    if (a[at] != b[at]) {
      return a[at] < b[at] ? -1 : 1;
    }
  }
  return 0;
}

}  // namespace sort
