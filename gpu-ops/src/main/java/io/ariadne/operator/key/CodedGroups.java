package io.ariadne.operator.key;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupCodesKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.ProjectionRunner;
import io.ariadne.operator.project.WorkingColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the groups of rows by the dictionary codes of their keys: a key is hashed and compared once
 * for each combination of codes that occurs, not once for each row.
 *
 * <p>It applies to keys in host memory that are dictionary columns with few combinations of codes.
 * It caches the group of each combination from batch to batch while the dictionaries stay the same.
 * Used by one thread at a time, for one table.
 */
public final class CodedGroups implements AutoCloseable {
  /** Finds the groups of keys by hashing and comparing them. */
  @FunctionalInterface
  public interface Numbering {
    /**
     * Returns the group of each key: 32-bit numbers in host memory, owned by the caller.
     *
     * @param keys in the layouts of the table; valid during the call
     * @param count how many keys
     */
    ColumnVector number(List<ColumnVector> keys, int count);
  }

  private final OperatorContext context;
  private final ProjectionRunner runner;
  private final GroupCodesKernel kernel;

  private long[] dictionaryIds = {};

  /** The group of each combination; null before the first batch. */
  private MemoryBuffer groupOf;

  private int combinations;

  /**
   * Creates an empty cache.
   *
   * @param runner decodes keys; stays the caller's
   */
  public CodedGroups(ProjectionRunner runner) {
    this.runner = runner;
    this.context = runner.context();
    this.kernel = new GroupCodesKernel(context.backend());
  }

  /** Returns whether the keys of a batch can be grouped by code and whether that pays. */
  public boolean applies(RecordBatch batch, CodedKeys keys) {
    if (keys == null || context.backend().tier() != MemoryTier.HOST) {
      return false;
    }
    long combinations = 1;
    for (int column : keys.columns()) {
      Dictionary dictionary = batch.column(column).dictionary();
      if (dictionary == null) {
        return false;
      }
      combinations *= dictionary.entryCount() + 1L;
      if (combinations > batch.rowCount() / DictionaryDecoder.ROWS_PER_ENTRY) {
        return false;
      }
    }
    return true;
  }

  /**
   * Finds the group of each row.
   *
   * @param batch a batch that {@link #applies} accepts; stays owned by the caller
   * @param keys its keys
   * @param numbering finds the groups of combinations that have not occurred before
   * @return the group numbers, owned by the caller
   */
  public ColumnVector assign(RecordBatch batch, CodedKeys keys, Numbering numbering) {
    int rows = batch.rowCount();
    MemoryBuffer ids = context.kernelAllocator().allocate((long) rows * Integer.BYTES);
    try {
      assign(batch, keys, numbering, ids);
    } catch (RuntimeException | Error e) {
      ids.close();
      throw e;
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rows, ids, null);
  }

  /**
   * Finds the group of each row.
   *
   * @param batch a batch that {@link #applies} accepts; stays owned by the caller
   * @param keys its keys
   * @param numbering finds the groups of combinations that have not occurred before
   * @param ids receives a 32-bit number per row
   */
  void assign(RecordBatch batch, CodedKeys keys, Numbering numbering, MemoryBuffer ids) {
    List<ColumnVector> columns = keys.columns().stream().map(batch::column).toList();
    prepareFor(columns);
    int rows = batch.rowCount();
    try (MemoryBuffer places = context.kernelAllocator().allocate((long) rows * Integer.BYTES)) {
      kernel.place(columns, rows, places);
      int known = kernel.resolve(places, groupOf, 0, rows, ids);
      if (known < rows) {
        addGroups(columns, keys, places, known, rows, numbering);
        kernel.resolve(places, groupOf, known, rows, ids);
      }
    }
  }

  /** Removes all cached groups, because the table has removed its groups. */
  public void reset() {
    dictionaryIds = new long[0];
  }

  /** Removes the cached groups when the dictionaries have changed. */
  private void prepareFor(List<ColumnVector> columns) {
    long[] ids = columns.stream().mapToLong(column -> column.dictionary().id()).toArray();
    if (!Arrays.equals(ids, dictionaryIds)) {
      reset();
      combinations = 1;
      for (ColumnVector column : columns) {
        combinations *= column.dictionary().entryCount() + 1;
      }
      if (groupOf == null || groupOf.capacityInBytes() < (long) combinations * Integer.BYTES) {
        close(groupOf);
        groupOf = null;
        groupOf = context.allocator().allocate((long) combinations * Integer.BYTES);
      }
      Memory.fill(groupOf.address(), (long) combinations * Integer.BYTES, (byte) -1);
      dictionaryIds = ids;
    }
  }

  /** Finds the groups of combinations that have none, in the order of their first rows. */
  private void addGroups(
      List<ColumnVector> columns,
      CodedKeys keys,
      MemoryBuffer places,
      int firstRow,
      int rows,
      Numbering numbering) {
    int[] added = new int[combinations];
    int count = 0;
    for (int row = firstRow; row < rows; row++) {
      int place = places.getInt((long) row * Integer.BYTES);
      long at = (long) place * Integer.BYTES;
      if (groupOf.getInt(at) == GroupCodesKernel.UNKNOWN) {
        groupOf.putInt(at, 0); // a placeholder; the group is set below
        added[count++] = place;
      }
    }
    try (RecordBatch combined = combinations(columns, keys, added, count);
        WorkingColumns scope = runner.columnsOf(combined)) {
      runner.compute(keys.compiler(), combined, scope);
      try (ColumnVector groups = numbering.number(scope.kernelOutputs(count), count)) {
        for (int i = 0; i < count; i++) {
          groupOf.putInt(
              (long) added[i] * Integer.BYTES, groups.data().getInt((long) i * Integer.BYTES));
        }
      }
    } catch (RuntimeException | Error e) {
      reset();
      throw e;
    }
  }

  /** Returns the keys of combinations as dictionary columns. */
  private RecordBatch combinations(
      List<ColumnVector> columns, CodedKeys keys, int[] places, int count) {
    List<ColumnVector> codes = new ArrayList<>();
    try {
      int stride = 1;
      for (ColumnVector column : columns) {
        codes.add(codes(column.dictionary(), places, count, stride));
        stride *= column.dictionary().entryCount() + 1;
      }
      return new RecordBatch(keys.schema(), count, codes, 0);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      codes.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private ColumnVector codes(Dictionary dictionary, int[] places, int count, int stride) {
    MemoryBuffer data = context.allocator().allocate((long) count * Integer.BYTES);
    MemoryBuffer validity = null;
    try {
      validity = context.allocator().allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(count));
      int entries = dictionary.entryCount();
      for (int i = 0; i < count; i++) {
        int code = places[i] / stride % (entries + 1);
        data.putInt((long) i * Integer.BYTES, code == entries ? 0 : code);
        if (code < entries) {
          Bitmaps.set(validity.address(), i);
        }
      }
      int nulls = ColumnVector.UNKNOWN_NULL_COUNT;
      return ColumnVector.ofDictionary(dictionary.retain(), count, data, validity, nulls);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(data);
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static void close(MemoryBuffer buffer) {
    if (buffer != null) {
      buffer.close();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(groupOf);
    closer.close(kernel);
    closer.rethrow();
  }
}
