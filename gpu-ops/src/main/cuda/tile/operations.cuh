// The value function of every opcode that computes, written once for both interpreters as lists:
//   X(opcode, operand type, parameter, expression)
// The expression sees the operands a and b, and p, the value of `parameter`, which is computed once
// per instruction from imm. Operand types are i64, f64 and i128.
#pragma once

#include "element/date.cuh"
#include "element/decimal.cuh"
#include "element/float_decimal.cuh"
#include "element/floating.cuh"
#include "element/integer.cuh"
#include "element/spark_hash.cuh"
#include "element/time.cuh"
#include "tile/byte_hash.cuh"

namespace tile {

// What a kernel is compiled for: TILE_DECIMAL_OPERATIONS, TILE_DIGITS_OPERATIONS and
// TILE_HASH_BYTES_OPERATIONS, which need the most registers of a GPU, are left out of one.
enum class operation_set { all, all_but_long };

// The step function of STEP_VALUE.
ARIADNE_INLINE element::step_function constant_steps(const tile_program_args& args, i64 imm) {
  const auto* table = reinterpret_cast<const element::step*>(constant_bytes(args, imm));
  return element::to_step_function(table, constant_length(imm) / sizeof(element::step));
}

}  // namespace tile

// r[dst] from r[a]. The host's compiler must vectorise the loop over each: if not, it fails.
#define TILE_UNARY_OPERATIONS(X)                                                    \
  X(NEG_I64, i64, imm, element::negate(a))                                          \
  X(ABS_I64, i64, imm, element::absolute(a))                                        \
  X(NARROW_I64, i64, static_cast<u32>(imm), element::narrow(a, p))                  \
  X(DIV_POW10_HALF_UP_I64, i64, element::short_power_of_ten(static_cast<u32>(imm)), \
    element::divide_by<true>(a, p))                                                 \
  X(DIV_POW10_I64, i64, element::short_power_of_ten(static_cast<u32>(imm)),         \
    element::divide_by<false>(a, p))                                                \
  X(NEG_F64, f64, imm, element::negate(a))                                          \
  X(ABS_F64, f64, imm, element::absolute(a))                                        \
  X(SQRT_F64, f64, imm, __builtin_elementwise_sqrt(a))                              \
  X(FLOOR_F64, f64, imm, __builtin_elementwise_floor(a))                            \
  X(CEIL_F64, f64, imm, __builtin_elementwise_ceil(a))                              \
  X(ROUND_F32, f64, imm, element::round_to_float(a))                                \
  X(NORMALIZE_F64, f64, imm, element::normalize(a))                                 \
  X(F64_TO_KEY, f64, imm, element::order_key(a))                                    \
  X(KEY_TO_F64, i64, imm, element::from_order_key(a))                               \
  X(I64_TO_F64, i64, imm, static_cast<f64>(a))                                      \
  X(I64_TO_F32, i64, imm, element::to_float(a))                                     \
  X(F64_TO_I64, f64, imm, element::to_i64(a))                                       \
  X(F64_TO_I32, f64, imm, element::to_i32(a))                                       \
  X(YEAR, i64, imm, element::year_of_day(a))                                        \
  X(MONTH, i64, imm, element::month_of_day(a))                                      \
  X(DAY_OF_MONTH, i64, imm, element::day_of_month(a))                               \
  X(DAY_OF_YEAR, i64, imm, element::day_of_year(a))                                 \
  X(QUARTER, i64, imm, element::quarter_of_day(a))                                  \
  X(F32_BITS, f64, imm, element::hashed_float_bits(a))

// The same, too long for a GPU to hold several rows at once.
#define TILE_LONG_UNARY_OPERATIONS(X)                             \
  X(BIT_COUNT_I64, i64, imm, element::bit_count(a))               \
  X(MONTH_NUMBER, i64, imm, element::month_number(a))             \
  X(FIRST_DAY_OF_MONTH, i64, imm, element::first_day_of_month(a)) \
  X(SECOND_OF_MICROS, i64, imm, element::second_of_micros(a))

// r[dst] from r[a] and r[b]
#define TILE_BINARY_OPERATIONS(X)                                \
  X(ADD_I64, i64, imm, element::add(a, b))                       \
  X(SUB_I64, i64, imm, element::subtract(a, b))                  \
  X(MUL_I64, i64, imm, element::multiply(a, b))                  \
  X(DIV_I64, i64, imm, element::divide(a, b))                    \
  X(REM_I64, i64, imm, element::remainder(a, b))                 \
  X(FLOOR_DIV_I64, i64, imm, element::floor_divide(a, b))        \
  X(FLOOR_MOD_I64, i64, imm, element::floor_modulo(a, b))        \
  X(AND_I64, i64, imm, a& b)                                     \
  X(OR_I64, i64, imm, a | b)                                     \
  X(XOR_I64, i64, imm, a ^ b)                                    \
  X(SHL_I64, i64, imm, element::shift_left(a, b))                \
  X(SHR_I64, i64, imm, element::shift_right(a, b))               \
  X(USHR_I64, i64, imm, element::shift_right_unsigned(a, b))     \
  X(SHL_I32, i64, imm, element::shift_left_int(a, b))            \
  X(SHR_I32, i64, imm, element::shift_right_int(a, b))           \
  X(USHR_I32, i64, imm, element::shift_right_unsigned_int(a, b)) \
  X(ADD_F64, f64, imm, a + b)                                    \
  X(SUB_F64, f64, imm, a - b)                                    \
  X(MUL_F64, f64, imm, a* b)                                     \
  X(DIV_F64, f64, imm, a / b)

