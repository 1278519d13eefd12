package io.ariadne.rules.broadcast;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.execution.joins.HashedRelationBroadcastMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The form in which Spark would broadcast some rows.
 *
 * @param mode Spark's form of the rows: a relation by key, or an array
 * @param schema the columns of the rows
 * @param types Spark's types of the columns
 */
public record BroadcastForm(BroadcastMode mode, Schema schema, List<DataType> types)
    implements Serializable {
  /** Copies the list. */
  public BroadcastForm {
    types = List.copyOf(types);
  }

  /** Returns whether they are an array of rows to Spark, which it does not look up by key. */
  public boolean isArray() {
    return mode == IdentityBroadcastMode$.MODULE$;
  }

  /** Returns whether Spark's relation of the rows is a {@code LongHashedRelation}. */
  public boolean isLong() {
    List<Expression> keys = keys();
    return keys.size() == 1 && keys.get(0).dataType().equals(DataTypes.LongType);
  }

  /** Returns whether rows are looked up for a {@code NOT IN}. */
  boolean isNullAware() {
    return mode instanceof HashedRelationBroadcastMode hashed && hashed.isNullAware();
  }

  /** Returns the keys by which rows are looked up; empty for an array. */
  List<Expression> keys() {
    return keysOf(mode);
  }

  /** Returns the keys of a mode, over bound columns; empty for an array. */
  public static List<Expression> keysOf(BroadcastMode mode) {
    return mode instanceof HashedRelationBroadcastMode hashed
        ? ScalaCollections.list(hashed.key())
        : List.of();
  }
}
