package io.ariadne.rules.expression;

import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.expression.FunctionSupport;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/** Decides which of Spark's types can be columns of a fragment. */
public final class ColumnTypes {
  private ColumnTypes() {}

  /** Returns our type for one of Spark's types; empty when its columns cannot enter a fragment. */
  public static Optional<io.ariadne.columnar.type.DataType> of(DataType sparkType) {
    return SparkTypes.unsupportedReason(sparkType).isPresent()
        ? Optional.empty()
        : Optional.of(SparkTypes.fromSpark(sparkType)).filter(FunctionSupport::canPassThrough);
  }

  /** Returns whether values of one of Spark's types have parts: arrays, maps and structs. */
  public static boolean isNested(DataType sparkType) {
    return sparkType instanceof StructType
        || sparkType instanceof ArrayType
        || sparkType instanceof MapType;
  }
}
