package io.ariadne.parquet.prune;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/** Compares sets of truth values with every pair of single values. */
class TestTruth {
  private static final Boolean[] VALUES = {true, false, null};

  private static int bit(Boolean value) {
    return value == null ? Truth.NULL : value ? Truth.TRUE : Truth.FALSE;
  }

  private static int pairwise(int left, int right, BinaryOperator<Boolean> operator) {
    int result = 0;
    for (Boolean a : VALUES) {
      for (Boolean b : VALUES) {
        if (Truth.has(left, bit(a)) && Truth.has(right, bit(b))) {
          result |= bit(operator.apply(a, b));
        }
      }
    }
    return result;
  }

  private static Boolean and(Boolean a, Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return (a == null || b == null) ? null : (Boolean) true;
  }

  private static Boolean or(Boolean a, Boolean b) {
    if (Boolean.TRUE.equals(a) || Boolean.TRUE.equals(b)) {
      return true;
    }
    return (a == null || b == null) ? null : (Boolean) false;
  }

  @Test
  void operatorsAgreeWithSingleValues() {
    for (int left = 0; left <= Truth.ANY; left++) {
      for (int right = 0; right <= Truth.ANY; right++) {
        assertEquals(pairwise(left, right, TestTruth::and), Truth.and(left, right));
        assertEquals(pairwise(left, right, TestTruth::or), Truth.or(left, right));
      }
      assertEquals(
          pairwise(left, Truth.TRUE, (a, b) -> a == null ? null : (Boolean) !a), Truth.not(left));
    }
  }
}
