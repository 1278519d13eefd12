package io.ariadne.rules.expression;

import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.expression.FunctionSupport;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;

/** Which of Spark's types can be columns of a fragment. */
public final class ColumnTypes {
  private ColumnTypes() {}

  /** Returns our type for one of Spark's, or empty when columns of it cannot enter a fragment. */
  public static Optional<io.ariadne.columnar.type.DataType> of(DataType sparkType) {
    return SparkTypes.unsupportedReason(sparkType).isPresent()
        ? Optional.empty()
        : Optional.of(SparkTypes.fromSpark(sparkType)).filter(FunctionSupport::canPassThrough);
  }
}
