package io.ariadne.spill.fuzz;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.List;
import java.util.Random;

/**
 * What a batch holds, as its recipe: made again to know the right answer.
 *
 * @param seed of the values
 * @param rows rows that are made
 * @param schema index of its types
 * @param nulls where nulls are
 * @param encoding which columns have dictionaries
 * @param range the rows that are kept
 */
record FuzzContent(
    long seed, int rows, int schema, NullPattern nulls, ColumnEncoding encoding, RowRange range) {
  private static final List<Schema> SCHEMAS =
      List.of(
          RandomBatches.schemaOf(List.of(PrimitiveType.INT64)),
          RandomBatches.schemaOf(List.of(PrimitiveType.INT32, PrimitiveType.STRING)),
          RandomBatches.schemaOf(List.of(PrimitiveType.BOOLEAN, PrimitiveType.FLOAT64)),
          RandomBatches.schemaOf(some(RandomBatches.flatTypes())),
          RandomBatches.schemaOf(some(RandomBatches.nestedTypes())));

  private static List<DataType> some(List<DataType> types) {
    return List.of(types.get(0), types.get(types.size() / 2), types.get(types.size() - 1));
  }

  /** Draws a content of at most so many rows. */
  static FuzzContent draw(Random random, int mostRows) {
    int rows = random.nextInt(8) == 0 ? random.nextInt(3) : random.nextInt(mostRows + 1);
    return new FuzzContent(
        random.nextLong(),
        rows,
        random.nextInt(SCHEMAS.size()),
        NullPattern.values()[random.nextInt(NullPattern.values().length)],
        ColumnEncoding.values()[random.nextInt(ColumnEncoding.values().length)],
        new RowRange(0, rows));
  }

  /**
   * Returns a part of this, with rows unless this has none: parts without rows have no bytes of
   * their own, so that nothing tells the controller which of them keep characters in memory.
   */
  FuzzContent part(Random random) {
    int first = random.nextInt(Math.max(1, range.count()));
    int left = range.count() - first;
    int count = left == 0 ? 0 : 1 + random.nextInt(left);
    RowRange part = new RowRange(range.first() + first, count);
    return new FuzzContent(seed, rows, schema, nulls, encoding, part);
  }

  /** Makes the batch; nothing stays allocated when the allocator refuses. */
  RecordBatch make(BufferAllocator allocator) {
    Schema types = SCHEMAS.get(schema);
    RandomBatches values = new RandomBatches(seed);
    if (range.count() == rows) {
      return values.batch(types, rows, nulls, encoding, allocator);
    }
    try (RecordBatch whole = values.batch(types, rows, nulls, encoding, allocator)) {
      return range.copyOf(whole, allocator, 0);
    }
  }

  /** Makes this out of a batch that has a whole of which this is the part. */
  RecordBatch cut(RecordBatch whole, FuzzContent of, BufferAllocator allocator) {
    int first = range.first() - of.range.first();
    return new RowRange(first, range.count()).copyOf(whole, allocator, 0);
  }

  /** Fails unless a batch is this; closes nothing. */
  void check(RecordBatch batch, BufferAllocator spare) {
    try (RecordBatch expected = make(spare)) {
      assertBatchEquals(expected, batch);
    }
  }
}
