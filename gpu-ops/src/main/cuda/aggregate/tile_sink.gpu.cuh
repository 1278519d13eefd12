// The aggregate instructions at the end of a tile program, on the GPU.
//
// A block keeps accumulator_copies copies of the accumulators in shared memory, one per lane modulo
// the copies, so that the lanes of a warp do not wait for each other; at the end of the kernel a
// warp per accumulator adds up the copies and merges them into global memory. With no copies rows
// go straight to global memory. Everything is an atomic update that commutes: sums are added word
// by word with carries, so the result does not depend on the order.
//
// Shared layout in 64-bit words: aggregate, word of its accumulator, group, copy.
#pragma once

#include "aggregate/accumulator.cuh"
#include "pattern/warp.gpu.cuh"
#include "tile/lanes.gpu.cuh"

namespace aggregate {

using target::order;
using tile::gpu_tile;

// 64-bit words of a copy of one accumulator; 0 for kinds that are not copied.
ARIADNE_INLINE u32 words_of(u8 op) {
  switch (op) {
    case TILE_AGG_COUNT:
    case TILE_AGG_MIN_I64:
    case TILE_AGG_MAX_I64:
    case TILE_AGG_AND_I64:
    case TILE_AGG_OR_I64:
    case TILE_AGG_XOR_I64:
      return 1;
    case TILE_AGG_SUM_I64:
      return 2;
    case TILE_AGG_SUM_I128:
    case TILE_AGG_SUM_I192:
      return 3;
    default:
      return 0;
  }
}

// Where the words of one accumulator lie: `stride` words apart.
struct place {
  u64* word;
  u32 stride;
};

// Adds a word; returns the carry out of it.
ARIADNE_INLINE u64 add_word(u64* at, u64 value) {
  if (value == 0) {
    return 0;
  }
  const u64 old = target::atomic_add<order::relaxed>(at, value);
  return old + value < old ? 1 : 0;
}

// Adds a sum of `words` words.
ARIADNE_INLINE void add_words(const place& at, i192 value, u32 words) {
  const u64 carry = add_word(at.word, value.low);
  if (words == 2) {
    add_word(at.word + at.stride, value.middle + carry);
    return;
  }
  // Two additions: middle + carry may itself wrap.
  const u64 carry_of_carry = add_word(at.word + at.stride, carry);
  const u64 carry_of_middle = add_word(at.word + at.stride, value.middle);
  add_word(at.word + 2 * at.stride, value.high + carry_of_carry + carry_of_middle);
}

// Takes the lock of an extreme, keeps the better value, and gives the lock back. The high word only
// ever improves, so a stale one suffices to see that a value is of no use.
template <bool Max>
ARIADNE_FUNCTION void take_better(extreme128* at, i128 value) {
  const i64 high = element::high_half(value);
  const i64 seen = target::atomic_load<order::relaxed>(&at->high);
  if (Max ? high < seen : high > seen) {
    return;
  }
  for (bool done = false; !done;) {
    if (target::atomic_compare_exchange<order::acquire>(&at->lock, u64{0}, u64{1}) == 0) {
      const i64 low = static_cast<i64>(target::atomic_load<order::relaxed>(&at->low));
      const i128 best = element::join(low, target::atomic_load<order::relaxed>(&at->high));
      if (Max ? value > best : value < best) {
        target::atomic_store<order::relaxed>(&at->low, static_cast<u64>(value));
        target::atomic_store<order::relaxed>(&at->high, high);
      }
      target::atomic_store<order::release>(&at->lock, u64{0});
      done = true;
    } else {
      target::spin_pause();
    }
  }
}

// Adds a double to a sum of which the thread has the lock: element::add with bins in registers.
ARIADNE_INLINE void add_locked(element::float_sum* at, f64 value) {
  const u32 special = element::special_of(value);
  if (special != 0) {
    const u32 seen = target::atomic_load<order::relaxed>(&at->special);
    target::atomic_store<order::relaxed>(&at->special, seen | special);
    return;
  }
  const element::float_parts parts = element::parts_of(value);
  const i32 low = static_cast<i32>(target::atomic_load<order::relaxed>(&at->low));
  const i32 distance = parts.bin - 1 > low ? parts.bin - 1 - low : 0;
  const i32 first = parts.bin - low - distance;
  i64 bin[element::kBins];
#pragma unroll
  for (i32 i = 0; i < static_cast<i32>(element::kBins); i++) {
    const i32 from = i + distance;
    const i64 kept = from < static_cast<i32>(element::kBins)
                         ? target::atomic_load<order::relaxed>(&at->bin[from])
                         : 0;
    const i32 k = i - first;
    bin[i] = kept + (k == 0 ? parts.part[0] : k == 1 ? parts.part[1] : k == 2 ? parts.part[2] : 0);
  }
#pragma unroll
  for (u32 i = 0; i < element::kBins; i++) {
    target::atomic_store<order::relaxed>(&at->bin[i], bin[i]);
  }
  target::atomic_store<order::relaxed>(&at->low, static_cast<u32>(low + distance));
}

// Takes the lock of a sum, adds a double, and gives the lock back.
ARIADNE_FUNCTION void add_float(element::float_sum* at, f64 value) {
  for (bool done = false; !done;) {
    if (target::atomic_compare_exchange<order::acquire>(&at->lock, u64{0}, u64{1}) == 0) {
      add_locked(at, value);
      target::atomic_store<order::release>(&at->lock, u64{0});
      done = true;
    } else {
      target::spin_pause();
    }
  }
}

// Adds a sum that no thread changes to a locked sum: element::combine with bins in registers.
ARIADNE_FUNCTION void combine_floats(element::float_sum* at, const element::float_sum* from) {
  constexpr i32 kBins = static_cast<i32>(element::kBins);
  for (bool done = false; !done;) {
    if (target::atomic_compare_exchange<order::acquire>(&at->lock, u64{0}, u64{1}) == 0) {
      const i32 low = static_cast<i32>(target::atomic_load<order::relaxed>(&at->low));
      const i32 other = static_cast<i32>(target::load_ro(&from->low));
      const i32 highest = other > low ? other : low;
      i64 bin[kBins];
#pragma unroll
      for (i32 i = 0; i < kBins; i++) {
        const i32 mine = i + highest - low;
        const i32 theirs = i + highest - other;
        bin[i] = (mine < kBins ? target::atomic_load<order::relaxed>(&at->bin[mine]) : 0) +
                 (theirs < kBins ? target::load_ro(&from->bin[theirs]) : 0);
      }
#pragma unroll
      for (i32 i = 0; i < kBins; i++) {
        target::atomic_store<order::relaxed>(&at->bin[i], bin[i]);
      }
      target::atomic_store<order::relaxed>(&at->low, static_cast<u32>(highest));
      const u32 special = target::atomic_load<order::relaxed>(&at->special);
      target::atomic_store<order::relaxed>(&at->special, special | target::load_ro(&from->special));
      target::atomic_store<order::release>(&at->lock, u64{0});
      done = true;
    } else {
      target::spin_pause();
    }
  }
}

ARIADNE_INLINE void flip(u64* at, u64 bits) {
  u64 seen = target::atomic_load<order::relaxed>(at);
  for (u64 found = ~seen; found != seen;) {
    found = seen;
    seen = target::atomic_compare_exchange<order::relaxed>(at, found, found ^ bits);
  }
}

// One value into one accumulator of a kind that has copies.
ARIADNE_INLINE void merge(u8 op, const place& at, i192 value) {
  switch (op) {
    case TILE_AGG_COUNT:
      target::atomic_add<order::relaxed>(at.word, value.low);
      break;
    case TILE_AGG_MIN_I64:
      target::atomic_min<order::relaxed>(reinterpret_cast<i64*>(at.word),
                                         static_cast<i64>(value.low));
      break;
    case TILE_AGG_MAX_I64:
      target::atomic_max<order::relaxed>(reinterpret_cast<i64*>(at.word),
                                         static_cast<i64>(value.low));
      break;
    case TILE_AGG_AND_I64:
      target::atomic_and<order::relaxed>(at.word, value.low);
      break;
    case TILE_AGG_OR_I64:
      target::atomic_or<order::relaxed>(at.word, value.low);
      break;
    case TILE_AGG_XOR_I64:
      flip(at.word, value.low);
      break;
    default:
      add_words(at, value, words_of(op));
      break;
  }
}

// The value that a row contributes.
ARIADNE_INLINE i192 value_of(const gpu_tile& tile, const tile_instruction& code, u32 item) {
  switch (code.op) {
    case TILE_AGG_COUNT:
      return {1, 0, 0};
    case TILE_AGG_SUM_I128:
      return widen(tile.lane(code.a, item), tile.lane(code.a + 1, item));
    case TILE_AGG_SUM_I192:
      return {static_cast<u64>(tile.lane(code.a, item)),
              static_cast<u64>(tile.lane(code.a + 1, item)),
              static_cast<u64>(tile.lane(code.a + 2, item))};
    default: {
      const i64 value = tile.lane(code.a, item);
      return widen(value, value >> 63);
    }
  }
}

// Number of the first aggregate instruction; the instruction count when there is none.
ARIADNE_INLINE u32 first_aggregate(const tile_program_args& args) {
  u32 first = args.instruction_count;
  while (first > 0 && is_aggregate(tile::fetch(args, first - 1).op)) {
    first--;
  }
  return first;
}

// Groups that an aggregate instruction counts.
ARIADNE_INLINE u32 groups_of(const tile_program_args& args, const tile_instruction& code) {
  return code.b == TILE_NO_REGISTER ? 1 : args.group_count;
}

// Neutral values in all copies. All threads of the block call it; no barrier.
ARIADNE_INLINE void clear(const gpu_tile& tile, u32 first) {
  const tile_program_args& args = tile.args;
  u64* copies = tile.accumulator_words();
  for (u32 pc = first; pc < args.instruction_count; pc++) {
    const tile_instruction code = tile::fetch(args, pc);
    const u32 words = words_of(code.op) * groups_of(args, code) * args.accumulator_copies;
    const u64 value = static_cast<u64>(neutral(code.op));
    for (u32 i = target::thread_index(); i < words; i += target::block_size()) {
      copies[i] = value;
    }
    copies += words;
  }
}

// Adds one row to an accumulator of group g. `copies` are those of the aggregate.
template <bool HasFloatSums>
ARIADNE_INLINE void update_row(const gpu_tile& tile, const tile_instruction& code, u64* copies,
                               u32 item, u32 g) {
  const tile_program_args& args = tile.args;
  if constexpr (HasFloatSums) {
    if (code.op == TILE_AGG_SUM_F64) {
      add_float(accumulator<element::float_sum>(args.accumulators, code, g),
                element::as_f64(tile.lane(code.a, item)));
      return;
    }
  }
  if (code.op == TILE_AGG_MIN_I128) {
    take_better<false>(accumulator<extreme128>(args.accumulators, code, g),
                       tile.wide(code.a, item));
  } else if (code.op == TILE_AGG_MAX_I128) {
    take_better<true>(accumulator<extreme128>(args.accumulators, code, g), tile.wide(code.a, item));
  } else if (args.accumulator_copies == 0) {
    merge(code.op, {accumulator<u64>(args.accumulators, code, g), 1}, value_of(tile, code, item));
  } else {
    const u32 count = args.accumulator_copies;
    const u32 copy = target::lane_index() & (count - 1);
    merge(code.op, {copies + g * count + copy, groups_of(args, code) * count},
          value_of(tile, code, item));
  }
}

// Adds a tile's rows. A thread only ever uses the copy of its lane. Sums of doubles are refused in
// a kernel without them.
template <bool HasFloatSums>
ARIADNE_INLINE void update(const gpu_tile& tile, u32 first) {
  const tile_program_args& args = tile.args;
  u64* copies = tile.accumulator_words();
#pragma clang loop unroll(disable)
  for (u32 pc = first; pc < args.instruction_count; pc++) {
    const tile_instruction code = tile::fetch(args, pc);
    const u32 kept = tile.kept_items(code.mask);
    const u32 groups = groups_of(args, code);
    if (!HasFloatSums && code.op == TILE_AGG_SUM_F64) {
      status::raise(args.status, 0, pc, TILE_ERROR_INVALID_PROGRAM);
      return;
    }
#pragma clang loop unroll(disable)
    for (u32 j = 0; j < tile::kItems; j++) {
      if ((kept >> j & 1) == 0) {
        continue;
      }
      const u64 group = code.b == TILE_NO_REGISTER ? 0 : static_cast<u64>(tile.lane(code.b, j));
      if (group < groups) {
        update_row<HasFloatSums>(tile, code, copies, j, static_cast<u32>(group));
      } else {
        status::raise(args.status, u64{args.row_base} + tile.row(j), 0, TILE_ERROR_INVALID_GROUP);
      }
    }
    copies += words_of(code.op) * groups * args.accumulator_copies;
  }
}

// The sum of a word's copies, held one per lane.
ARIADNE_INLINE u128 sum_of_lanes(u64 value) { return pattern::warp_sum(static_cast<u128>(value)); }

template <bool Max>
ARIADNE_INLINE i64 extreme_of_lanes(i64 value) {
#pragma unroll
  for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
    const i64 other = target::shuffle_xor(value, distance);
    value = Max ? __builtin_elementwise_max(value, other) : __builtin_elementwise_min(value, other);
  }
  return value;
}

