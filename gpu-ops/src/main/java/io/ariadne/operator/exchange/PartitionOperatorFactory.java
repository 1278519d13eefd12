package io.ariadne.operator.exchange;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;

/** Creates {@link PartitionOperator}s. Immutable and thread-safe. */
public final class PartitionOperatorFactory implements OperatorFactory {
  private final Schema schema;
  private final int partitions;

  /**
   * Plans an operator.
   *
   * @param schema columns of the batches; the last one is of type INT32, never null, and has the
   *     number from which the row's partition is computed
   * @param partitions how many partitions, at least 1
   */
  public PartitionOperatorFactory(Schema schema, int partitions) {
    int last = schema.columnCount() - 1;
    if (last < 0 || schema.field(last).type() != PrimitiveType.INT32) {
      throw new IllegalArgumentException("the last column is not INT32");
    }
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions=" + partitions);
    }
    this.schema = schema;
    this.partitions = partitions;
  }

  /**
   * Returns the schema of rows with a partition number as their last column.
   *
   * @param rows columns of the rows without the number
   * @param width how many of them, from the first on, are in the result
   */
  public static Schema withPartitionColumn(Schema rows, int width) {
    List<Field> fields = new ArrayList<>(rows.fields().subList(0, width));
    fields.add(new Field("partition", PrimitiveType.INT32, false));
    return new Schema(fields);
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
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
