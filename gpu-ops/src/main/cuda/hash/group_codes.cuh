#pragma once

#include "column/status.cuh"

// group_codes groups rows by the codes of their keys, which are dictionary columns with few
// combinations: CODES_PLACE numbers the combination of each row, CODES_RESOLVE looks up the groups
// of the combinations.
//
// When a combination has no group yet, CODES_RESOLVE tells in status.detail[0] how many rows are
// left from the first one that has such a combination. The caller gives the combinations of those
// rows groups and resolves again from that row on.
enum codes_phase : u32 { CODES_PLACE = 0, CODES_RESOLVE = 1 };

enum codes_limit : u32 { CODES_MAX_KEYS = 16 };

// A key: codes below `entries`; a null counts as code `entries`.
struct codes_key {
  const u32* codes;
  const u64* validity;  // or null
  u32 entries;
  u32 stride;  // product of (entries + 1) of the keys before
};

// Arguments of kernel group_codes. It raises no errors.
struct group_codes_args {
  kernel_status* status;
  u32* places;          // number of the combination of each row
  u32* group_ids;       // out: group of each row
  const u32* group_of;  // group of each combination, or kUnknownGroup
  u32 phase;            // codes_phase
  u32 first_row;        // where CODES_RESOLVE starts
  u32 rows;
  u32 key_count;
  codes_key keys[CODES_MAX_KEYS];
};

namespace hash {

inline constexpr u32 kUnknownGroup = 0xffffffff;

}  // namespace hash
