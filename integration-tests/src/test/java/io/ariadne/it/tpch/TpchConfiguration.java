package io.ariadne.it.tpch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Settings that differ between runs of a query in one session.
 *
 * @param isAdaptive whether Spark plans again while the query runs
 * @param partitions of shuffles
 * @param broadcasts whether joins may broadcast a side
 * @param isScarce whether memory is so small that spillable batches go to disk
 */
record TpchConfiguration(boolean isAdaptive, int partitions, boolean broadcasts, boolean isScarce) {
  /** Returns all there are. */
  static List<TpchConfiguration> all() {
    List<TpchConfiguration> all = new ArrayList<>();
    for (boolean isAdaptive : List.of(true, false)) {
      for (int partitions : List.of(1, 8, 200)) {
        for (boolean broadcasts : List.of(true, false)) {
          all.add(new TpchConfiguration(isAdaptive, partitions, broadcasts, false));
          all.add(new TpchConfiguration(isAdaptive, partitions, broadcasts, true));
        }
      }
    }
    return List.copyOf(all);
  }

  /** Returns the session's settings. */
  Map<String, String> settings() {
    return Map.of(
        "spark.sql.adaptive.enabled", String.valueOf(isAdaptive),
        "spark.sql.shuffle.partitions", String.valueOf(partitions),
        "spark.sql.autoBroadcastJoinThreshold", broadcasts ? "10485760" : "-1");
  }
}