// The same, too long for a GPU to hold several rows at once.
#define TILE_HASH_OPERATIONS(X)                         \
  X(MURMUR3_I32, i64, imm, element::murmur3_int(a, b))  \
  X(MURMUR3_I64, i64, imm, element::murmur3_long(a, b)) \
  X(XXHASH64_I32, i64, imm, element::xxhash_int(a, b))  \
  X(XXHASH64_I64, i64, imm, element::xxhash_long(a, b))

// r[dst] from the decimal w[a] and r[b], and from the string w[a] and r[b]: X(the former, the
// latter, what hashes bytes)
#define TILE_HASH_BYTES_OPERATIONS(X) \
  X(MURMUR3_DECIMAL, MURMUR3_VIEW, murmur3) X(XXHASH64_DECIMAL, XXHASH64_VIEW, xxhash64)

// The same, with branches or loops of their own: no host loop over them vectorises.
#define TILE_SCALAR_UNARY_OPERATIONS(X) \
  X(DECIMAL_I64_TO_F64, i64, static_cast<u32>(imm), element::to_f64(a, p))
#define TILE_DIGITS_OPERATIONS(X) \
  X(ROUND_DIGITS_F64, f64, element::unpack_rounding(imm), element::round_digits(a, p))
#define TILE_SCALAR_BINARY_OPERATIONS(X) X(REM_F64, f64, imm, element::remainder(a, b))

// r[dst] from r[a] and r[b], and whether the result overflows
#define TILE_OVERFLOW_OPERATIONS(X)                                                    \
  X(ADD_OVERFLOW_I64, i64, element::add(a, b), element::add_overflows(a, b))           \
  X(SUB_OVERFLOW_I64, i64, element::subtract(a, b), element::subtract_overflows(a, b)) \
  X(MUL_OVERFLOW_I64, i64, element::multiply(a, b), element::multiply_overflows(a, b))

// m[dst] from r[a] and r[b]
#define TILE_COMPARE_OPERATIONS(X)                  \
  X(EQ_I64, i64, imm, a == b)                       \
  X(NE_I64, i64, imm, a != b)                       \
  X(LT_I64, i64, imm, a < b)                        \
  X(LE_I64, i64, imm, a <= b)                       \
  X(GT_I64, i64, imm, a > b)                        \
  X(GE_I64, i64, imm, a >= b)                       \
  X(EQ_F64, f64, imm, element::equal(a, b))         \
  X(NE_F64, f64, imm, !element::equal(a, b))        \
  X(LT_F64, f64, imm, element::less(a, b))          \
  X(LE_F64, f64, imm, element::less_or_equal(a, b)) \
  X(GT_F64, f64, imm, element::less(b, a))          \
  X(GE_F64, f64, imm, element::less_or_equal(b, a))

// m[dst] from w[a] and w[b]
#define TILE_COMPARE_WIDE_OPERATIONS(X) \
  X(EQ_I128, i128, imm, a == b)         \
  X(NE_I128, i128, imm, a != b)         \
  X(LT_I128, i128, imm, a < b)          \
  X(LE_I128, i128, imm, a <= b)         \
  X(GT_I128, i128, imm, a > b)          \
  X(GE_I128, i128, imm, a >= b)

// w[dst] from w[a]
#define TILE_UNARY_WIDE_OPERATIONS(X)                                                \
  X(NEG_I128, i128, imm, -a)                                                         \
  X(ABS_I128, i128, imm, a < 0 ? -a : a)                                             \
  X(DIV_POW10_HALF_UP_I128, i128, element::long_power_of_ten(static_cast<u32>(imm)), \
    element::divide_by<true>(a, p))                                                  \
  X(DIV_POW10_I128, i128, element::long_power_of_ten(static_cast<u32>(imm)),         \
    element::divide_by<false>(a, p))

// w[dst] from w[a] and w[b]
#define TILE_BINARY_WIDE_OPERATIONS(X) \
  X(ADD_I128, i128, imm, a + b)        \
  X(SUB_I128, i128, imm, a - b)        \
  X(MUL_I128, i128, imm, a* b)

// w[dst] from w[a] and w[b], and whether the result overflows
#define TILE_DECIMAL_OPERATIONS(X)                                                \
  X(DECIMAL_ADD, i128, element::unpack_scaling(imm), element::add(a, b, p))       \
  X(DECIMAL_SUB, i128, element::unpack_scaling(imm), element::add(a, -b, p))      \
  X(DECIMAL_MUL, i128, element::unpack_scaling(imm), element::multiply(a, b, p))  \
  X(DECIMAL_DIV, i128, element::unpack_scaling(imm), element::divide(a, b, p))    \
  X(DECIMAL_REM, i128, element::unpack_scaling(imm), element::remainder(a, b, p)) \
  X(DECIMAL_RESCALE, i128, element::unpack_scaling(imm), element::rescale(a, p))

// m[dst] from m[a] and m[b]; on words of any width
#define TILE_MASK_OPERATIONS(X) \
  X(MASK_AND, a& b)             \
  X(MASK_OR, a | b)             \
  X(MASK_XOR, a ^ b)            \
  X(MASK_ANDNOT, a & ~b)
