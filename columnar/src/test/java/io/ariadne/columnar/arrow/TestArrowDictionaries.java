package io.ariadne.columnar.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestArrowDictionaries {
  private static final long ID = 7;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RootAllocator arrow = new RootAllocator();

  @AfterEach
  void closeArrow() {
    assertEquals(0, arrow.getAllocatedMemory());
    arrow.close();
  }

  private FieldVector codes(String name, ArrowType.Int type, Integer... codes) {
    DictionaryEncoding encoding = new DictionaryEncoding(ID, false, type);
    Field field = new Field(name, new FieldType(true, type, encoding), null);
    FieldVector vector = field.createVector(arrow);
    vector.setInitialCapacity(codes.length);
    vector.allocateNew();
    for (int row = 0; row < codes.length; row++) {
      if (codes[row] != null) {
        ((BaseIntVector) vector).setWithPossibleTruncate(row, codes[row]);
      }
    }
    vector.setValueCount(codes.length);
    return vector;
  }

  private Dictionary strings(String... entries) {
    VarCharVector vector = new VarCharVector("entries", arrow);
    vector.allocateNew();
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] != null) {
        vector.setSafe(i, entries[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(entries.length);
    return new Dictionary(
        vector, new DictionaryEncoding(ID, false, new ArrowType.Int(Integer.SIZE, true)));
  }

  private RecordBatch imported(Dictionary dictionary, FieldVector... vectors) {
    try (VectorSchemaRoot root = VectorSchemaRoot.of(vectors)) {
      MapDictionaryProvider provider = new MapDictionaryProvider();
      provider.put(dictionary);
      return new ArrowImporter(memory.allocator()).importRoot(root, 5, provider);
    } finally {
      dictionary.getVector().close();
    }
  }

  @Test
  void codesOfEveryWidthAreImported() {
    List<FieldVector> vectors = new ArrayList<>();
    for (int width : new int[] {8, 16, 32, 64}) {
      vectors.add(codes("s" + width, new ArrowType.Int(width, true), 2, null, 0, 1));
      vectors.add(codes("u" + width, new ArrowType.Int(width, false), 2, null, 0, 1));
    }
    Dictionary dictionary = strings("", "a", "a string of more than twelve bytes");
    try (RecordBatch batch = imported(dictionary, vectors.toArray(FieldVector[]::new))) {
      assertEquals(5, batch.sequence());
      List<List<Object>> expected = new ArrayList<>();
      for (String value : Arrays.asList("a string of more than twelve bytes", null, "", "a")) {
        expected.add(Collections.nCopies(8, (Object) value));
      }
      BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(batch));
      for (int i = 0; i < 8; i++) {
        assertEquals(PhysicalType.DICTIONARY32, batch.column(i).physicalType());
        assertEquals(PrimitiveType.STRING, batch.schema().field(i).type());
        assertSame(batch.column(0).dictionary(), batch.column(i).dictionary());
      }
    }
  }

  @Test
  void rowsOfNullEntriesAreNull() {
    FieldVector vector = codes("c", new ArrowType.Int(Integer.SIZE, true), 0, 1, null, 1, 0);
    try (RecordBatch batch = imported(strings("x", null), vector)) {
      assertEquals(3, batch.column(0).countNulls());
      assertNull(batch.column(0).dictionary().entries().validity());
      List<Object> values = BatchAssertions.rows(batch).stream().map(row -> row.get(0)).toList();
      assertEquals(Arrays.asList("x", null, null, null, "x"), values);
    }
  }

  @Test
  void emptyDictionariesMakePlainNulls() {
    FieldVector vector = codes("c", new ArrowType.Int(Integer.SIZE, true), null, null);
    try (RecordBatch batch = imported(strings(), vector)) {
      assertNull(batch.column(0).dictionary());
      assertEquals(2, batch.column(0).countNulls());
    }
  }

  @Test
  void codesOutsideAreRefused() {
    for (int code : new int[] {-1, 2, 127}) {
      FieldVector vector = codes("c", new ArrowType.Int(Byte.SIZE, true), 0, code);
      EngineException refused =
          assertThrows(EngineException.class, () -> imported(strings("x", "y"), vector));
      assertEquals(ErrorCode.CORRUPT_DATA, refused.code());
      assertEquals(0, memory.allocator().openBufferCount());
    }
    FieldVector vector = codes("c", new ArrowType.Int(Byte.SIZE, true), 0);
    assertThrows(EngineException.class, () -> imported(strings(), vector));
  }

  @Test
  void unknownDictionariesAreRefused() {
    FieldVector vector = codes("c", new ArrowType.Int(Byte.SIZE, true), 0);
    try (VectorSchemaRoot root = VectorSchemaRoot.of(vector)) {
      ArrowImporter importer = new ArrowImporter(memory.allocator());
      EngineException refused =
          assertThrows(EngineException.class, () -> importer.importRoot(root, 0));
      assertEquals(ErrorCode.UNSUPPORTED, refused.code());
    }
  }

  @Test
  void failedImportLeavesNothingOpen() {
    for (int allowed = 0; allowed < 3; allowed++) {
      memory.allocator().failAfter(allowed);
      FieldVector vector = codes("c", new ArrowType.Int(Byte.SIZE, true), 0, null);
      assertThrows(EngineException.class, () -> imported(strings("x"), vector));
      memory.allocator().failAfter(Long.MAX_VALUE);
      assertEquals(0, memory.allocator().openBufferCount());
    }
  }
}
