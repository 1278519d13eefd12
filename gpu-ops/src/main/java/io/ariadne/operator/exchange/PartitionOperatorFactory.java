package io.ariadne.operator.exchange;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;

/** Makes {@link PartitionOperator}s. Immutable and thread-safe. */
public final class PartitionOperatorFactory implements OperatorFactory {
  private final Schema schema;
  private final int partitions;

  /**
   * Plans an operator.
   *
   * @param schema columns of the batches; the last one is of type INT32 and has a number per row,
   *     never null, by which it is placed
   * @param partitions how many there are, at least 1
   */
  public PartitionOperatorFactory(Schema schema, int partitions) {
    int last = schema.columnCount() - 1;
    if (last < 0 || schema.field(last).type() != PrimitiveType.INT32) {
      throw new IllegalArgumentException("the last column is no number of a partition");
    }
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions=" + partitions);
    }
    this.schema = schema;
    this.partitions = partitions;
  }

  /**
   * Returns the columns of rows that have a number by which they are placed.
   *
   * @param rows columns of the rows without it
   * @param width how many of them, from the first on, go on
   */
  public static Schema placed(Schema rows, int width) {
    List<Field> fields = new ArrayList<>(rows.fields().subList(0, width));
    fields.add(new Field("partition", PrimitiveType.INT32, false));
    return new Schema(fields);
  }

  @Override
  public PartitionOperator create(OperatorContext context) {
    return new PartitionOperator(schema, partitions, context);
  }

  @Override
  public boolean isReplaceable() {
    return true;
  }
}
