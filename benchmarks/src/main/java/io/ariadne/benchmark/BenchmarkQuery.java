package io.ariadne.benchmark;

import java.util.Objects;

/**
 * A query of a benchmark.
 *
 * @param name what reports call it
 * @param sql its text, the same for all engines
 * @param standard whether its answer is the same in every SQL dialect; if not ({@code hash} is
 *     Murmur3 in Spark and another function in DuckDB), dialects do comparable work, and only
 *     answers of one dialect are compared
 */
record BenchmarkQuery(String name, String sql, boolean standard) {
  BenchmarkQuery {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(sql, "sql is null");
  }

  /** A query whose answer is the same in every dialect. */
  BenchmarkQuery(String name, String sql) {
    this(name, sql, true);
  }

  /** Returns whether two engines must give the same answer. */
  boolean comparable(String engine, String otherEngine) {
    return standard || EngineSettings.isSpark(engine) == EngineSettings.isSpark(otherEngine);
  }
}
