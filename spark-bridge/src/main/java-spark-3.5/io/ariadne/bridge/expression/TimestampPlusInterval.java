package io.ariadne.bridge.expression;

import org.apache.spark.sql.catalyst.expressions.TimeAdd;

/** Spark's class of sums of a timestamp and an interval, whose name differs between lines. */
public final class TimestampPlusInterval {
  /** The class. */
  public static final Class<TimeAdd> SPARK_CLASS = TimeAdd.class;

  /** What it is called in settings and pages: its name in the newest line. */
  public static final String NAME = "TimestampAddInterval";

  private TimestampPlusInterval() {}
}
