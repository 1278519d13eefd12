package io.ariadne.bridge.expression;

import org.apache.spark.sql.catalyst.expressions.TimestampAddInterval;

/** Spark's class of sums of a timestamp and an interval, whose name differs between lines. */
public final class TimestampPlusInterval {
  /** The class. */
  public static final Class<TimestampAddInterval> SPARK_CLASS = TimestampAddInterval.class;

  /** What it is called in settings and pages: its name in the newest line. */
  public static final String NAME = "TimestampAddInterval";

  private TimestampPlusInterval() {}
}
