package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.engine.EngineSettings;
import java.util.Objects;

/**
 * A query of a benchmark.
 *
 * @param name name in reports
 * @param sql text, the same for all engines
 * @param standard whether the answer is the same in every SQL dialect. If not ({@code hash} is
 *     Murmur3 in Spark and another function in DuckDB), engines do comparable work, and only
 *     answers of the same dialect are compared.
 */
public record BenchmarkQuery(String name, String sql, boolean standard) {
  /** Checks that both texts are given. */
  public BenchmarkQuery {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(sql, "sql is null");
  }

  /** Creates a query whose answer is the same in every dialect. */
  public BenchmarkQuery(String name, String sql) {
    this(name, sql, true);
  }

  /** Returns whether two engines must give the same answer. */
  public boolean comparable(String engine, String otherEngine) {
    return standard || EngineSettings.isSpark(engine) == EngineSettings.isSpark(otherEngine);
  }
}
