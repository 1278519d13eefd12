package io.ariadne.columnar.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concatenated columns have the rows of their slices, in order, under both policies. */
class TestColumnConcatenator {
  private static final DataType TEXT = PrimitiveType.STRING;
  private static final DataType DECIMAL = new DecimalType(9, 2);
  private static final List<PhysicalType> DECIMAL_LAYOUTS =
      List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RandomBatches batches = RandomBatches.create();
  private final List<ColumnVector> sources = new ArrayList<>();

  @AfterEach
  void closeSources() {
    sources.forEach(ColumnVector::close);
  }

  private ColumnConcatenator concatenator(ConcatenationPolicy policy) {
    return new ColumnConcatenator(memory.allocator(), policy, DictionaryLookup.JAVA);
  }

  private <T> T any(List<T> values) {
    return values.get(batches.random().nextInt(values.size()));
  }

  private ColumnSlice slice(ColumnVector column) {
    sources.add(column);
    int first = batches.random().nextInt(column.rowCount() + 1);
    return new ColumnSlice(column, first, batches.random().nextInt(column.rowCount() - first + 1));
  }

  private ColumnVector random(DataType type) {
    int rows = batches.random().nextInt(200);
    NullPattern nulls = any(List.of(NullPattern.values()));
    ColumnEncoding encoding = any(List.of(ColumnEncoding.values()));
    Schema schema = RandomBatches.schemaOf(List.of(type));
    try (RecordBatch batch = batches.batch(schema, rows, nulls, encoding, memory.allocator())) {
      return batch.takeColumn(0);
    }
  }

  private List<ColumnSlice> slices(DataType type) {
    List<ColumnSlice> slices = new ArrayList<>();
    for (int i = batches.random().nextInt(5); i >= 0; i--) {
      slices.add(slice(random(type)));
    }
    return slices;
  }

  private static List<List<Object>> rows(ColumnVector column) {
    // not closed: the column is another owner's
    Schema schema = RandomBatches.schemaOf(List.of(column.type()));
    return BatchAssertions.rows(new RecordBatch(schema, column.rowCount(), List.of(column), 0));
  }

  private static List<List<Object>> rows(List<ColumnSlice> slices) {
    List<List<Object>> rows = new ArrayList<>();
    for (ColumnSlice slice : slices) {
      rows.addAll(rows(slice.column()).subList(slice.first(), slice.first() + slice.count()));
    }
    return rows;
  }

  private static void assertRowsAndClose(List<ColumnSlice> slices, ColumnVector concatenated) {
    try (concatenated) {
      assertEquals(ColumnSlice.rows(slices), concatenated.rowCount());
      BatchAssertions.assertRowsInOrder(rows(slices), rows(concatenated));
    }
  }

  private static List<DataType> allTypes() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    types.add(PrimitiveType.NULL);
    return types;
  }

  @ParameterizedTest
  @EnumSource(ConcatenationPolicy.class)
  void keepsRowsInOrder(ConcatenationPolicy policy) {
    for (DataType type : allTypes()) {
      for (int round = 0; round < 10; round++) {
        List<ColumnSlice> slices = slices(type);
        assertRowsAndClose(slices, concatenator(policy).concat(type, slices));
        ColumnVector decoded = concatenator(policy).concatDecoded(type, slices);
        assertNull(decoded.dictionary());
        assertRowsAndClose(slices, decoded);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ConcatenationPolicy.class)
  void widensDecimalsWithAndWithoutDictionaries(ConcatenationPolicy policy) {
    for (int round = 0; round < 50; round++) {
      List<ColumnSlice> slices = new ArrayList<>();
      PhysicalType widest = PhysicalType.I32;
      for (int i = batches.random().nextInt(5); i >= 0; i--) {
        PhysicalType layout = any(DECIMAL_LAYOUTS);
        widest = layout.widthInBytes() > widest.widthInBytes() ? layout : widest;
        slices.add(
            slice(
                batches.random().nextBoolean()
                    ? batches.column(DECIMAL, layout, 30, NullPattern.SOME, memory.allocator())
                    : batches.dictionaryColumn(
                        DECIMAL, layout, 30, 7, NullPattern.SOME, memory.allocator())));
      }
      ColumnVector decoded = concatenator(policy).concatDecoded(DECIMAL, slices);
      assertEquals(widest, decoded.physicalType());
      assertRowsAndClose(slices, decoded);
    }
  }

  @Test
  void sharesHeapsHoweverFewRowsUseThem() {
    ColumnVector texts =
        batches.column(TEXT, PhysicalType.VIEW16, 1000, NullPattern.NONE, memory.allocator());
    sources.add(texts);
    List<ColumnSlice> slices = List.of(new ColumnSlice(texts, 5, 1), new ColumnSlice(texts, 0, 1));
    try (ColumnVector shared = concatenator(ConcatenationPolicy.SHARE).concat(TEXT, slices);
        ColumnVector compact = concatenator(ConcatenationPolicy.COMPACT).concat(TEXT, slices)) {
      assertEquals(texts.heaps(), shared.heaps());
      assertTrue(compact.heaps().stream().noneMatch(texts.heaps()::contains));
    }
  }

  @Test
  void sharesDictionariesLargerThanTheResult() {
    ColumnVector codes =
        batches.dictionaryColumn(
            TEXT, PhysicalType.VIEW16, 100, 50, NullPattern.SOME, memory.allocator());
    sources.add(codes);
    List<ColumnSlice> slices = List.of(new ColumnSlice(codes, 5, 20));
    try (ColumnVector shared = concatenator(ConcatenationPolicy.SHARE).concat(TEXT, slices);
        ColumnVector compact = concatenator(ConcatenationPolicy.COMPACT).concat(TEXT, slices)) {
      assertSame(codes.dictionary(), shared.dictionary());
      assertNull(compact.dictionary());
    }
  }

  @Test
  void translatesCodes() {
    Dictionary dictionary =
        new Dictionary(
            batches.column(TEXT, PhysicalType.VIEW16, 5, NullPattern.NONE, memory.allocator()));
    try (ColumnVector codes =
        batches.codes(dictionary, 100, NullPattern.NONE, memory.allocator())) {
      List<ColumnSlice> slices =
          List.of(new ColumnSlice(codes, 3, 40), new ColumnSlice(codes, 0, 100));
      List<int[]> translations = new ArrayList<>();
      translations.add(null);
      translations.add(new int[] {4, 3, 2, 1, 0});
      try (ColumnVector translated =
          concatenator(ConcatenationPolicy.SHARE)
              .concatCodes(slices, dictionary.retain(), translations)) {
        assertEquals(ValueRanges.code(codes, 42), ValueRanges.code(translated, 39));
        assertEquals(4 - ValueRanges.code(codes, 7), ValueRanges.code(translated, 47));
      }
    } finally {
      dictionary.release();
    }
  }

  @ParameterizedTest
  @EnumSource(ConcatenationPolicy.class)
  void leavesNothingOpenWhenMemoryIsRefused(ConcatenationPolicy policy) {
    int failures = 0;
    for (DataType type : allTypes()) {
      List<ColumnSlice> slices = slices(type);
      boolean isDone = false;
      for (int allowed = 0; !isDone; allowed++) {
        int open = memory.allocator().openBufferCount();
        memory.allocator().failAfter(allowed);
        try {
          concatenator(policy).concat(type, slices).close();
          isDone = true;
        } catch (EngineException e) {
          failures++;
          assertEquals(open, memory.allocator().openBufferCount());
        } finally {
          memory.allocator().failAfter(Long.MAX_VALUE);
        }
      }
    }
    assertTrue(failures > 0);
  }
}
