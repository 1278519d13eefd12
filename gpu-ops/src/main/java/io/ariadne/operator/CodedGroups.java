package io.ariadne.operator;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups rows by the codes of their keys: keys are hashed and compared once per combination of
 * codes that occurs, not once per row.
 *
 * <p>What group a combination has is kept from batch to batch while the dictionaries stay the same.
 * For keys on the host that all have dictionaries with few combinations. Used by one thread at a
 * time.
 */
final class CodedGroups {
  private static final int UNKNOWN = -1;

  private final OperatorContext context;
  private final ProjectionRunner runner;
  private long[] dictionaryIds = {};
  private int[] groupOf = {};

  CodedGroups(ProjectionRunner runner) {
    this.runner = runner;
    this.context = runner.context();
  }

  /** Returns whether the keys of a batch can be grouped by code, and that pays. */
  boolean applies(RecordBatch batch, CodedKeys keys) {
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
   * Gives rows their groups.
   *
   * @param batch for which {@link #applies} holds; stays owned by the caller
   * @param keys its keys
   * @param table takes new groups
   * @return the group numbers, owned by the caller
   */
  ColumnVector assign(RecordBatch batch, CodedKeys keys, AggregateTable table) {
    List<ColumnVector> columns = keys.columns().stream().map(batch::column).toList();
    remember(columns);
    int rows = batch.rowCount();
    MemoryBuffer ids = context.kernelAllocator().allocate((long) rows * Integer.BYTES);
    try {
      int stride = 1;
      for (ColumnVector column : columns) {
        addPlaces(column, ids.address(), stride);
        stride *= column.dictionary().entryCount() + 1;
      }
      int known = resolve(ids.address(), 0, rows);
      if (known < rows) {
        addGroups(columns, keys, ids.address() + (long) known * Integer.BYTES, rows - known, table);
        resolve(ids.address(), known, rows);
      }
    } catch (RuntimeException | Error e) {
      ids.close();
      throw e;
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rows, ids, null);
  }

  /** Forgets the groups: the table has no groups any more. */
  void reset() {
    dictionaryIds = new long[0];
  }

  /** Forgets the groups when the dictionaries are others. */
  private void remember(List<ColumnVector> columns) {
    long[] ids = columns.stream().mapToLong(column -> column.dictionary().id()).toArray();
    if (!Arrays.equals(ids, dictionaryIds)) {
      int combinations = 1;
      for (ColumnVector column : columns) {
        combinations *= column.dictionary().entryCount() + 1;
      }
      groupOf = new int[combinations];
      Arrays.fill(groupOf, UNKNOWN);
      dictionaryIds = ids;
    }
  }

  /** Adds a key's part to the number of each row's combination: the code, or one more for null. */
  private static void addPlaces(ColumnVector column, long places, int stride) {
    long codes = column.data().address();
    long validity = column.mayHaveNulls() ? column.validity().address() : 0;
    int forNull = column.dictionary().entryCount();
    for (int row = 0; row < column.rowCount(); row++) {
      long offset = (long) row * Integer.BYTES;
      int code = Memory.getInt(codes + offset);
      if (validity != 0 && !Bitmaps.isSet(validity, row)) {
        code = forNull;
      }
      int before = stride == 1 ? 0 : Memory.getInt(places + offset);
      Memory.putInt(places + offset, before + code * stride);
    }
  }

  /** Replaces combinations by groups until one has none yet; returns its row, or the end. */
  private int resolve(long ids, int first, int end) {
    int[] groups = groupOf;
    for (int row = first; row < end; row++) {
      long at = ids + (long) row * Integer.BYTES;
      int group = groups[Memory.getInt(at)];
      if (group == UNKNOWN) {
        return row;
      }
      Memory.putInt(at, group);
    }
    return end;
  }

  /** Gives groups to the combinations that have none, in the order of their first rows. */
  private void addGroups(
      List<ColumnVector> columns, CodedKeys keys, long places, int rows, AggregateTable table) {
    int[] added = new int[groupOf.length];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      int place = Memory.getInt(places + (long) row * Integer.BYTES);
      if (groupOf[place] == UNKNOWN) {
        groupOf[place] = table.groupCount();
        added[count++] = place;
      }
    }
    try (RecordBatch combinations = combinations(columns, keys, added, count);
        WorkingColumns scope = runner.columnsOf(combinations)) {
      runner.compute(keys.compiler(), combinations, scope);
      try (ColumnVector groups = table.assign(scope.kernelOutputs(count), count)) {
        for (int i = 0; i < count; i++) {
          groupOf[added[i]] = groups.data().getInt((long) i * Integer.BYTES);
        }
      }
    } catch (RuntimeException | Error e) {
      dictionaryIds = new long[0];
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
}
