package io.ariadne.bridge.expression;

import org.apache.spark.sql.catalyst.expressions.TimeAdd;

/**
 * Names Spark's class for the sum of a timestamp and an interval, which differs between Spark
 * lines.
 */
public final class TimestampPlusInterval {
  /** The class. */
  public static final Class<TimeAdd> SPARK_CLASS = TimeAdd.class;

  /** The name of the class in settings and generated pages: its name in the newest line. */
  public static final String NAME = "TimestampAddInterval";

  private TimestampPlusInterval() {}
}
