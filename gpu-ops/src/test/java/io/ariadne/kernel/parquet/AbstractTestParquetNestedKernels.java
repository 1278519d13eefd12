package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Offsets and validity out of levels, against a walk over the values. */
abstract class AbstractTestParquetNestedKernels extends ParquetSuite {
  private static final String[] PATHS = {
    "", "O", "L", "LL", "OL", "LO", "OLOL", "QLQLO", "LLLLL", "OOOLQ", "OLOLOLOLOLOLOLOL"
  };

  AbstractTestParquetNestedKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesEveryShape() {
    for (String path : PATHS) {
      check(NestedValues.random(random, path, 700));
    }
  }

  @Test
  void decodesEveryCount() {
    for (int count : COUNTS) {
      check(NestedValues.random(random, "LOL", count));
    }
  }

  @Test
  void decodesManyLevels() {
    check(NestedValues.random(random, "L".repeat(100), 3000));
    check(NestedValues.random(random, "O".repeat(254), 3000));
  }

  @Test
  void refusesLevelsThatCannotFollow() {
    var list = new NestedLevels.Node(0, 0, 1, 2, 1);
    refused(new byte[] {1, 0}, new byte[] {3, 3}, list, 0);
    refused(new byte[] {0, 0, 1}, new byte[] {3, 1, 3}, list, 2);
    refused(new byte[] {0, 0, 1, 1}, new byte[] {3, 2, 3, 1}, list, 3);
    byte[] repetition = new byte[500];
    byte[] definition = new byte[500];
    Arrays.fill(definition, (byte) 3);
    repetition[130] = 1;
    definition[130] = 0;
    repetition[400] = 1;
    definition[399] = 0;
    refused(repetition, definition, list, 130);
  }

  @Test
  void survivesAnyLevels() {
    for (int round = 0; round < 30; round++) {
      byte[] repetition = new byte[1 + random.nextInt(500)];
      byte[] definition = new byte[repetition.length];
      for (int i = 1; i < repetition.length; i++) {
        repetition[i] = (byte) random.nextInt(3);
        definition[i] = (byte) random.nextInt(6);
      }
      var node = new NestedLevels.Node(1, 2, 2, 4, 3);
      try {
        decode(repetition, definition, node, repetition.length);
      } catch (ParquetPageException e) {
        assertEquals(ParquetError.PARQUET_ERROR_LEVEL, e.code());
      }
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    NestedValues values = NestedValues.random(random, "LOL", MANY);
    byte[] repetition = values.repetition();
    decode(repetition, values.definition(), values.nodes().get(2).place, repetition.length);
    checkWork("parquet_nested");
  }

  private void refused(byte[] repetition, byte[] definition, NestedLevels.Node node, int entry) {
    ParquetPageException failure =
        assertThrows(
            ParquetPageException.class,
            () -> decode(repetition, definition, node, repetition.length));
    assertEquals(ParquetError.PARQUET_ERROR_LEVEL, failure.code());
    assertEquals(entry, failure.byteOffset());
  }

  private void check(NestedValues values) {
    byte[] repetition = values.repetition();
    byte[] definition = values.definition();
    int entries = definition.length;
    for (NestedValues.Node node : values.nodes()) {
      try (StreamMemory streams = new StreamMemory(backend(), allocator());
          NestedLevels levels = new NestedLevels(backend(), allocator());
          MemoryBuffer offsets = patterned((node.slots + 1L) * Integer.BYTES);
          MemoryBuffer validity = allocator().allocateZeroed(Math.max(1, node.slots / 8 + 1))) {
        NestedLevels.Counts counts =
            levels.decode(
                streams.put(repetition),
                streams.put(definition),
                entries,
                node.place,
                node.isList ? offsets : null,
                validity);
        assertEquals(node.slots, counts.slots(), "seed " + seed());
        assertEquals(node.validity.cardinality(), counts.valid());
        for (int slot = 0; slot < node.slots; slot++) {
          assertEquals(node.validity.get(slot), bit(validity, slot), "seed " + seed());
          if (node.isList) {
            assertEquals(node.offsets.get(slot), offsets.getInt((long) slot * Integer.BYTES));
          }
        }
        for (long slot = node.slots; slot < validity.capacityInBytes() * Byte.SIZE; slot++) {
          assertEquals(false, bit(validity, (int) slot), "seed " + seed());
        }
        if (node.isList) {
          assertEquals(node.elements, counts.elements());
          assertEquals(node.elements, offsets.getInt((long) node.slots * Integer.BYTES));
        }
        checkUntouched(offsets, node.isList ? (node.slots + 1L) * Integer.BYTES : 0);
      }
    }
    checkRows(values);
  }

  private void checkRows(NestedValues values) {
    int entries = values.definition().length;
    int rows = values.rowStarts().size();
    byte[] repetition = values.repetition();
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        NestedLevels levels = new NestedLevels(backend(), allocator());
        MemoryBuffer starts = patterned((rows + 1L) * Integer.BYTES)) {
      assertEquals(rows, levels.rows(streams.put(repetition), entries, starts));
      assertEquals(entries, starts.getInt((long) rows * Integer.BYTES));
      for (int row = 0; row < rows; row++) {
        assertEquals(values.rowStarts().get(row), starts.getInt((long) row * Integer.BYTES));
      }
      if (rows > 2) { // rows that begin behind the rest of another
        int skip = 1 + random.nextInt(values.rowStarts().get(1));
        byte[] rest = Arrays.copyOfRange(repetition, skip, entries);
        assertEquals(rows - 1, levels.rows(streams.put(rest), rest.length, starts));
        assertEquals(values.rowStarts().get(1) - skip, starts.getInt(0));
      }
    }
  }

  private void decode(byte[] repetition, byte[] definition, NestedLevels.Node node, int entries) {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        NestedLevels levels = new NestedLevels(backend(), allocator());
        MemoryBuffer offsets = patterned((entries + 1L) * Integer.BYTES);
        MemoryBuffer validity = allocator().allocateZeroed(entries / 8 + 1)) {
      levels.decode(
          streams.put(repetition), streams.put(definition), entries, node, offsets, validity);
      checkUntouched(offsets, (entries + 1L) * Integer.BYTES);
    }
  }
}
