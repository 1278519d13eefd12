// One-pass update of up to kColumns sums and counts for few groups: eight rows of all columns are
// transposed in registers, so that a row costs one vector addition to its group's sums.
#pragma once

#include "aggregate/tile_sink.host.cuh"

namespace aggregate {

using vector8 = i64 __attribute__((ext_vector_type(8)));
static_assert(kColumns == 8);

// Sums of one tile by group, the trash group last; one table for even and one for odd rows.
struct group_table {
  vector8 sum[2][kFewGroups + 1];
};

// A tile's inputs of one pass: values of rows without their mask neutralised.
struct pass {
  const tile_instruction* code[kColumns];
  const i64* lane[kColumns];
  u32 step[kColumns];  // 1, or 0 where the first eight values hold for all rows
  u32 count;
};

// Element k of out[r] = element r of in[k].
ARIADNE_INLINE void transpose(const vector8 (&in)[8], vector8 (&out)[8]) {
  vector8 pairs[8];
#pragma unroll
  for (u32 k = 0; k < 8; k += 2) {
    pairs[k] = __builtin_shufflevector(in[k], in[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[k + 1] = __builtin_shufflevector(in[k], in[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  vector8 quads[8];
#pragma unroll
  for (u32 k = 0; k < 8; k++) {
    const u32 from = k / 4 * 4 + k % 2;
    quads[k] =
        k % 4 < 2
            ? __builtin_shufflevector(pairs[from], pairs[from + 2], 0, 1, 8, 9, 4, 5, 12, 13)
            : __builtin_shufflevector(pairs[from], pairs[from + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
#pragma unroll
  for (u32 k = 0; k < 4; k++) {
    out[k] = __builtin_shufflevector(quads[k], quads[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    out[k + 4] = __builtin_shufflevector(quads[k], quads[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

static void add_rows(group_table& table, const pass& inputs, const u32* groups, u32 rows) {
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < rows; i += 8) {
    vector8 columns[8];
    vector8 sums[8];
#pragma unroll
    for (u32 k = 0; k < 8; k++) {
      const i64* from = inputs.lane[k] + i * inputs.step[k];
      __builtin_memcpy(&columns[k], from, sizeof(vector8));
    }
    transpose(columns, sums);
#pragma unroll
    for (u32 r = 0; r < 8; r++) {
      table.sum[r % 2][groups[i + r]] += sums[r];
    }
  }
}

ARIADNE_INLINE const i64* repeated(bool one) {
  static constexpr i64 values[2][8] = {{0, 0, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1}};
  return values[one ? 1 : 0];
}

// Adds the sum of a tile to a group's accumulator.
ARIADNE_INLINE void add_sum(const tile_program_args& args, const tile_instruction& code, u32 group,
                            i64 sum) {
  if (code.op == TILE_AGG_COUNT) {
    *accumulator<i64>(args.accumulators, code, group) += sum;
  } else if (code.op == TILE_AGG_SUM_I64) {
    accumulator<sum128>(args.accumulators, code, group)->add(sum);
  } else {
    sum192* to = accumulator<sum192>(args.accumulators, code, group);
    to->value = add(to->value, widen(sum, sum >> 63));
  }
}

// Runs the pass over the tile, adds its sums to the accumulators and empties it.
static void flush(const host_tile& tile, const tile_program_args& args, pass& inputs,
                  const row_groups& groups) {
  if (inputs.count == 0) {
    return;
  }
  for (u32 k = inputs.count; k < kColumns; k++) {
    inputs.lane[k] = repeated(false);
    inputs.step[k] = 0;
  }
  group_table table;
  for (u32 g = 0; g <= groups.trash; g++) {
    table.sum[0][g] = vector8(0);
    table.sum[1][g] = vector8(0);
  }
  add_rows(table, inputs, groups.group, tile.padded_rows());
  for (u32 g = 0; g < groups.trash; g++) {
    const vector8 sums = table.sum[0][g] + table.sum[1][g];
    for (u32 k = 0; k < inputs.count; k++) {
      add_sum(args, *inputs.code[k], g, sums[k]);
    }
  }
  inputs.count = 0;
}

// Whether an aggregate is a count, or a sum whose values in this tile are small enough: sums of
// 128-bit values mostly have values of far fewer bits.
ARIADNE_INLINE bool may_join(const host_tile& tile, const tile_instruction& code) {
  switch (code.op) {
    case TILE_AGG_COUNT:
      return true;
    case TILE_AGG_SUM_I64:
      return is_safe(tile.lane[code.a], tile.rows);
    case TILE_AGG_SUM_I128:
      return is_sign(tile.lane[code.a], tile.lane[(code.a + 1) % TILE_MAX_LANES], tile.rows) &&
             is_safe(tile.lane[code.a], tile.rows);
    default:
      return false;
  }
}

// Adds the aggregate to the pass; false when its kind or its values do not allow it.
ARIADNE_INLINE bool join_pass(const host_tile& tile, const tile_instruction& code, pass& inputs,
                              i64* room) {
  if (!may_join(tile, code)) {
    return false;
  }
  const bool is_count = code.op == TILE_AGG_COUNT;
  const u32 k = inputs.count++;
  inputs.code[k] = &code;
  inputs.step[k] = 1;
  if (code.mask != TILE_NO_REGISTER) {
    inputs.lane[k] = room + k * kRows;
    neutralise(tile, code, room + k * kRows);
  } else if (is_count) {
    inputs.lane[k] = repeated(true);
    inputs.step[k] = 0;
  } else {
    inputs.lane[k] = tile.lane[code.a];
  }
  return true;
}

// All aggregate instructions of the program, the first of which is number pc.
static void update(const host_tile& tile, const tile_program_args& args, u32 pc, void* scratch) {
  const bool has_groups = args.instructions[pc].b != TILE_NO_REGISTER;
  row_groups groups = {nullptr, 0};
  if (has_groups) {
    groups = assign_groups(tile, args, args.instructions[pc], scratch);
  }
  i64* room = reinterpret_cast<i64*>(static_cast<u8*>(scratch) + kGroupBytes);
  pass inputs;
  inputs.count = 0;
  for (u32 i = pc; i < args.instruction_count; i++) {
    const tile_instruction& code = args.instructions[i];
    if (!is_aggregate(code.op)) {
      status::raise(args.status, 0, i, TILE_ERROR_INVALID_PROGRAM);
      return;
    }
    if (!has_groups) {
      update_global(tile, args, code);
    } else if (args.group_count > kFewGroups || !join_pass(tile, code, inputs, room)) {
      update_directly(tile, args, code, groups.group);
    } else if (inputs.count == kColumns) {
      flush(tile, args, inputs, groups);
    }
  }
  flush(tile, args, inputs, groups);
}

}  // namespace aggregate
