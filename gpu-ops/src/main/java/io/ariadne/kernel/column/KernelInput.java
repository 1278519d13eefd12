package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.kernel.abi.CastInputLayout;
import io.ariadne.kernel.abi.ColumnViewLayout;

/**
 * An operand of kernels that make strings or read them.
 *
 * @param values views or numbers, in buffers that kernels see
 * @param rows the rows' codes and validity: {@code values} itself, or a dictionary column of its
 *     entries; null when row 0 of {@code values} stands for all rows
 */
public record KernelInput(ColumnVector values, ColumnVector rows) {
  private boolean isCoded() {
    return rows != null && rows != values;
  }

  private long validity() {
    return rows == null || rows.validity() == null ? 0 : rows.validity().address();
  }

  /** Returns whether rows may be null. */
  boolean mayHaveNulls() {
    return validity() != 0;
  }

  /** Writes a {@code cast_input}; the table of heaps is the caller's to release. */
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
    arguments.putInt(offset + CastInputLayout.IS_CONSTANT_OFFSET, rows == null ? 1 : 0);
  }

  /** Writes that there is no operand. */
  static void putNone(ArgumentBlock arguments, int offset) {
    arguments.putLong(offset + CastInputLayout.COLUMN_OFFSET + ColumnViewLayout.DATA_OFFSET, 0);
    arguments.putLong(offset + CastInputLayout.VALIDITY_OFFSET, 0);
  }
}
