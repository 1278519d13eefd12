package io.ariadne.operator.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A filter contains all its hashes, and few others. */
class TestKeyFilter {
  private static final int TRIALS = 200_000;

  @Test
  void containsAllHashes() {
    Random random = RandomBatches.create().random();
    for (int size : new int[] {1, 2, 63, 64, 1000, 100_000}) {
      int[] some = random.ints(size).toArray();
      int[] edges = {0, -1, 1, 42, Integer.MIN_VALUE, Integer.MAX_VALUE};
      KeyFilter filter = KeyFilter.of(List.of(some, edges, some));
      IntStream.concat(IntStream.of(some), IntStream.of(edges))
          .forEach(hash -> assertTrue(filter.mayContain(hash), () -> size + ": " + hash));
    }
  }

  /** Also where the hashes are no hashes, but neighbours. */
  @Test
  void fewOtherHashesPass() {
    Random random = RandomBatches.create().random();
    int size = 1 << 16;
    assertFewPass(KeyFilter.of(List.of(random.ints(size).toArray())), random);
    assertFewPass(KeyFilter.of(List.of(IntStream.range(0, size).toArray())), random);
    assertFewPass(
        KeyFilter.of(List.of(IntStream.range(0, size).map(i -> i << 15).toArray())), random);
  }

  private static void assertFewPass(KeyFilter filter, Random random) {
    long passed = random.ints(TRIALS).filter(filter::mayContain).count();
    assertTrue(passed < TRIALS / 20, () -> passed + " of " + TRIALS + " other hashes pass");
  }

  @Test
  void emptyFilterContainsNothing() {
    KeyFilter filter = KeyFilter.of(List.of());
    assertFalse(IntStream.range(-1000, 1000).anyMatch(filter::mayContain));
    assertEquals(Long.BYTES, filter.sizeInBytes());
  }

  @Test
  void wordsMakeTheSameFilter() {
    Random random = RandomBatches.create().random();
    KeyFilter filter = KeyFilter.of(List.of(random.ints(5000).toArray()));
    KeyFilter same = KeyFilter.ofWords(filter.words().clone());
    int[] others = random.ints(TRIALS).toArray();
    assertArrayEquals(
        IntStream.of(others).filter(filter::mayContain).toArray(),
        IntStream.of(others).filter(same::mayContain).toArray());
    assertThrows(IllegalArgumentException.class, () -> KeyFilter.ofWords(new long[0]));
  }
}
