// Instructions on 128-bit integers and decimals, on the host. Each function runs one family of
// opcodes and returns whether the opcode was one of its own.
#pragma once

#include "tile/lane_operations.host.cuh"
#include "tile/operations.cuh"

namespace tile {

ARIADNE_INLINE wide_operand operand_wide(const host_tile& tile, const tile_program_args& args,
                                         const tile_instruction& code, u8 index, u8 constant_flag) {
  if ((code.flags & constant_flag) != 0) {
    const tile_constant& constant = args.constants[code.imm];
    return {nullptr, nullptr, element::join(static_cast<i64>(constant.low), constant.high)};
  }
  return {tile.lane[index], tile.lane[index + 1], 0};
}

static bool run_unary_wide(host_tile& tile, const tile_instruction& code) {
  const i64 imm = code.imm;
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)            \
  case TILE_##OP: {                                      \
    const auto p = PARAMETER;                            \
    (void)p;                                             \
    map_unary_wide(tile, code.dst, code.a, [p](i128 a) { \
      (void)p;                                           \
      return EXPRESSION;                                 \
    });                                                  \
    return true;                                         \
  }
    TILE_UNARY_WIDE_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

// Whether both operands are 128-bit integers, which may be constants of the pool.
ARIADNE_INLINE bool is_wide_pair_operation(u8 op) {
  switch (op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION) case TILE_##OP:
    TILE_BINARY_WIDE_OPERATIONS(CASE)
    TILE_COMPARE_WIDE_OPERATIONS(CASE)
#undef CASE
    return true;
    default:
      return false;
  }
}

static bool run_binary_wide(host_tile& tile, const tile_program_args& args,
                            const tile_instruction& code) {
  if (!is_wide_pair_operation(code.op)) {
    return false;  // before its imm is taken for a slot of the constant pool
  }
  const wide_operand x = operand_wide(tile, args, code, code.a, TILE_A_CONSTANT);
  const wide_operand y = operand_wide(tile, args, code, code.b, TILE_B_CONSTANT);
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                                         \
  case TILE_##OP:                                                                     \
    map_binary_wide(tile, code.dst, x, y, [](i128 a, i128 b) { return EXPRESSION; }); \
    return true;
    TILE_BINARY_WIDE_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

static bool run_compare_wide(host_tile& tile, const tile_program_args& args,
                             const tile_instruction& code) {
  if (!is_wide_pair_operation(code.op)) {
    return false;  // before its imm is taken for a slot of the constant pool
  }
  const wide_operand x = operand_wide(tile, args, code, code.a, TILE_A_CONSTANT);
  const wide_operand y = operand_wide(tile, args, code, code.b, TILE_B_CONSTANT);
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)                 \
  case TILE_##OP:                                             \
    map_bits(tile.mask(code.dst), tile.words, [x, y](u32 i) { \
      const i128 a = wide_at(x, i);                           \
      const i128 b = wide_at(y, i);                           \
      return EXPRESSION;                                      \
    });                                                       \
    return true;
    TILE_COMPARE_WIDE_OPERATIONS(CASE)
#undef CASE
    default:
      return false;
  }
}

// w[dst] = f(a, b).value, m[mask] = its overflow
template <typename F>
ARIADNE_INLINE void map_decimal(host_tile& tile, const tile_instruction& code,
                                const wide_operand& a, const wide_operand& b, F f) {
  u64* overflow = tile.mask(code.mask);
  i64* out_low = tile.write(code.dst);
  i64* out_high = tile.write(code.dst + 1);
  for (u32 w = 0; w < tile.words; w++) {
    u64 bits = 0;
    for (u32 k = 0; k < 64; k++) {
      const u32 i = w * 64 + k;
      const element::decimal_result result = f(wide_at(a, i), wide_at(b, i));
      out_low[i] = element::low_half(result.value);
      out_high[i] = element::high_half(result.value);
      bits |= static_cast<u64>(result.overflow) << k;
    }
    overflow[w] = bits;
  }
}