// The bits of all lanes: those that all have, any has, or an odd number has.
ARIADNE_INLINE u64 bits_of_lanes(u8 op, u64 value) {
#pragma unroll
  for (u32 distance = target::kWarpSize / 2; distance > 0; distance /= 2) {
    const u64 other = target::shuffle_xor(value, distance);
    value = op == TILE_AGG_AND_I64  ? value & other
            : op == TILE_AGG_OR_I64 ? value | other
                                    : value ^ other;
  }
  return value;
}

// The copies of one accumulator combined, in every lane. `word` is the lane's copy of word 0.
ARIADNE_INLINE i192 combine(u8 op, const u64* word, u32 stride, bool has_copy) {
  const u64 first = has_copy ? *word : static_cast<u64>(neutral(op));
  if (op == TILE_AGG_MIN_I64) {
    return {static_cast<u64>(extreme_of_lanes<false>(static_cast<i64>(first))), 0, 0};
  }
  if (op == TILE_AGG_MAX_I64) {
    return {static_cast<u64>(extreme_of_lanes<true>(static_cast<i64>(first))), 0, 0};
  }
  if (op >= TILE_AGG_AND_I64 && op <= TILE_AGG_XOR_I64) {
    return {bits_of_lanes(op, first), 0, 0};
  }
  const u32 words = words_of(op);
  const u128 low = sum_of_lanes(first);
  const u128 middle = sum_of_lanes(has_copy && words > 1 ? word[stride] : 0) + (low >> 64);
  const u128 high = sum_of_lanes(has_copy && words > 2 ? word[2 * stride] : 0) + (middle >> 64);
  return {static_cast<u64>(low), static_cast<u64>(middle), static_cast<u64>(high)};
}

// Merges the copies into global memory, a warp per accumulator. All threads of the block call it,
// after a barrier.
ARIADNE_INLINE void flush(const gpu_tile& tile, u32 first) {
  const tile_program_args& args = tile.args;
  const u32 count = args.accumulator_copies;
  const u32 lane = target::lane_index();
  const u64* copies = tile.accumulator_words();
#pragma clang loop unroll(disable)
  for (u32 pc = first; pc < args.instruction_count; pc++) {
    const tile_instruction code = tile::fetch(args, pc);
    const u32 words = words_of(code.op);
    const u32 groups = groups_of(args, code);
#pragma clang loop unroll(disable)
    for (u32 g = target::warp_index(); words != 0 && g < groups; g += tile.warps()) {
      const i192 value = combine(code.op, copies + g * count + lane, groups * count, lane < count);
      const bool is_neutral =
          value.low == static_cast<u64>(neutral(code.op)) && (value.middle | value.high) == 0;
      if (lane == 0 && !is_neutral) {
        merge(code.op, {accumulator<u64>(args.accumulators, code, g), 1}, value);
      }
    }
    copies += words * groups * count;
  }
}

}  // namespace aggregate
