package io.ariadne.parquet.scan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the order in which the conjuncts of a predicate are evaluated, from their measured cost
 * and selectivity. Used by one thread.
 *
 * <p>Two of every few dozen windows are measured, one conjunct at a time. In the other windows,
 * successive conjuncts are evaluated together, as one group. A new group begins when the conjuncts
 * of the group before leave at most half of its rows. Only then does it pay to extract the
 * remaining rows, and to skip decoding for later conjuncts where no row remains.
 */
final class ConjunctOrder {
  private static final int MEASURED_WINDOWS = 2;
  private static final int WINDOWS_PER_MEASURE = 64;
  private static final double WORTH_PICKING = 0.5;

  private final Map<List<Integer>, Cost> costs = new HashMap<>();
  private int windows;

  /** The measured cost of a conjunct. */
  private static final class Cost {
    double rowsIn;
    double rowsOut;
    double nanos;

    double passing() {
      return rowsIn == 0 ? 1 : rowsOut / rowsIn;
    }

    /** Returns nanoseconds per row that the conjunct removes, 0 before it has been measured. */
    double rank() {
      return rowsIn == 0 ? 0 : nanos / Math.max(rowsIn - rowsOut, rowsIn * 1e-6);
    }

    void forgetHalf() {
      rowsIn /= 2;
      rowsOut /= 2;
      nanos /= 2;
    }
  }

  /**
   * Returns how to evaluate a predicate over the next window.
   *
   * @param conjuncts the predicate
   * @return groups of conjunct indices, in order; the conjuncts of a group are evaluated together
   */
  List<List<Integer>> stages(FilterConjuncts conjuncts) {
    int phase = windows++ % WINDOWS_PER_MEASURE;
    if (phase == 0) {
      costs.values().forEach(Cost::forgetHalf);
    }
    List<Integer> order = new ArrayList<>();
    for (int conjunct = 0; conjunct < conjuncts.count(); conjunct++) {
      order.add(conjunct);
    }
    order.sort(Comparator.comparingDouble(conjunct -> cost(conjuncts, conjunct).rank()));
    List<List<Integer>> stages = new ArrayList<>();
    double passing = 0;
    for (int conjunct : order) {
      if (phase < MEASURED_WINDOWS || passing <= WORTH_PICKING) {
        stages.add(new ArrayList<>());
        passing = 1;
      }
      stages.get(stages.size() - 1).add(conjunct);
      passing *= cost(conjuncts, conjunct).passing();
    }
    return stages;
  }

  /**
   * Records the cost of a conjunct that was evaluated alone.
   *
   * @param conjuncts the predicate
   * @param conjunct index of the conjunct
   * @param rowsIn rows it was evaluated for
   * @param rowsOut rows it left
   * @param nanos time taken, including decoding of its columns
   */
  void add(FilterConjuncts conjuncts, int conjunct, int rowsIn, int rowsOut, long nanos) {
    Cost cost = cost(conjuncts, conjunct);
    cost.rowsIn += rowsIn;
    cost.rowsOut += rowsOut;
    cost.nanos += nanos;
  }

  private Cost cost(FilterConjuncts conjuncts, int conjunct) {
    return costs.computeIfAbsent(conjuncts.columns(conjunct), key -> new Cost());
  }
}
