package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Tests the byte limit; {@code OnePartitionIT} and {@code CollectedResultIT} test the plans. */
class TestOnePartitionRule {
  private static final String KEY = "spark.driver.maxResultSize";

  @Test
  void takesAsManyBytesAsOneJobMayReturn() {
    assertEquals(1L << 30, OnePartitionRule.maxCollectedBytes(new SparkConf(false)));
    assertEquals(5L << 20, OnePartitionRule.maxCollectedBytes(new SparkConf(false).set(KEY, "5m")));
    assertEquals(
        Long.MAX_VALUE, OnePartitionRule.maxCollectedBytes(new SparkConf(false).set(KEY, "0")));
  }
}
