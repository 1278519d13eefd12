// Instructions that compute, on the GPU. Each function runs one family of opcodes and returns
// whether the opcode was one of its own. Long operations are not unrolled over a thread's rows:
// registers would run out.
#pragma once

#include "tile/lanes.gpu.cuh"
#include "tile/operations.cuh"

namespace tile {

#define TILE_EACH_ITEM(BODY)                                             \
  {                                                                      \
    _Pragma("unroll") for (u32 j = 0; j < kItems; j++) BODY return true; \
  }
#define TILE_EACH_ITEM_SLOWLY(BODY)                                                          \
  {                                                                                          \
    _Pragma("clang loop unroll(disable)") for (u32 j = 0; j < kItems; j++) BODY return true; \
  }

ARIADNE_INLINE bool run_unary(const gpu_tile& tile, const tile_instruction& code) {
  const i64 imm = code.imm;
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)               \
  case TILE_##OP: {                                         \
    const auto p = PARAMETER;                               \
    (void)p;                                                \
    TILE_EACH_ITEM({                                        \
      const TYPE a = from_lane<TYPE>(tile.lane(code.a, j)); \
      tile.lane(code.dst, j) = to_lane(EXPRESSION);         \
    })                                                      \
  }
    TILE_UNARY_OPERATIONS(CASE)
#undef CASE
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)               \
  case TILE_##OP: {                                         \
    const auto p = PARAMETER;                               \
    TILE_EACH_ITEM_SLOWLY({                                 \
      const TYPE a = from_lane<TYPE>(tile.lane(code.a, j)); \
      tile.lane(code.dst, j) = to_lane(EXPRESSION);         \
    })                                                      \
  }
    TILE_SCALAR_UNARY_OPERATIONS(CASE)
#undef CASE
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)               \
  case TILE_##OP:                                           \
    TILE_EACH_ITEM_SLOWLY({                                 \
      const TYPE a = from_lane<TYPE>(tile.lane(code.a, j)); \
      tile.lane(code.dst, j) = to_lane(EXPRESSION);         \
    })
    TILE_LONG_UNARY_OPERATIONS(CASE)
#undef CASE
    case TILE_STEP_VALUE: {
      const element::step_function f = constant_steps(tile.args, imm);
      TILE_EACH_ITEM_SLOWLY({
        const i64 a = element::to_first_period(tile.lane(code.a, j), f);
        const u32 found = element::find_step(a, f);
        tile.lane(code.dst, j) = target::load_ro(&f.entries[found].value);
      })
    }
    default:
      return false;
  }
}

