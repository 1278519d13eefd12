// Instructions on 64-bit lanes, on the host. Each function runs one family of opcodes and returns
// whether the opcode was one of its own.
#pragma once

#include "tile/lanes.host.cuh"
#include "tile/operations.cuh"

namespace tile {

ARIADNE_INLINE lane_operand operand(const host_tile& tile, const tile_instruction& code, u8 index,
                                    u8 constant_flag) {
  if ((code.flags & constant_flag) != 0) {
    return {nullptr, code.imm};
  }
  return {tile.lane[index], 0};
}

static bool run_unary(host_tile& tile, const tile_instruction& code) {
  const i64 imm = code.imm;
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)             \
  case TILE_##OP: {                                       \
    const auto p = PARAMETER;                             \
    (void)p;                                              \
    map_unary<TYPE>(tile, code.dst, code.a, [p](TYPE a) { \
      (void)p;                                            \
      return EXPRESSION;                                  \
    });                                                   \
    return true;                                          \
  }
    TILE_UNARY_OPERATIONS(CASE)
    TILE_LONG_UNARY_OPERATIONS(CASE)
#undef CASE
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                                           \
  case TILE_##OP: {                                                                     \
    const auto p = PARAMETER;                                                           \
    map_unary_scalar<TYPE>(tile, code.dst, code.a, [p](TYPE a) { return EXPRESSION; }); \
    return true;                                                                        \
  }
    TILE_SCALAR_UNARY_OPERATIONS(CASE)
    TILE_DIGITS_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

// Rows beside each other mostly have values of one step.
static void step_values(host_tile& tile, const tile_program_args& args,
                        const tile_instruction& code) {
  const element::step_function f = constant_steps(args, code.imm);
  const i64* in = tile.lane[code.a];
  i64* out = tile.write(code.dst);
  const u32 rows = tile.rows;
  i64 from = 0;
  i64 to = 0;  // [from, to) have the value of one step; empty at first
  i64 value = 0;
  for (u32 i = 0; i < rows; i++) {
    const i64 a = element::to_first_period(in[i], f);
    if (a < from || a >= to) {
      const u32 found = element::find_step(a, f);
      from = found == 0 ? element::kMinI64 : f.entries[found].key;
      to = found + 1 < f.count ? f.entries[found + 1].key : element::kMaxI64;
      value = f.entries[found].value;
    }
    out[i] = value;
  }
}

static bool run_steps(host_tile& tile, const tile_program_args& args,
                      const tile_instruction& code) {
  if (code.op != TILE_STEP_VALUE) {
    return false;
  }
  step_values(tile, args, code);
  return true;
}

static bool run_binary(host_tile& tile, const tile_instruction& code) {
  const lane_operand x = operand(tile, code, code.a, TILE_A_CONSTANT);
  const lane_operand y = operand(tile, code, code.b, TILE_B_CONSTANT);
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                                          \
  case TILE_##OP:                                                                      \
    map_binary<TYPE>(tile, code.dst, x, y, [](TYPE a, TYPE b) { return EXPRESSION; }); \
    return true;
    TILE_BINARY_OPERATIONS(CASE)
    TILE_HASH_OPERATIONS(CASE)
#undef CASE
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                                                 \
  case TILE_##OP:                                                                             \
    map_binary_scalar<TYPE>(tile, code.dst, x, y, [](TYPE a, TYPE b) { return EXPRESSION; }); \
    return true;
    TILE_SCALAR_BINARY_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

static bool run_compare(host_tile& tile, const tile_instruction& code) {
  const lane_operand x = operand(tile, code, code.a, TILE_A_CONSTANT);
  const lane_operand y = operand(tile, code, code.b, TILE_B_CONSTANT);
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                                       \
  case TILE_##OP:                                                                   \
    compare<TYPE>(tile, code.dst, x, y, [](TYPE a, TYPE b) { return EXPRESSION; }); \
    return true;
    TILE_COMPARE_OPERATIONS(CASE)
#undef CASE
    case TILE_EXCEEDS_PRECISION_I64: {
      const element::power_of_ten<u64> power =
          element::short_power_of_ten(static_cast<u32>(code.imm));
      const i64* in = tile.lane[code.a];
      map_bits(tile.mask(code.dst), tile.words,
               [in, power](u32 i) { return element::exceeds(in[i], power); });
      return true;
    }
    default:
      return false;
  }
}

// The overflow bits come first: the destination may be one of the operands.
static bool run_overflow(host_tile& tile, const tile_instruction& code) {
  const lane_operand x = operand(tile, code, code.a, TILE_A_CONSTANT);
  const lane_operand y = operand(tile, code, code.b, TILE_B_CONSTANT);
  switch (code.op) {
#define CASE(OP, TYPE, VALUE, OVERFLOW)                                            \
  case TILE_##OP:                                                                  \
    compare<TYPE>(tile, code.mask, x, y, [](TYPE a, TYPE b) { return OVERFLOW; }); \
    map_binary<TYPE>(tile, code.dst, x, y, [](TYPE a, TYPE b) { return VALUE; });  \
    return true;
    TILE_OVERFLOW_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

static bool run_select(host_tile& tile, const tile_instruction& code) {
  if (code.op != TILE_SELECT) {
    return false;
  }
  const u64* mask = tile.mask(code.mask);
  const lane_operand x = operand(tile, code, code.a, TILE_A_CONSTANT);
  const lane_operand y = operand(tile, code, code.b, TILE_B_CONSTANT);
  i64* out = tile.write(code.dst);
  const u32 words = tile.words;
  with_operands(x, y, [=](auto a, auto b) {
    for (u32 w = 0; w < words; w++) {
      const u64 bits = mask[w];
#pragma clang loop vectorize(assume_safety)
      for (u32 k = 0; k < 64; k++) {
        out[w * 64 + k] = (bits >> k & 1) != 0 ? a(w * 64 + k) : b(w * 64 + k);
      }
    }
  });
  return true;
}

static bool run_mask(host_tile& tile, const tile_instruction& code) {
  const u64* x = tile.mask(code.a);
  const u64* y = tile.mask(code.b);
  u64* out = tile.mask(code.dst);
  const u32 words = tile.words;
  switch (code.op) {
#define CASE(OP, EXPRESSION)          \
  case TILE_##OP:                     \
    for (u32 w = 0; w < words; w++) { \
      const u64 a = x[w];             \
      const u64 b = y[w];             \
      out[w] = EXPRESSION;            \
    }                                 \
    return true;
    TILE_MASK_OPERATIONS(CASE)
#undef CASE
    case TILE_MASK_NOT:
      for (u32 w = 0; w < words; w++) {
        out[w] = ~x[w];
      }
      return true;
    case TILE_MASK_SELECT: {
      const u64* choice = tile.mask(code.mask);
      for (u32 w = 0; w < words; w++) {
        out[w] = (choice[w] & x[w]) | (~choice[w] & y[w]);
      }
      return true;
    }
    case TILE_CONST_MASK:
      for (u32 w = 0; w < words; w++) {
        out[w] = code.imm != 0 ? ~0ull : 0;
      }
      return true;
    case TILE_MASK_TO_I64: {
      i64* lane = tile.write(code.dst);
      for (u32 w = 0; w < words; w++) {
        const u64 bits = x[w];
#pragma clang loop vectorize(assume_safety)
        for (u32 k = 0; k < 64; k++) {
          lane[w * 64 + k] = static_cast<i64>(bits >> k & 1);
        }
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tile
