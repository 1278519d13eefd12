// sort_pack leaves out of normalised keys (sort_encode.cuh) the bits that are the same in all rows:
// what is left of a date or of a number from a narrow range is few bits, and sorting takes as many
// passes as bits ask for. PACK_VARYING finds the bits, PACK_COPY writes one word of what is left.
#pragma once

#include "column/status.cuh"

enum pack_phase : u32 { PACK_VARYING = 0, PACK_COPY = 1 };

enum pack_limit : u32 { PACK_MAX_SEGMENTS = 96 };

// Neighbouring bits that go together.
struct pack_segment {
  u32 word;  // of the key
  u32 from;  // lowest bit there
  u32 bits;  // how many, at least 1
  u32 to;    // lowest bit in the packed word
};

// Arguments of kernel sort_pack. It raises no errors.
struct sort_pack_args {
  kernel_status* status;
  const u64* words;
  u64* varying;  // PACK_VARYING: zeroed; out: per word the bits in which rows differ
  u64* packed;   // PACK_COPY: out, one word per row
  u64 stride;    // words from one word of a row's key to the next
  u32 rows;      // at least 1
  u32 phase;     // pack_phase
  u32 word_count;
  u32 segment_count;
  pack_segment segments[PACK_MAX_SEGMENTS];
};

namespace sort {

ARIADNE_INLINE u64 bits_of(const pack_segment& segment, u64 word) {
  return (word >> segment.from & ~u64{0} >> (64 - segment.bits)) << segment.to;
}

}  // namespace sort

#include ARIADNE_TARGET_FILE(sort, sort_pack)

namespace sort {

ARIADNE_FUNCTION void pack(const sort_pack_args& args) {
  if (args.phase == PACK_VARYING) {
    find_varying(args);
  } else {
    copy_bits(args);
  }
}

}  // namespace sort
