package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Tests the byte limit; {@code OnePartitionIT} tests with plans which actions collect. */
class TestCollectedResults {
  private static final String KEY = "spark.driver.maxResultSize";

  @Test
  void takesAsManyBytesAsOneJobMayReturn() {
    assertEquals(1L << 30, CollectedResults.maxBytes(new SparkConf(false)));
    assertEquals(5L << 20, CollectedResults.maxBytes(new SparkConf(false).set(KEY, "5m")));
    assertEquals(Long.MAX_VALUE, CollectedResults.maxBytes(new SparkConf(false).set(KEY, "0")));
  }
}
