package io.ariadne.columnar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestDictionary {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private ColumnVector column(DataType type, Object... values) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
      for (Object value : values) {
        builder.appendValue(value);
      }
      return builder.build();
    }
  }

  private ColumnVector coded(Dictionary dictionary, int... codes) {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT32, memory.allocator())) {
      for (int code : codes) {
        builder.appendValue(code);
      }
      ColumnVector column = builder.build();
      return ColumnVector.ofDictionary(dictionary, codes.length, column.data(), null, 0);
    }
  }

  @ParameterizedTest
  @EnumSource(NullPattern.class)
  void encodedColumnsReadAndDecodeLikePlainOnes(NullPattern nulls) {
    RandomBatches random = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(RandomBatches.flatTypes());
    for (int rows : List.of(0, 1, 8, 33, 1025)) {
      RecordBatch batch = random.batch(schema, rows, nulls, memory.allocator());
      List<List<Object>> expected = BatchAssertions.rows(batch);
      DictionaryEncoder encoder = new DictionaryEncoder(random.random(), memory.allocator());
      RecordBatch encoded = encoder.encode(batch, ColumnEncoding.DICTIONARY);
      for (int i = 0; i < encoded.columnCount(); i++) {
        assertEquals(PhysicalType.DICTIONARY32, encoded.column(i).physicalType());
        assertEquals(schema.field(i).type(), encoded.column(i).type());
      }
      BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(encoded));
      try (RecordBatch decoded = new DictionaryDecoder(memory.allocator()).decode(encoded)) {
        for (int i = 0; i < decoded.columnCount(); i++) {
          assertNull(decoded.column(i).dictionary());
        }
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(decoded));
      }
    }
  }

  @Test
  void decimalsKeepTheirWidth() {
    RandomBatches random = RandomBatches.create();
    DataType type = new DecimalType(7, 2);
    for (PhysicalType layout : List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128)) {
      try (ColumnVector column =
              random.dictionaryColumn(type, layout, 500, 20, NullPattern.SOME, memory.allocator());
          ColumnVector decoded = new DictionaryDecoder(memory.allocator()).decode(column)) {
        assertEquals(layout, column.valueLayout());
        assertEquals(layout, decoded.physicalType());
        BatchAssertions.assertColumnEquals(column, decoded);
      }
    }
  }

  @Test
  void decodedStringsShareHeaps() {
    Dictionary dictionary =
        new Dictionary(
            column(
                PrimitiveType.STRING,
                "long enough for a heap".getBytes(UTF_8),
                "a".getBytes(UTF_8)));
    ColumnVector coded = coded(dictionary, 0, 1, 0);
    ColumnVector decoded = new DictionaryDecoder(memory.allocator()).decode(coded);
    assertSame(dictionary.entries().heaps().get(0), decoded.heaps().get(0));
    assertEquals(2, decoded.heaps().get(0).holderCount());
    coded.close();
    assertEquals("long enough for a heap", new ColumnReader(decoded).getString(2));
    decoded.close();
  }

  @Test
  void slicesShareTheDictionary() {
    RandomBatches random = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
    RecordBatch batch =
        random.batch(schema, 500, NullPattern.SOME, ColumnEncoding.DICTIONARY, memory.allocator());
    List<List<Object>> expected = BatchAssertions.rows(batch).subList(100, 300);
    Dictionary dictionary = batch.column(0).dictionary();
    RecordBatch copy = new RowRange(100, 200).copyOf(batch, memory.allocator(), 0);
    assertSame(dictionary, copy.column(0).dictionary());
    assertEquals(2, dictionary.holderCount());
    assertTrue(copy.sizeInBytes() > dictionary.sizeInBytes());
    batch.close();
    BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(copy));
    copy.close();
    assertThrows(IllegalStateException.class, dictionary::retain);
    assertThrows(IllegalStateException.class, dictionary::release);
  }

  @Test
  void refusesEntriesThatAreNoDictionary() {
    List<ColumnVector> refused = new ArrayList<>();
    refused.add(column(PrimitiveType.INT32));
    refused.add(column(PrimitiveType.INT32, 1, null));
    refused.add(column(new ListType(PrimitiveType.INT32, true), List.of(1)));
    refused.add(coded(new Dictionary(column(PrimitiveType.INT32, 1)), 0));
    for (ColumnVector entries : refused) {
      assertThrows(IllegalArgumentException.class, () -> new Dictionary(entries));
      entries.close();
    }
  }

  @Test
  void codesOutsideAreRefused() {
    DictionaryDecoder decoder = new DictionaryDecoder(memory.allocator());
    for (int code : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      Dictionary dictionary = new Dictionary(column(PrimitiveType.INT64, 1L, 2L));
      try (ColumnVector coded = coded(dictionary, 0, code, 1)) {
        assertThrows(IndexOutOfBoundsException.class, () -> decoder.decode(coded));
        assertThrows(IndexOutOfBoundsException.class, () -> new ColumnReader(coded).getLong(1));
      }
    }
  }

  @Test
  void copiesKeepTheId() {
    Dictionary first = new Dictionary(column(PrimitiveType.INT64, 1L, 2L));
    Dictionary copy = first.withEntries(column(PrimitiveType.INT64, 1L, 2L));
    Dictionary other = new Dictionary(column(PrimitiveType.INT64, 1L, 2L));
    assertEquals(first.id(), copy.id());
    assertNotEquals(first.id(), other.id());
    first.release();
    copy.release();
    other.release();
  }

  @Test
  void paysForFewEntriesOnly() {
    RandomBatches random = RandomBatches.create();
    for (int entries : new int[] {24, 25, 26}) {
      try (ColumnVector column =
          random.dictionaryColumn(
              PrimitiveType.INT32,
              PhysicalType.I32,
              100,
              entries,
              NullPattern.NONE,
              memory.allocator())) {
        assertEquals(entries <= 25, DictionaryDecoder.pays(column));
      }
    }
    try (ColumnVector plain = column(PrimitiveType.INT32, 1)) {
      assertFalse(DictionaryDecoder.pays(plain));
    }
  }

  @Test
  void failedDecodingLeavesNothingOpen() {
    RandomBatches random = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(RandomBatches.flatTypes());
    for (int allowed = 0; allowed < 12; allowed++) {
      RecordBatch batch =
          random.batch(
              schema, 100, NullPattern.SOME, ColumnEncoding.DICTIONARY, memory.allocator());
      memory.allocator().failAfter(allowed);
      DictionaryDecoder decoder = new DictionaryDecoder(memory.allocator());
      assertThrows(EngineException.class, () -> decoder.decode(batch));
      memory.allocator().failAfter(Long.MAX_VALUE);
      assertEquals(0, memory.allocator().openBufferCount());
    }
  }
}
