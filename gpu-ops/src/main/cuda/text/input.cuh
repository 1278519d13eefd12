// Operands of kernels that cast strings: columns, coded columns and constants.
#pragma once

#include "column/column_view.cuh"

// A column, or one value for all rows.
struct cast_input {
  column_view column;   // of texts or of numbers
  const u32* codes;     // rows are those of `column` with these numbers; null: their own
  const u64* validity;  // of the rows; null: no nulls
  u32 is_constant;      // row 0 of `column` for all
  u32 reserved[3];
};

namespace text {

// Row of an operand's column.
ARIADNE_INLINE u32 row_of(const cast_input& input, u32 row) {
  if (input.is_constant != 0) {
    return 0;
  }
  return input.codes == nullptr ? row : target::load_ro(input.codes + row);
}

// Bits of 64 rows: those in which an operand has a value.
ARIADNE_INLINE u64 valid_word(const cast_input& input, u32 word) {
  return input.validity == nullptr ? ~0ull : target::load_ro(input.validity + word);
}

}  // namespace text
