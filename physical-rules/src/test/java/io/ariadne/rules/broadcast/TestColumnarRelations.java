package io.ariadne.rules.broadcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.format.BlockBuffer;
import io.ariadne.shuffle.format.EncodedBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationBroadcastMode;
import org.apache.spark.sql.execution.joins.LongHashedRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Reads broadcasts after serialization, by look-ups and as a whole. */
class TestColumnarRelations {
  private static final int ROWS = 100;
  private static final int BLOCKS = 3;
  private static final long BYTES = 4000;

  /** Each number below 50 twice, and no number in the last row. */
  private static final int KEYS = ROWS / 2;

  private static final Schema SCHEMA =
      Schema.of(
          new Field("number", PrimitiveType.INT64, true),
          new Field("text", PrimitiveType.STRING, true));
  private static final List<DataType> TYPES = List.of(DataTypes.LongType, DataTypes.StringType);

  private final MemoryPool memory = MemoryPools.host("test", 64 << 20);

  @AfterEach
  void close() {
    memory.close();
  }

  private static Object[] row(int row) {
    Long number = row == ROWS - 1 ? null : (Long) (long) (row % KEYS);
    return new Object[] {number, text(row).getBytes(UTF_8)};
  }

  private static String text(int row) {
    return "text of row " + row;
  }

