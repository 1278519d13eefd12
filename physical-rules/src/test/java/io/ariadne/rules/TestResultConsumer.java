package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** How much the driver takes; who it is is tested with plans, in {@code OnePartitionIT}. */
class TestResultConsumer {
  private static final String KEY = "spark.driver.maxResultSize";

  @Test
  void testMostBytesAreThoseOfAJob() {
    assertEquals(1L << 30, ResultConsumer.mostBytes(new SparkConf(false)));
    assertEquals(5L << 20, ResultConsumer.mostBytes(new SparkConf(false).set(KEY, "5m")));
    assertEquals(Long.MAX_VALUE, ResultConsumer.mostBytes(new SparkConf(false).set(KEY, "0")));
  }
}
