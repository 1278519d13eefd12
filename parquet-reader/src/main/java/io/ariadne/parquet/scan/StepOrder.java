package io.ariadne.parquet.scan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * In which order the parts of a predicate are evaluated, by what they have cost and how many rows
 * they have left so far. Used by one thread.
 *
 * <p>Of every few dozen windows two are measured, part by part. In the others, a part is evaluated
 * together with those before it until these leave less than half of the rows: only then it pays to
 * pick the rows out, and not to decode what later parts read where no row is left.
 */
final class StepOrder {
  private static final int MEASURED_WINDOWS = 2;
  private static final int WINDOWS_PER_MEASURE = 64;
  private static final double WORTH_PICKING = 0.5;

  private final Map<List<Integer>, Cost> costs = new HashMap<>();
  private int windows;

  /** What a part has cost. */
  private static final class Cost {
    double rowsIn;
    double rowsOut;
    double nanos;

    double passing() {
      return rowsIn == 0 ? 1 : rowsOut / rowsIn;
    }

    /** Nanoseconds per row that it takes away; 0 before it has been measured. */
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
   * @param steps its parts
   * @return numbers of parts that are evaluated together, in order
   */
  List<List<Integer>> stages(FilterSteps steps) {
    int phase = windows++ % WINDOWS_PER_MEASURE;
    if (phase == 0) {
      costs.values().forEach(Cost::forgetHalf);
    }
    List<Integer> order = new ArrayList<>();
    for (int part = 0; part < steps.count(); part++) {
      order.add(part);
    }
    order.sort(Comparator.comparingDouble(part -> cost(steps, part).rank()));
    List<List<Integer>> stages = new ArrayList<>();
    double passing = 0;
    for (int part : order) {
      if (phase < MEASURED_WINDOWS || passing <= WORTH_PICKING) {
        stages.add(new ArrayList<>());
        passing = 1;
      }
      stages.get(stages.size() - 1).add(part);
      passing *= cost(steps, part).passing();
    }
    return stages;
  }

  /**
   * Notes what a part has cost that was evaluated alone.
   *
   * @param steps the predicate
   * @param part the part
   * @param rowsIn rows it was evaluated for
   * @param rowsOut rows it left
   * @param nanos time, decoding of its columns included
   */
  void add(FilterSteps steps, int part, int rowsIn, int rowsOut, long nanos) {
    Cost cost = cost(steps, part);
    cost.rowsIn += rowsIn;
    cost.rowsOut += rowsOut;
    cost.nanos += nanos;
  }

  private Cost cost(FilterSteps steps, int part) {
    return costs.computeIfAbsent(steps.columns(part), key -> new Cost());
  }
}
