package io.ariadne.shuffle.format;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Batches of every type in the order of random partitions, and what each partition has. */
final class RandomBlocks {
  private static final int MAX_ROWS = 300;

  final List<List<List<Object>>> rows = new ArrayList<>();
  private final RandomBatches batches;
  private final Random random;
  private final int partitions;

  RandomBlocks(RandomBatches batches, int partitions) {
    this.batches = batches;
    this.random = batches.random();
    this.partitions = partitions;
    for (int i = 0; i < partitions; i++) {
      rows.add(new ArrayList<>());
    }
  }

  static Schema schema(Random random) {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    types.add(io.ariadne.columnar.type.PrimitiveType.NULL);
    java.util.Collections.shuffle(types, random);
    return RandomBatches.schemaOf(types.subList(0, random.nextInt(types.size() + 1)));
  }

  /** Adds a random batch to a buffer. */
  void add(Schema schema, BlockBuffer buffer, BufferAllocator allocator) {
    NullPattern nulls = NullPattern.values()[random.nextInt(NullPattern.values().length)];
    ColumnEncoding encoding =
        ColumnEncoding.values()[random.nextInt(ColumnEncoding.values().length)];
    int rowCount = random.nextInt(MAX_ROWS);
    RecordBatch batch = batches.batch(schema, rowCount, nulls, encoding, allocator);
    int[] firstRows = new int[partitions + 1];
    for (int i = 1; i < partitions; i++) {
      firstRows[i] = random.nextInt(rowCount + 1);
    }
    firstRows[partitions] = rowCount;
    Arrays.sort(firstRows);
    List<List<Object>> all = BatchAssertions.rows(batch);
    for (int i = 0; i < partitions; i++) {
      rows.get(i).addAll(all.subList(firstRows[i], firstRows[i + 1]));
    }
    buffer.add(batch, firstRows);
  }
}
