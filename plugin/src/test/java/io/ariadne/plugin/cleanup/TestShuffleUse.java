package io.ariadne.plugin.cleanup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Which shuffles no execution uses. */
class TestShuffleUse {
  private final ShuffleUse use = new ShuffleUse();

  private void shuffle(String execution, int id, long bytes) {
    use.use(execution, List.of(id));
    use.written(id, "a", bytes);
  }

  private long unusedBytes(IntPredicate exists) {
    return use.unusedBytes(exists).values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void shufflesAreUnusedWhenTheirExecutionHasEnded() {
    shuffle("query 1", 1, 10);
    shuffle("query 1", 2, 20);
    shuffle("query 2", 3, 40);
    assertEquals(0, unusedBytes(any -> true));
    use.end("query 1");
    assertEquals(30, unusedBytes(any -> true));
    use.end("query 2");
    assertEquals(70, unusedBytes(any -> true));
    use.end("query 2");
    use.end("query 3");
    assertEquals(70, unusedBytes(any -> true));
  }

  @Test
  void severalJobsAndExecutionsUseAShuffle() {
    shuffle("query 1", 1, 10);
    use.use("query 1", List.of(1));
    use.use("query 2", List.of(1));
    use.end("query 1");
    assertEquals(0, unusedBytes(any -> true));
    use.end("query 2");
    assertEquals(10, unusedBytes(any -> true));
    use.use("query 3", List.of(1));
    assertEquals(0, unusedBytes(any -> true));
  }

  @Test
  void unregisteredShufflesAreForgotten() {
    shuffle("query 1", 1, 10);
    shuffle("query 1", 2, 20);
    use.end("query 1");
    assertEquals(20, unusedBytes(id -> id != 1));
    assertEquals(20, unusedBytes(any -> true));
  }

  /** Spark may drop the event that ends an execution. */
  @Test
  void unregisteredShufflesAreForgottenWhileTheyAreUsed() {
    shuffle("query 1", 1, 10);
    assertEquals(0, unusedBytes(any -> false));
    use.end("query 1");
    assertEquals(0, unusedBytes(any -> true));
  }

  @Test
  void whatSurvivesACollectionDoesNotCountAgain() {
    shuffle("query 1", 1, 10);
    shuffle("query 2", 2, 20);
    use.end("query 1");
    use.collected();
    assertEquals(0, unusedBytes(any -> true));
    use.end("query 2");
    assertEquals(20, unusedBytes(any -> true));
    use.written(1, "a", 5);
    assertEquals(35, unusedBytes(any -> true), "a shuffle that has been written again");
  }

  @Test
  void bytesAreCountedByExecutorUntilItEnds() {
    shuffle("query 1", 1, 10);
    use.written(1, "b", 20);
    shuffle("query 1", 2, 40);
    use.end("query 1");
    assertEquals(Map.of("a", 50L, "b", 20L), use.unusedBytes(any -> true));
    use.lost("a");
    assertEquals(Map.of("b", 20L), use.unusedBytes(any -> true));
  }
}
