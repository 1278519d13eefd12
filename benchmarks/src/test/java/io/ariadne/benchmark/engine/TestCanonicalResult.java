package io.ariadne.benchmark.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestCanonicalResult {
  @Test
  void rowOrderDoesNotMatter() {
    CanonicalResult one = result(new Object[] {1, "a"}, new Object[] {2, null});
    CanonicalResult other = result(new Object[] {2, null}, new Object[] {1, "a"});
    assertEquals(one.hash(), other.hash());
    assertNull(one.difference(other, false));
  }

  @Test
  void scaleOfDecimalsMatters() {
    CanonicalResult one = result(new Object[] {new BigDecimal("1.0")});
    CanonicalResult other = result(new Object[] {new BigDecimal("1.00")});
    assertNotEquals(one.hash(), other.hash());
    assertNotNull(one.difference(other, false));
    assertNull(one.difference(other, true));
  }

  @Test
  void otherDialectAgreesInTheDigitsBothPrint() {
    CanonicalResult spark = result(new Object[] {new BigDecimal("25.537587")});
    assertNull(result(new Object[] {25.537587116854997}).difference(spark, true));
    assertNotNull(result(new Object[] {25.537597116854997}).difference(spark, true));
    assertNotNull(result(new Object[] {25.537587116854997}).difference(spark, false));
  }

  @Test
  void missingAndDifferentRowsAreReported() {
    CanonicalResult one = result(new Object[] {1}, new Object[] {2});
    assertNotNull(one.difference(result(new Object[] {1}), true));
    assertNotNull(one.difference(result(new Object[] {1}, new Object[] {"x"}), true));
    assertNotNull(one.difference(result(new Object[] {1}, new Object[] {null}), true));
  }

  private static CanonicalResult result(Object[]... rows) {
    return CanonicalResult.of(List.of(rows));
  }
}
