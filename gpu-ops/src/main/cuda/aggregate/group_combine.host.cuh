// group_combine on the host: one accumulator of all records after the other.
#pragma once

#include "aggregate/group_combine.cuh"

namespace aggregate {

// Calls f(target, source) for the accumulator of every record.
template <typename T, typename F>
ARIADNE_INLINE void for_records(const group_combine_args& args, u32 offset, F f) {
  const u8* source = args.source + offset;
  u8* target = args.target + offset;
  for (u32 row = 0; row < args.rows; row++) {
    f(reinterpret_cast<T*>(target + static_cast<u64>(args.group_ids[row]) * args.stride),
      reinterpret_cast<const T*>(source + static_cast<u64>(row) * args.stride));
  }
}

template <bool Max>
ARIADNE_INLINE void combine_extremes(const group_combine_args& args, u32 offset) {
  for_records<extreme128>(args, offset, [](extreme128* to, const extreme128* from) {
    const i128 mine = element::join(static_cast<i64>(to->low), to->high);
    const i128 other = element::join(static_cast<i64>(from->low), from->high);
    if (Max ? other > mine : other < mine) {
      to->low = from->low;
      to->high = from->high;
    }
  });
}

static void combine(const group_combine_args& args, u32 kind, u32 offset) {
  switch (kind) {
    case TILE_AGG_COUNT:
      for_records<u64>(args, offset, [](u64* to, const u64* from) { *to += *from; });
      break;
    case TILE_AGG_SUM_I64:
      for_records<sum128>(args, offset, [](sum128* to, const sum128* from) {
        to->add(static_cast<i128>(static_cast<u128>(from->high) << 64 | from->low));
      });
      break;
    case TILE_AGG_SUM_I128:
      for_records<sum192>(args, offset, [](sum192* to, const sum192* from) {
        to->value = add(to->value, from->value);
      });
      break;
    case TILE_AGG_SUM_F64:
      for_records<element::float_sum>(args, offset,
                                      [](element::float_sum* to, const element::float_sum* from) {
                                        element::combine(*to, *from);
                                      });
      break;
    case TILE_AGG_AND_I64:
      for_records<u64>(args, offset, [](u64* to, const u64* from) { *to &= *from; });
      break;
    case TILE_AGG_OR_I64:
      for_records<u64>(args, offset, [](u64* to, const u64* from) { *to |= *from; });
      break;
    case TILE_AGG_XOR_I64:
      for_records<u64>(args, offset, [](u64* to, const u64* from) { *to ^= *from; });
      break;
    case TILE_AGG_MIN_I64:
      for_records<i64>(args, offset, [](i64* to, const i64* from) {
        *to = __builtin_elementwise_min(*to, *from);
      });
      break;
    case TILE_AGG_MAX_I64:
      for_records<i64>(args, offset, [](i64* to, const i64* from) {
        *to = __builtin_elementwise_max(*to, *from);
      });
      break;
    case TILE_AGG_MIN_I128:
      combine_extremes<false>(args, offset);
      break;
    case TILE_AGG_MAX_I128:
      combine_extremes<true>(args, offset);
      break;
    default:
      status::raise(args.status, 0, kind, TILE_ERROR_INVALID_PROGRAM);
      break;
  }
}

static void run(const group_combine_args& args) {
  for (u32 i = 0; i < args.accumulator_count; i++) {
    combine(args, args.kinds[i], args.offsets[i]);
  }
}

}  // namespace aggregate
