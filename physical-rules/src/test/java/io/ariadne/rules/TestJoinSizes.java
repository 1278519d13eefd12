package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestJoinSizes {
  private static final BigInteger MOST = BigInteger.valueOf(JoinSizes.MAX_ONE_TASK_BYTES);
  private static final BigInteger MORE = MOST.add(BigInteger.ONE);

  @Test
  void testOneTaskOfAClusterReadsLittle() {
    assertEquals(Optional.empty(), JoinSizes.reasonAgainstOneTask(false, MOST));
    assertEquals(
        Optional.of("one task would read 268435457 bytes, or it is not known"),
        JoinSizes.reasonAgainstOneTask(false, MORE));
    assertEquals(Optional.empty(), JoinSizes.reasonAgainstOneTask(true, MORE));
  }
}
