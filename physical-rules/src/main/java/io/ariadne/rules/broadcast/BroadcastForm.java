package io.ariadne.rules.broadcast;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.joins.HashedRelationBroadcastMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * What the rows of a broadcast are to Spark.
 *
 * @param mode how they are looked up
 * @param schema their columns
 * @param types Spark's types of these
 */
public record BroadcastForm(HashedRelationBroadcastMode mode, Schema schema, List<DataType> types)
    implements Serializable {
  /** Copies the list. */
  public BroadcastForm {
    types = List.copyOf(types);
  }

  /** Returns whether Spark's relation of the rows is a {@code LongHashedRelation}. */
  public boolean isLong() {
    List<Expression> keys = ScalaCollections.list(mode.key());
    return keys.size() == 1 && keys.get(0).dataType().equals(DataTypes.LongType);
  }
}
