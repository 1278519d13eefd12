// group_combine on the GPU: a thread per record; several may add to the same group.
#pragma once

#include "aggregate/group_combine.cuh"
#include "aggregate/tile_sink.gpu.cuh"

namespace aggregate {

ARIADNE_INLINE void combine(const group_combine_args& args, u32 i, const u8* source, u8* record) {
  const u8 kind = static_cast<u8>(args.kinds[i]);
  const u64* from = reinterpret_cast<const u64*>(source + args.offsets[i]);
  u64* to = reinterpret_cast<u64*>(record + args.offsets[i]);
  if (kind == TILE_AGG_MIN_I128 || kind == TILE_AGG_MAX_I128) {
    const i128 value = element::join(static_cast<i64>(from[0]), static_cast<i64>(from[1]));
    extreme128* extreme = reinterpret_cast<extreme128*>(to);
    if (kind == TILE_AGG_MAX_I128) {
      take_better<true>(extreme, value);
    } else {
      take_better<false>(extreme, value);
    }
    return;
  }
  if (kind == TILE_AGG_SUM_F64) {
    combine_floats(reinterpret_cast<element::float_sum*>(to),
                   reinterpret_cast<const element::float_sum*>(from));
    return;
  }
  const u32 words = words_of(kind);
  if (words == 0) {
    status::raise(args.status, 0, kind, TILE_ERROR_INVALID_PROGRAM);
    return;
  }
  merge(kind, {to, 1},
        {target::load_ro(from), words > 1 ? target::load_ro(from + 1) : 0,
         words > 2 ? target::load_ro(from + 2) : 0});
}

ARIADNE_INLINE void run(const group_combine_args& args) {
  const u32 step = target::grid_size() * target::block_size();
  for (u32 row = target::block_index() * target::block_size() + target::thread_index();
       row < args.rows; row += step) {
    const u8* source = args.source + static_cast<u64>(row) * args.stride;
    const u64 group = target::load_ro(args.group_ids + row);
    u8* record = args.target + group * args.stride;
#pragma clang loop unroll(disable)
    for (u32 i = 0; i < args.accumulator_count; i++) {
      combine(args, i, source, record);
    }
  }
}

}  // namespace aggregate
