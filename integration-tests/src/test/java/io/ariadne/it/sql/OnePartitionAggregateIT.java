package io.ariadne.it.sql;

import java.util.Map;

/** Repeats {@link AggregateIT} with partial and final aggregation in one fragment. */
class OnePartitionAggregateIT extends AggregateIT {
  @Override
  Map<String, String> settings() {
    return Map.of();
  }
}