ARIADNE_INLINE bool run_binary(const gpu_tile& tile, const tile_instruction& code) {
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                   \
  case TILE_##OP:                                               \
    TILE_EACH_ITEM({                                            \
      const TYPE a = from_lane<TYPE>(operand_a(tile, code, j)); \
      const TYPE b = from_lane<TYPE>(operand_b(tile, code, j)); \
      tile.lane(code.dst, j) = to_lane(EXPRESSION);             \
    })
    TILE_BINARY_OPERATIONS(CASE)
#undef CASE
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                   \
  case TILE_##OP:                                               \
    TILE_EACH_ITEM_SLOWLY({                                     \
      const TYPE a = from_lane<TYPE>(operand_a(tile, code, j)); \
      const TYPE b = from_lane<TYPE>(operand_b(tile, code, j)); \
      tile.lane(code.dst, j) = to_lane(EXPRESSION);             \
    })
    TILE_SCALAR_BINARY_OPERATIONS(CASE)
    TILE_HASH_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

ARIADNE_INLINE bool run_overflow(const gpu_tile& tile, const tile_instruction& code) {
  u32 bits = 0;
  switch (code.op) {
#define CASE(OP, TYPE, VALUE, OVERFLOW)                         \
  case TILE_##OP:                                               \
    _Pragma("unroll") for (u32 j = 0; j < kItems; j++) {        \
      const TYPE a = from_lane<TYPE>(operand_a(tile, code, j)); \
      const TYPE b = from_lane<TYPE>(operand_b(tile, code, j)); \
      bits |= static_cast<u32>(OVERFLOW) << j;                  \
      tile.lane(code.dst, j) = to_lane(VALUE);                  \
    }                                                           \
    break;
    TILE_OVERFLOW_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
  tile.mask(code.mask) = static_cast<u8>(bits);
  return true;
}

ARIADNE_INLINE bool run_compare(const gpu_tile& tile, const tile_instruction& code) {
  u32 bits = 0;
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                   \
  case TILE_##OP:                                               \
    _Pragma("unroll") for (u32 j = 0; j < kItems; j++) {        \
      const TYPE a = from_lane<TYPE>(operand_a(tile, code, j)); \
      const TYPE b = from_lane<TYPE>(operand_b(tile, code, j)); \
      bits |= static_cast<u32>(EXPRESSION) << j;                \
    }                                                           \
    break;
    TILE_COMPARE_OPERATIONS(CASE)
#undef CASE
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                                \
  case TILE_##OP:                                                            \
    _Pragma("clang loop unroll(disable)") for (u32 j = 0; j < kItems; j++) { \
      const i128 a = wide_operand(tile, code, code.a, TILE_A_CONSTANT, j);   \
      const i128 b = wide_operand(tile, code, code.b, TILE_B_CONSTANT, j);   \
      bits |= static_cast<u32>(EXPRESSION) << j;                             \
    }                                                                        \
    break;
    TILE_COMPARE_WIDE_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
  tile.mask(code.dst) = static_cast<u8>(bits);
  return true;
}

// |a| >= 10^imm
ARIADNE_INLINE bool run_exceeds(const gpu_tile& tile, const tile_instruction& code) {
  const u32 digits = static_cast<u32>(code.imm);
  u32 bits = 0;
  if (code.op == TILE_EXCEEDS_PRECISION_I64) {
    const element::power_of_ten<u64> power = element::short_power_of_ten(digits);
#pragma unroll
    for (u32 j = 0; j < kItems; j++) {
      bits |= static_cast<u32>(element::exceeds(tile.lane(code.a, j), power)) << j;
    }
  } else if (code.op == TILE_EXCEEDS_PRECISION_I128) {
    const element::power_of_ten<u128> power = element::long_power_of_ten(digits);
#pragma unroll
    for (u32 j = 0; j < kItems; j++) {
      bits |= static_cast<u32>(element::exceeds(tile.wide(code.a, j), power)) << j;
    }
  } else {
    return false;
  }
  tile.mask(code.dst) = static_cast<u8>(bits);
  return true;
}

ARIADNE_INLINE bool run_mask(const gpu_tile& tile, const tile_instruction& code) {
  switch (code.op) {
#define CASE(OP, EXPRESSION)                           \
  case TILE_##OP: {                                    \
    const u32 a = tile.mask(code.a);                   \
    const u32 b = tile.mask(code.b);                   \
    tile.mask(code.dst) = static_cast<u8>(EXPRESSION); \
    return true;                                       \
  }
    TILE_MASK_OPERATIONS(CASE)
#undef CASE
    case TILE_MASK_NOT:
      tile.mask(code.dst) = static_cast<u8>(~tile.mask(code.a));
      return true;
    case TILE_MASK_SELECT: {
      const u32 choice = tile.mask(code.mask);
      const u32 chosen = (choice & tile.mask(code.a)) | (~choice & tile.mask(code.b));
      tile.mask(code.dst) = static_cast<u8>(chosen);
      return true;
    }
    case TILE_CONST_MASK:
      tile.mask(code.dst) = code.imm != 0 ? 0xff : 0;
      return true;
    case TILE_CONST_I64:
      TILE_EACH_ITEM({ tile.lane(code.dst, j) = code.imm; })
    case TILE_MASK_TO_I64: {
      const u32 bits = tile.mask(code.a);
      TILE_EACH_ITEM({ tile.lane(code.dst, j) = bits >> j & 1; })
    }
    case TILE_SELECT: {
      const u32 bits = tile.mask(code.mask);
      TILE_EACH_ITEM({
        const i64 a = operand_a(tile, code, j);
        const i64 b = operand_b(tile, code, j);
        tile.lane(code.dst, j) = (bits >> j & 1) != 0 ? a : b;
      })
    }
    default:
      return false;
  }
}

ARIADNE_INLINE bool run_wide(const gpu_tile& tile, const tile_instruction& code) {
  const i64 imm = code.imm;
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION) \
  case TILE_##OP: {                           \
    const auto p = PARAMETER;                 \
    (void)p;                                  \
    TILE_EACH_ITEM_SLOWLY({                   \
      const i128 a = tile.wide(code.a, j);    \
      tile.set_wide(code.dst, j, EXPRESSION); \
    })                                        \
  }
    TILE_UNARY_WIDE_OPERATIONS(CASE)
