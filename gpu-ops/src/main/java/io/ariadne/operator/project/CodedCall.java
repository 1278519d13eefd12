package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.expression.BridgedCall;
import io.ariadne.operator.OperatorContext;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a bridged call over a dictionary column once for each entry that occurs, and once for null,
 * instead of once for each row. The result is a dictionary column of the function's values.
 */
final class CodedCall {
  private static final int UNUSED = -1;

  private final BridgedCall call;
  private final ColumnVector argument;
  private final OperatorContext context;
  private final Dictionary dictionary;

  /**
   * The codes that occur, in the order of their first rows; null has the number of entries as its
   * code.
   */
  private final int[] used;

  private int usedCount;

  private CodedCall(BridgedCall call, ColumnVector argument, OperatorContext context) {
    this.call = call;
    this.argument = argument;
    this.context = context;
    this.dictionary = argument.dictionary();
    this.used = new int[dictionary.entryCount() + 1];
  }

  /**
   * Returns whether a call can be run per entry and whether that pays.
   *
   * @param call the call
   * @param arguments its arguments, in host memory
   */
  static boolean applies(BridgedCall call, List<ColumnVector> arguments) {
    PhysicalType result = call.type().defaultPhysicalType();
    return arguments.size() == 1
        && result != PhysicalType.OFFSETS
        && result != PhysicalType.NONE
        && call.function().dependsOnItsRowOnly()
        && DictionaryDecoder.pays(arguments.get(0));
  }

  /**
   * Runs the call.
   *
   * @param call a call that {@link #applies} accepts
   * @param argument its argument, in host memory
   * @param context where memory comes from
   * @param sequence sequence number of the batch
   * @return one value per row, owned by the caller; null when the function failed for an entry: the
   *     caller then runs it row by row, which raises the error of the first row
   */
  static ColumnVector apply(
      BridgedCall call, ColumnVector argument, OperatorContext context, long sequence) {
    return new CodedCall(call, argument, context).result(sequence);
  }

  private ColumnVector result(long sequence) {
    MemoryBuffer codes = context.allocator().allocate((long) argument.rowCount() * Integer.BYTES);
    MemoryBuffer validity = null;
    ColumnVector values = null;
    Dictionary results = null;
    try {
      numberEntries(codes);
      values = values(sequence);
      if (values == null) {
        codes.close();
        return null;
      }
      results = dictionaryOf(values);
      try (MemoryBuffer present = values.validity()) {
        if (present != null) {
          validity = validity(codes, present);
        }
      }
      int nulls = ColumnVector.UNKNOWN_NULL_COUNT;
      return ColumnVector.ofDictionary(results, argument.rowCount(), codes, validity, nulls);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(codes);
      closer.close(validity);
      closer.close(results == null ? values : results::release);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Writes, for each row, the number of its entry among the entries that occur. */
  private void numberEntries(MemoryBuffer target) {
    int[] numbers = new int[used.length];
    Arrays.fill(numbers, UNUSED);
    MemoryBuffer codes = argument.data();
    for (int row = 0; row < argument.rowCount(); row++) {
      long offset = (long) row * Integer.BYTES;
      int code = argument.isNull(row) ? used.length - 1 : codes.getInt(offset);
      if (numbers[code] == UNUSED) {
        numbers[code] = usedCount;
        used[usedCount++] = code;
      }
      target.putInt(offset, numbers[code]);
    }
  }

  /**
   * Returns the function's values for the entries that occur; null when it fails for one of them.
   */
  private ColumnVector values(long sequence) {
    try (ColumnVector entries = entriesInUse()) {
      // not closed: its only column is the entries
      RecordBatch view =
          new RecordBatch(
              ProjectionStep.schemaOf(call.arguments()), usedCount, List.of(entries), sequence);
      return apply(view);
    }
  }

  private ColumnVector apply(RecordBatch view) {
    try {
      return call.function().apply(view, context.allocator());
    } catch (EngineException e) {
      throw e;
    } catch (Exception e) {
      // The function may throw anything. It throws again when it runs row by row.
      return null;
    }
  }

  private ColumnVector entriesInUse() {
    MemoryBuffer codes = context.allocator().allocate((long) usedCount * Integer.BYTES);
    MemoryBuffer validity = null;
    try {
      if (argument.mayHaveNulls()) {
        validity = context.allocator().allocateZeroed(bitmapBytes(usedCount));
      }
      for (int i = 0; i < usedCount; i++) {
        boolean isNull = used[i] == used.length - 1;
        codes.putInt((long) i * Integer.BYTES, isNull ? 0 : used[i]);
        if (validity != null && !isNull) {
          Bitmaps.set(validity.address(), i);
        }
      }
      int nulls = ColumnVector.UNKNOWN_NULL_COUNT;
      return ColumnVector.ofDictionary(dictionary.retain(), usedCount, codes, validity, nulls);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(codes);
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Returns a dictionary that takes all parts of a column except its validity. */
  private static Dictionary dictionaryOf(ColumnVector values) {
    return new Dictionary(
        new ColumnVector(
            values.type(),
            values.physicalType(),
            values.rowCount(),
            values.data(),
            null,
            0,
            values.heaps(),
            List.of()));
  }

  private MemoryBuffer validity(MemoryBuffer codes, MemoryBuffer present) {
    MemoryBuffer validity = context.allocator().allocateZeroed(bitmapBytes(argument.rowCount()));
    for (int row = 0; row < argument.rowCount(); row++) {
      if (Bitmaps.isSet(present.address(), codes.getInt((long) row * Integer.BYTES))) {
        Bitmaps.set(validity.address(), row);
      }
    }
    return validity;
  }

  private static long bitmapBytes(int rowCount) {
    return PhysicalType.BOOL.dataLengthInBytes(rowCount);
  }
}
