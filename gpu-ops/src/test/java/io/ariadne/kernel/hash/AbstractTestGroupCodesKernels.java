package io.ariadne.kernel.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.CodesPhase;
import io.ariadne.kernel.abi.GroupCodesArgsLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Combinations of codes and their groups, against plain Java. */
abstract class AbstractTestGroupCodesKernels extends AbstractTestKernels {
  private static final int[] SIZES = {1, 31, 33, 1023, 1025, 5000};

  AbstractTestGroupCodesKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void groupsByCombinationsOfCodes() {
    for (int rows : SIZES) {
      int[] entries = new int[1 + random.nextInt(4)];
      for (int k = 0; k < entries.length; k++) {
        entries[k] = 1 + random.nextInt(6);
      }
      check(entries, rows);
    }
  }

  @Test
  void groupsManyRows() {
    checkEachLaunch(
        arguments ->
            arguments.getInt(GroupCodesArgsLayout.PHASE_OFFSET) == CodesPhase.CODES_PLACE
                ? "group_codes place"
                : null);
    check(new int[] {3, 2}, MANY);
  }

  private void check(int[] entries, int rows) {
    List<ColumnVector> keys = new ArrayList<>();
    int[] expected = new int[rows];
    int combinations = 1;
    for (int count : entries) {
      keys.add(key(count, rows, combinations, expected));
      combinations *= count + 1;
    }
    long bytes = (long) rows * Integer.BYTES;
    try (MemoryBuffer places = allocator().allocate(bytes);
        MemoryBuffer ids = allocator().allocate(bytes);
        MemoryBuffer groupOf = allocator().allocate((long) combinations * Integer.BYTES);
        GroupCodesKernel kernel = new GroupCodesKernel(backend())) {
      kernel.place(keys, rows, places);
      for (int row = 0; row < rows; row++) {
        assertEquals(expected[row], places.getInt((long) row * Integer.BYTES));
      }
      for (int i = 0; i < combinations; i++) {
        groupOf.putInt((long) i * Integer.BYTES, 7 * i);
      }
      assertEquals(rows, kernel.resolve(places, groupOf, 0, rows, ids));
      checkIds(expected, 0, rows, ids);
      int unknown = random.nextInt(rows);
      groupOf.putInt((long) expected[unknown] * Integer.BYTES, GroupCodesKernel.UNKNOWN);
      int first = 0;
      while (expected[first] != expected[unknown]) {
        first++;
      }
      assertEquals(first, kernel.resolve(places, groupOf, 0, rows, ids));
      checkIds(expected, 0, first, ids);
      groupOf.putInt((long) expected[unknown] * Integer.BYTES, 7 * expected[unknown]);
      assertEquals(rows, kernel.resolve(places, groupOf, first, rows, ids));
      checkIds(expected, 0, rows, ids);
    }
    keys.forEach(ColumnVector::close);
  }

  private static void checkIds(int[] combinations, int first, int end, MemoryBuffer ids) {
    for (int row = first; row < end; row++) {
      assertEquals(7 * combinations[row], ids.getInt((long) row * Integer.BYTES));
    }
  }

  /** Returns a key of random codes and nulls, and adds its part to the combinations. */
  private ColumnVector key(int entries, int rows, int stride, int[] combinations) {
    MemoryBuffer codes = allocator().allocate((long) rows * Integer.BYTES);
    MemoryBuffer validity =
        random.nextBoolean()
            ? allocator().allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(rows))
            : null;
    for (int row = 0; row < rows; row++) {
      int code = random.nextInt(entries);
      codes.putInt((long) row * Integer.BYTES, code);
      boolean isNull = validity != null && random.nextInt(4) == 0;
      if (validity != null && !isNull) {
        Bitmaps.set(validity.address(), row);
      }
      combinations[row] += (isNull ? entries : code) * stride;
    }
    try (ColumnBuilder values = ColumnBuilder.create(PrimitiveType.INT64, allocator())) {
      for (int i = 0; i < entries; i++) {
        values.appendValue((long) i);
      }
      Dictionary dictionary = new Dictionary(values.build());
      return ColumnVector.ofDictionary(
          dictionary, rows, codes, validity, ColumnVector.UNKNOWN_NULL_COUNT);
    }
  }
}
