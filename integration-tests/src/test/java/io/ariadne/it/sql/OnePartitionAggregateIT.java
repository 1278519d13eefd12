package io.ariadne.it.sql;

import java.util.Map;

/** All that {@link AggregateIT} compares, with both halves of an aggregation in one fragment. */
class OnePartitionAggregateIT extends AggregateIT {
  @Override
  Map<String, String> settings() {
    return Map.of();
  }
}
