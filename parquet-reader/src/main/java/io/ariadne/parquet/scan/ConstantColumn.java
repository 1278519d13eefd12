package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.column.GatherKernel;

/**
 * Makes columns that have the same value in every row: constants of a slice, and missing columns.
 */
final class ConstantColumn {
  private ConstantColumn() {}

  /**
   * Makes a column.
   *
   * @param value value and type of the column
   * @param rowCount number of rows
   * @param allocator host memory
   * @param gather copies rows in memory of {@code allocator}'s tier
   * @return a column owned by the caller
   */
  static ColumnVector of(
      Literal value, int rowCount, BufferAllocator allocator, GatherKernel gather) {
    boolean isFlat =
        switch (value.type().defaultPhysicalType()) {
          case OFFSETS, NONE -> false;
          default -> true;
        };
    if (!isFlat || rowCount <= 1 || allocator.tier() == MemoryTier.DEVICE) {
      return repeated(value, rowCount, allocator);
    }
    long indexBytes = PhysicalType.I32.dataLengthInBytes(rowCount);
    try (ColumnVector one = repeated(value, 1, allocator);
        MemoryBuffer zeros = allocator.allocateZeroed(indexBytes)) {
      return gather.gather(one, zeros, rowCount);
    }
  }

  private static ColumnVector repeated(Literal value, int rowCount, BufferAllocator allocator) {
    try (ColumnBuilder builder = ColumnBuilder.create(value.type(), allocator)) {
      for (int row = 0; row < rowCount; row++) {
        if (value.value() == null) {
          builder.appendNull();
        } else {
          builder.appendValue(value.value());
        }
      }
      return builder.build();
    }
  }
}
