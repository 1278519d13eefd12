package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.kernel.abi.CastInputLayout;
import io.ariadne.kernel.abi.ColumnViewLayout;

/**
 * The operand of kernels that cast strings.
 *
 * @param values views or numbers, in kernel memory
 * @param rows codes and validity of the rows: {@code values} itself, or a dictionary column with
 *     these entries
 */
public record CastInput(ColumnVector values, ColumnVector rows) {
  private boolean isCoded() {
    return rows != values;
  }

  private long validity() {
    return rows.validity() == null ? 0 : rows.validity().address();
  }

  /** Writes a {@code cast_input}; the caller releases the table of heaps. */
  void put(ArgumentBlock arguments, int offset, HeapTables heaps) {
    int column = offset + CastInputLayout.COLUMN_OFFSET;
    arguments.putLong(column + ColumnViewLayout.DATA_OFFSET, values.data().address());
    arguments.putLong(column + ColumnViewLayout.VALIDITY_OFFSET, 0);
    arguments.putLong(column + ColumnViewLayout.HEAPS_OFFSET, heaps.addressOf(values));
    arguments.putInt(column + ColumnViewLayout.KIND_OFFSET, values.physicalType().code());
    arguments.putInt(column + ColumnViewLayout.HEAP_COUNT_OFFSET, 0);
    long codes = isCoded() ? rows.data().address() : 0;
    arguments.putLong(offset + CastInputLayout.CODES_OFFSET, codes);
    arguments.putLong(offset + CastInputLayout.VALIDITY_OFFSET, validity());
    arguments.putInt(offset + CastInputLayout.IS_CONSTANT_OFFSET, 0);
  }
}