  private BlockCollection collection() {
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      int first = ROWS * i / BLOCKS;
      int end = ROWS * (i + 1) / BLOCKS;
      try (BatchBuilder builder = new BatchBuilder(SCHEMA, memory);
          BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory)) {
        for (int row = first; row < end; row++) {
          builder.appendRow(row(row));
        }
        buffer.add(builder.build(0), new int[] {0, end - first});
        try (EncodedBlock block = buffer.next()) {
          byte[] bytes = new byte[(int) block.lengthInBytes()];
          Memory.copy(block.address(), bytes, 0, bytes.length);
          blocks.add(bytes);
        }
      }
    }
    return new BlockCollection(blocks, ROWS, BYTES);
  }

  private static BroadcastForm form(int keyColumn) {
    Expression key = new BoundReference(keyColumn, TYPES.get(keyColumn), true);
    return new BroadcastForm(
        new HashedRelationBroadcastMode(ScalaCollections.seq(List.of(key)), false), SCHEMA, TYPES);
  }

  private HashedRelation travelled(int keyColumn) {
    HashedRelation made = (HashedRelation) collection().value(form(keyColumn), ROWS, BYTES);
    return Utils.deserialize(Utils.serialize(made), getClass().getClassLoader());
  }

  /** Kryo reads fields as it finds them, also those of Spark's class. */
  @Test
  void survivesKryo() {
    SerializerInstance kryo = new KryoSerializer(new SparkConf(false)).newInstance();
    for (int keyColumn = 0; keyColumn < 2; keyColumn++) {
      HashedRelation made = (HashedRelation) collection().value(form(keyColumn), ROWS, BYTES);
      ClassTag<HashedRelation> tag = ClassTag$.MODULE$.apply(made.getClass());
      HashedRelation read = kryo.deserialize(kryo.serialize(made, tag), tag);
      assertSame(made.getClass(), read.getClass());
      assertEquals(made.estimatedSize(), read.estimatedSize());
      assertEquals(keyColumn == 1, read.asReadOnlyCopy().keyIsUnique());
    }
  }

  private static List<String> texts(scala.collection.Iterator<InternalRow> rows) {
    List<String> texts = new ArrayList<>();
    Iterator<InternalRow> each = ScalaCollections.javaIterator(rows);
    each.forEachRemaining(row -> texts.add(row.getUTF8String(1).toString()));
    return texts.stream().sorted().toList();
  }

  @Test
  void looksUpLongKeys() {
    HashedRelation relation = travelled(0).asReadOnlyCopy();
    assertInstanceOf(LongHashedRelation.class, relation);
    assertInstanceOf(ColumnarLongRelation.class, relation);
    assertFalse(relation.keyIsUnique());
    assertEquals(List.of(text(57), text(7)), texts(relation.get(7)));
    assertNull(relation.get(KEYS));
    int keys = 0;
    Iterator<InternalRow> each = ScalaCollections.javaIterator(relation.keys());
    for (; each.hasNext(); each.next()) {
      keys++;
    }
    assertEquals(KEYS, keys);
  }

  @Test
  void looksUpOtherKeys() {
    HashedRelation relation = travelled(1).asReadOnlyCopy();
    assertInstanceOf(ColumnarRelation.class, relation);
    UnsafeProjection toKey = UnsafeProjection.create(new DataType[] {DataTypes.StringType});
    Object[] key = {UTF8String.fromString(text(ROWS - 1))};
    InternalRow found = relation.getValue(toKey.apply(new GenericInternalRow(key)));
    assertEquals(text(ROWS - 1), found.getUTF8String(1).toString());
    assertEquals(true, found.isNullAt(0));
    assertEquals(true, relation.keyIsUnique());
  }

  /** Copies are for one thread each, and of one relation. */
  @Test
  void copiesAreIndependent() {
    ColumnarLongRelation relation = (ColumnarLongRelation) travelled(0);
    HashedRelation one = relation.asReadOnlyCopy();
    HashedRelation other = relation.asReadOnlyCopy();
    InternalRow first = ScalaCollections.javaIterator(one.get(3)).next();
    InternalRow second = ScalaCollections.javaIterator(other.get(4)).next();
    assertEquals(3, first.getLong(0));
    assertEquals(4, second.getLong(0));
  }

  @Test
  void readsBatches() {
    List<String> texts = texts((BroadcastColumns) travelled(0));
    assertEquals(ROWS, texts.size());
    assertEquals(ROWS, texts.stream().distinct().count());
  }

  private List<String> texts(BroadcastColumns columns) {
    List<String> texts = new ArrayList<>();
    try (BatchSource source = columns.batches(SCHEMA, memory)) {
      for (RecordBatch batch = source.next(); batch != null; batch = source.next()) {
        BatchAssertions.rows(batch).forEach(row -> texts.add(row.toString()));
        batch.close();
      }
    }
    return texts;
  }

  /** Without look-ups the rows are an array to Spark, one per process. */
  @Test
  void readsRowsAsOneArrayPerProcess() {
    BroadcastForm form = new BroadcastForm(IdentityBroadcastMode$.MODULE$, SCHEMA, TYPES);
    Object made = collection().value(form, ROWS, BYTES);
    SerializerInstance kryo = new KryoSerializer(new SparkConf(false)).newInstance();
    ClassTag<Object> tag = ClassTag$.MODULE$.apply(ColumnarRows.class);
    for (Object travelled :
        List.of(
            Utils.<ColumnarRows>deserialize(Utils.serialize(made), getClass().getClassLoader()),
            kryo.deserialize(kryo.serialize(made, tag), tag))) {
      ColumnarRows columns = assertInstanceOf(ColumnarRows.class, travelled);
      assertRows(columns.rows());
      assertSame(columns.rows(), columns.rows());
      assertEquals(BYTES, columns.sizeInBytes());
      assertEquals(ROWS, texts(columns).size());
    }
    assertRows(assertInstanceOf(InternalRow[].class, collection().value(form, ROWS - 1, BYTES)));
    Object none = new BlockCollection(List.of(), 0, 0).value(form, ROWS, BYTES);
    assertEquals(0, assertInstanceOf(InternalRow[].class, none).length);
  }

  private static void assertRows(InternalRow[] rows) {
    assertEquals(ROWS, rows.length);
    for (int i = 0; i < ROWS; i++) {
      assertEquals(text(i), rows[i].getUTF8String(1).toString());
      assertEquals(i == ROWS - 1, rows[i].isNullAt(0));
    }
  }

  /** What our joins do not take is Spark's, and so is what has no rows. */
  @Test
  void usesSparksRelationForLargeAndEmptyValues() {
    HashedRelation many = (HashedRelation) collection().value(form(0), ROWS - 1, BYTES);
    assertSame(LongHashedRelation.class, many.getClass());
    assertEquals(List.of(text(57), text(7)), texts(many.get(7)));
    Object large = collection().value(form(0), ROWS, BYTES - 1);
    assertSame(LongHashedRelation.class, large.getClass());
    assertSame(
        EmptyHashedRelation$.MODULE$,
        new BlockCollection(List.of(), 0, 0).value(form(0), ROWS, BYTES));
  }
}
