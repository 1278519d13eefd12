package io.ariadne.operator.exchange;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows are sorted by partition, and rows of a partition keep their order. */
class TestPartitionOperator {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void partitionsRowsOfEveryType() {
    RandomBatches batches = RandomBatches.create();
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    List<Field> fields = new ArrayList<>(RandomBatches.schemaOf(types).fields());
    fields.add(new Field("hash", PrimitiveType.INT32, false));
    Schema schema = new Schema(fields);
    try (Backend backend = HostBackend.open()) {
      for (int partitions : new int[] {1, 2, 3, 200, 5000}) {
        for (int rows : new int[] {1, 7, 64, 1000}) {
          check(batches, schema, partitions, rows, backend);
        }
      }
    }
  }

  private void check(
      RandomBatches batches, Schema schema, int partitions, int rows, Backend backend) {
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    RecordBatch input = batches.batch(schema, rows, NullPattern.SOME, memory.allocator());
    List<List<Object>> expected = new ArrayList<>();
    List<List<Object>> before = BatchAssertions.rows(input);
    int last = schema.columnCount() - 1;
    for (int partition = 0; partition < partitions; partition++) {
      for (List<Object> row : before) {
        int place = Math.floorMod(((Number) row.get(last)).intValue(), partitions);
        if (place == partition) {
          List<Object> placed = new ArrayList<>(row.subList(0, last));
          placed.add(row.get(last) instanceof Long ? (Object) (long) place : (Object) place);
          expected.add(placed);
        }
      }
    }
    try (PartitionOperator operator =
        new PartitionOperatorFactory(schema, partitions).create(context)) {
      operator.addInput(input);
      try (RecordBatch output = operator.getOutput()) {
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(output));
      }
      operator.finish();
    }
  }
}
