package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.operator.OperatorContext;

/** Turns the results of a function for a dictionary's entries into a dictionary column. */
final class EntryResults {
  private EntryResults() {}

  /**
   * Returns a dictionary column of the results.
   *
   * @param values one result per entry, without nulls; owned by this call
   * @param argument the dictionary column, in kernel memory; stays the caller's
   * @param context where memory comes from
   * @return a column with the rows and nulls of the argument, owned by the caller
   */
  static ColumnVector of(ColumnVector values, ColumnVector argument, OperatorContext context) {
    Dictionary results = new Dictionary(values);
    MemoryBuffer codes = null;
    MemoryBuffer validity = null;
    try {
      int rowCount = argument.rowCount();
      codes = copyOf(argument.data(), PhysicalType.I32.dataLengthInBytes(rowCount), context);
      if (argument.validity() != null) {
        long length = PhysicalType.BOOL.dataLengthInBytes(rowCount);
        validity = copyOf(argument.validity(), length, context);
      }
      return ColumnVector.ofDictionary(results, rowCount, codes, validity, argument.nullCount());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(codes);
      closer.close(validity);
      closer.close(results::release);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static MemoryBuffer copyOf(
      MemoryBuffer source, long lengthInBytes, OperatorContext context) {
    MemoryBuffer copy = context.kernelAllocator().allocate(lengthInBytes);
    return ColumnTransfer.filled(copy, () -> context.backend().copy(source, copy, lengthInBytes));
  }
}
