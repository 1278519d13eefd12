// The records in the linker section "ariadne_layouts" of a host library: where its compiler put the
// fields of every struct that Java fills or reads. The build writes a source that has them, from
// the same structs as the generated Java classes; a test compares the loaded library with these.
#pragma once

#include "target/types.cuh"

struct layout_record {
  const char* structure;
  const char* field;
  u32 offset;           // bytes from the start of the struct
  u32 structure_bytes;  // size of the struct
  u64 reserved;         // to a multiple of the alignment that compilers give to arrays
};
static_assert(sizeof(layout_record) == 32, "the linker section is an array of these");