#undef CASE
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                              \
  case TILE_##OP:                                                          \
    TILE_EACH_ITEM_SLOWLY({                                                \
      const i128 a = wide_operand(tile, code, code.a, TILE_A_CONSTANT, j); \
      const i128 b = wide_operand(tile, code, code.b, TILE_B_CONSTANT, j); \
      tile.set_wide(code.dst, j, EXPRESSION);                              \
    })
    TILE_BINARY_WIDE_OPERATIONS(CASE)
#undef CASE
    case TILE_WIDEN_I64:
      TILE_EACH_ITEM({ tile.set_wide(code.dst, j, tile.lane(code.a, j)); })
    case TILE_MUL_WIDE_I64:
      TILE_EACH_ITEM({
        const i128 a = operand_a(tile, code, j);
        tile.set_wide(code.dst, j, a * operand_b(tile, code, j));
      })
    case TILE_DECIMAL_TO_F64:
      TILE_EACH_ITEM_SLOWLY({
        const f64 value = element::to_f64(tile.wide(code.a, j), static_cast<u32>(imm));
        tile.lane(code.dst, j) = to_lane(value);
      })
    default:
      return false;
  }
}

// Operations on decimals that also write a mask of overflows.
ARIADNE_INLINE bool run_decimal(const gpu_tile& tile, const tile_instruction& code) {
  const i64 imm = code.imm;
  u32 bits = 0;
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                                      \
  case TILE_##OP: {                                                                \
    const auto p = PARAMETER;                                                      \
    _Pragma("clang loop unroll(disable)") for (u32 j = 0; j < kItems; j++) {       \
      const i128 a = tile.wide(code.a, j);                                         \
      const i128 b = TILE_##OP == TILE_DECIMAL_RESCALE ? 0 : tile.wide(code.b, j); \
      (void)b;                                                                     \
      const element::decimal_result result = EXPRESSION;                           \
      tile.set_wide(code.dst, j, result.value);                                    \
      bits |= static_cast<u32>(result.overflow) << j;                              \
    }                                                                              \
    break;                                                                         \
  }
    TILE_DECIMAL_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
  tile.mask(code.mask) = static_cast<u8>(bits);
  return true;
}

// Operations on the digits of doubles.
ARIADNE_INLINE bool run_digits(const gpu_tile& tile, const tile_instruction& code) {
  const i64 imm = code.imm;
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)               \
  case TILE_##OP: {                                         \
    const auto p = PARAMETER;                               \
    TILE_EACH_ITEM_SLOWLY({                                 \
      const TYPE a = from_lane<TYPE>(tile.lane(code.a, j)); \
      tile.lane(code.dst, j) = to_lane(EXPRESSION);         \
    })                                                      \
  }
    TILE_DIGITS_OPERATIONS(CASE)
#undef CASE
    case TILE_F64_TO_DECIMAL: {
      const element::digit_rounding rounding = element::unpack_rounding(imm);
      u32 bits = 0;
#pragma clang loop unroll(disable)
      for (u32 j = 0; j < kItems; j++) {
        const f64 a = from_lane<f64>(tile.lane(code.a, j));
        const element::decimal_result result = element::to_decimal(a, rounding);
        tile.set_wide(code.dst, j, result.value);
        bits |= static_cast<u32>(result.overflow) << j;
      }
      tile.mask(code.mask) = static_cast<u8>(bits);
      return true;
    }
    default:
      return false;
  }
}

// Wide integers to narrower ones, and a mask of what does not fit.
ARIADNE_INLINE bool run_narrow_wide(const gpu_tile& tile, const tile_instruction& code) {
  u32 bits = 0;
  switch (code.op) {
    case TILE_NARROW_I128:
#pragma unroll
      for (u32 j = 0; j < kItems; j++) {
        const i64 low = tile.lane(code.a, j);
        bits |= (tile.lane(code.a + 1, j) != low >> 63 ? 1u : 0u) << j;
        tile.lane(code.dst, j) = low;
      }
      break;
    case TILE_NARROW_I192:
#pragma unroll
      for (u32 j = 0; j < kItems; j++) {
        const i128 low = tile.wide(code.a, j);
        bits |= (tile.lane(code.a + 2, j) != element::high_half(low) >> 63 ? 1u : 0u) << j;
        tile.set_wide(code.dst, j, low);
      }
      break;
    default:
      return false;
  }
  tile.mask(code.mask) = static_cast<u8>(bits);
  return true;
}

}  // namespace tile