static bool run_convert_wide(host_tile& tile, const tile_instruction& code) {
  const i64 imm = code.imm;
  switch (code.op) {
    case TILE_WIDEN_I64: {
      const i64* in = tile.lane[code.a];
      i64* low = tile.write(code.dst);
      i64* high = tile.write(code.dst + 1);
      const u32 rows = tile.padded_rows();
#pragma clang loop vectorize(assume_safety)
      for (u32 i = 0; i < rows; i++) {
        const i64 value = in[i];
        low[i] = value;
        high[i] = value >> 63;
      }
      return true;
    }
    case TILE_EXCEEDS_PRECISION_I128: {
      const element::power_of_ten<u128> power = element::long_power_of_ten(static_cast<u32>(imm));
      const i64* low = tile.lane[code.a];
      const i64* high = tile.lane[code.a + 1];
      map_bits(tile.mask(code.dst), tile.words, [low, high, power](u32 i) {
        return element::exceeds(element::join(low[i], high[i]), power);
      });
      return true;
    }
    case TILE_DECIMAL_TO_F64: {
      const i64* low = tile.lane[code.a];
      const i64* high = tile.lane[code.a + 1];
      i64* out = tile.write(code.dst);
      const u32 rows = tile.padded_rows();
      for (u32 i = 0; i < rows; i++) {
        out[i] = to_lane(element::to_f64(element::join(low[i], high[i]), static_cast<u32>(imm)));
      }
      return true;
    }
    case TILE_MUL_WIDE_I64: {
      const lane_operand x = operand(tile, code, code.a, TILE_A_CONSTANT);
      const lane_operand y = operand(tile, code, code.b, TILE_B_CONSTANT);
      i64* low = tile.write(code.dst);
      i64* high = tile.write(code.dst + 1);
      const u32 rows = tile.padded_rows();
      with_operands(x, y, [=](auto a, auto b) {
        for (u32 i = 0; i < rows; i++) {
          const i128 product = static_cast<i128>(a(i)) * b(i);
          low[i] = element::low_half(product);
          high[i] = element::high_half(product);
        }
      });
      return true;
    }
    default:
      return false;
  }
}

// Operations that also write a mask of overflows.
static bool run_narrow_wide(host_tile& tile, const tile_instruction& code) {
  const i64* low = tile.lane[code.a];
  switch (code.op) {
    case TILE_NARROW_I128: {
      const i64* high = tile.lane[code.a + 1];
      map_bits(tile.mask(code.mask), tile.words,
               [low, high](u32 i) { return high[i] != low[i] >> 63; });
      i64* out = tile.write(code.dst);
      __builtin_memmove(out, low, tile.padded_rows() * sizeof(i64));
      return true;
    }
    case TILE_NARROW_I192: {
      const i64* middle = tile.lane[code.a + 1];
      const i64* high = tile.lane[code.a + 2];
      map_bits(tile.mask(code.mask), tile.words,
               [middle, high](u32 i) { return high[i] != middle[i] >> 63; });
      map_unary_wide(tile, code.dst, code.a, [](i128 a) { return a; });
      return true;
    }
    default:
      return false;
  }
}

static void to_decimals(host_tile& tile, const tile_instruction& code) {
  const element::digit_rounding rounding = element::unpack_rounding(code.imm);
  const i64* in = tile.lane[code.a];
  u64* overflow = tile.mask(code.mask);
  i64* low = tile.write(code.dst);
  i64* high = tile.write(code.dst + 1);
  for (u32 w = 0; w < tile.words; w++) {
    u64 bits = 0;
    for (u32 k = 0; k < 64; k++) {
      const u32 i = w * 64 + k;
      const f64 a = from_lane<f64>(in[i]);
      const element::decimal_result result = element::to_decimal(a, rounding);
      low[i] = element::low_half(result.value);
      high[i] = element::high_half(result.value);
      bits |= static_cast<u64>(result.overflow) << k;
    }
    overflow[w] = bits;
  }
}

static bool run_decimal(host_tile& tile, const tile_program_args& args,
                        const tile_instruction& code) {
  const i64 imm = code.imm;
  const wide_operand x = operand_wide(tile, args, code, code.a, 0);
  const wide_operand y = operand_wide(tile, args, code, code.b, 0);
  switch (code.op) {
#define CASE(OP, TYPE, PARAMETER, EXPRESSION)           \
  case TILE_##OP: {                                     \
    const auto p = PARAMETER;                           \
    map_decimal(tile, code, x, y, [p](i128 a, i128 b) { \
      (void)b;                                          \
      return EXPRESSION;                                \
    });                                                 \
    return true;                                        \
  }
    TILE_DECIMAL_OPERATIONS(CASE)
#undef CASE
    case TILE_F64_TO_DECIMAL:
      to_decimals(tile, code);
      return true;
    default:
      return false;
  }
}

}  // namespace tile
