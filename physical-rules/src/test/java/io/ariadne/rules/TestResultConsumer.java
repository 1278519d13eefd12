package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Tests the byte limit; {@code OnePartitionIT} tests with plans which actions collect. */
class TestResultConsumer {
  private static final String KEY = "spark.driver.maxResultSize";

  @Test
  void takesAsManyBytesAsOneJobMayReturn() {
    assertEquals(1L << 30, ResultConsumer.mostBytes(new SparkConf(false)));
    assertEquals(5L << 20, ResultConsumer.mostBytes(new SparkConf(false).set(KEY, "5m")));
    assertEquals(Long.MAX_VALUE, ResultConsumer.mostBytes(new SparkConf(false).set(KEY, "0")));
  }
}
