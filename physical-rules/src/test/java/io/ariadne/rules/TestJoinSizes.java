package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestJoinSizes {
  private static final BigInteger MOST = BigInteger.valueOf(JoinSizes.MAX_ONE_TASK_BYTES);
  private static final BigInteger SMALL =
      BigInteger.valueOf(JoinSizes.MAX_ONE_TASK_PRODUCT / JoinSizes.MAX_ONE_TASK_BYTES);

  @Test
  void oneTaskOfAClusterReadsFewBytes() {
    assertEquals(Optional.empty(), JoinSizes.reasonAgainstOneTask(false, MOST, SMALL));
    assertEquals(
        Optional.of(
            "one task would read 268435457 bytes for a broadcast of 8, or a size is not known"),
        JoinSizes.reasonAgainstOneTask(false, more(MOST), BigInteger.valueOf(8)));
    assertEquals(Optional.empty(), JoinSizes.reasonAgainstOneTask(true, more(MOST), MOST));
  }

  @Test
  void oneTaskOfAClusterJoinsFewBytes() {
    assertEquals(
        Optional.of(
            "one task would read 268435456 bytes for a broadcast of 65537, or a size is not known"),
        JoinSizes.reasonAgainstOneTask(false, MOST, more(SMALL)));
    assertEquals(Optional.empty(), JoinSizes.reasonAgainstOneTask(false, SMALL, MOST));
    assertEquals(Optional.empty(), JoinSizes.reasonAgainstOneTask(true, MOST, more(SMALL)));
  }

  private static BigInteger more(BigInteger bytes) {
    return bytes.add(BigInteger.ONE);
  }
}
