package io.ariadne.plugin.cleanup;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The shuffles of an application, and which of them no execution uses. An execution is a query, or
 * a job that belongs to none.
 *
 * <p>Not thread-safe.
 */
final class ShuffleUse {
  private final Map<Integer, Shuffle> shuffles = new HashMap<>();
  private final Map<String, Set<Integer>> executions = new HashMap<>();

  /** One shuffle. */
  private static final class Shuffle {
    /** Bytes by executor. */
    final Map<String, Long> bytes = new HashMap<>();

    int users;

    /**
     * Whether it was unused at the last collection: something that Spark may read still holds it.
     */
    boolean survived;
  }

  /** Records that an execution uses shuffles, beside those that it is known to use. */
  void use(String execution, Collection<Integer> used) {
    Set<Integer> known = executions.computeIfAbsent(execution, any -> new HashSet<>());
    for (int id : used) {
      if (known.add(id)) {
        shuffle(id).users++;
      }
    }
  }

  /** Records the end of an execution; has no effect when it has used no shuffle. */
  void end(String execution) {
    Set<Integer> used = executions.remove(execution);
    if (used != null) {
      used.stream().map(shuffles::get).filter(Objects::nonNull).forEach(each -> each.users--);
    }
  }

  /** Records that a map task on an executor has written bytes of a shuffle. */
  void written(int id, String executor, long bytes) {
    Shuffle shuffle = shuffle(id);
    shuffle.bytes.merge(executor, bytes, Long::sum);
    shuffle.survived = false;
  }

  /** Records that an executor has ended, and its map outputs with it. */
  void lost(String executor) {
    shuffles.values().forEach(each -> each.bytes.remove(executor));
  }

  private Shuffle shuffle(int id) {
    return shuffles.computeIfAbsent(id, any -> new Shuffle());
  }

  /**
   * Returns the bytes, by executor, of the shuffles that no execution uses, and that a collection
   * may free: those that were unused at an earlier collection are left out.
   *
   * @param exists whether map outputs of a shuffle are in memory; the others are forgotten, also
   *     while they are used, because Spark may drop the event that ends an execution
   */
  Map<String, Long> unusedBytes(IntPredicate exists) {
    shuffles.keySet().removeIf(id -> !exists.test(id));
    Map<String, Long> sums = new HashMap<>();
    for (Shuffle shuffle : unused()) {
      shuffle.bytes.forEach((executor, bytes) -> sums.merge(executor, bytes, Long::sum));
    }
    return sums;
  }

  /** Records that a collection begins. */
  void collected() {
    unused().forEach(each -> each.survived = true);
  }

  private List<Shuffle> unused() {
    List<Shuffle> unused = new ArrayList<>();
    for (Shuffle each : shuffles.values()) {
      if (each.users == 0 && !each.survived) {
        unused.add(each);
      }
    }
    return unused;
  }
}
