// GPU form of sort_encode: neighbouring threads write neighbouring words.
#pragma once

namespace sort {

template <typename Field>
ARIADNE_INLINE void write_fields(const sort_encode_args& args, Field field) {
  const u64 step = u64{target::grid_size()} * target::block_size();
  for (u64 at = u64{target::block_index()} * target::block_size() + target::thread_index();
       at < args.rows; at += step) {
    const u32 row = static_cast<u32>(at);
    const u64 word = field(row) << args.shift;
    target::store(args.out + row, (args.flags & SORT_REPLACES) != 0 ? word : args.out[row] | word);
  }
}

ARIADNE_FUNCTION void encode_nulls(const sort_encode_args& args) {
  const bool values_last = (args.flags & SORT_NULLS_LAST) == 0;
  write_fields(args, [&](u32 row) {
    return static_cast<u64>(column::is_valid(args.in, row) == values_last);
  });
}

template <typename Values>
ARIADNE_FUNCTION void encode_values(const sort_encode_args& args, Values values) {
  const u64 mask = ~u64{0} >> (64 - args.bits);
  const u64 inverted = (args.flags & SORT_DESCENDING) != 0 ? mask : 0;
  write_fields(args, [&](u32 row) {
    return column::is_valid(args.in, row) ? values(row) ^ inverted : u64{0};
  });
}

}  // namespace sort
