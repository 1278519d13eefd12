package io.ariadne.it.fuzz;

import java.util.List;

/**
 * A query.
 *
 * @param node of {@link Part#QUERY}
 * @param columns of its result, not qualified
 * @param rowCount about how many rows it gives at most
 */
record Query(SqlNode node, List<Column> columns, long rowCount) {
  Query {
    columns = List.copyOf(columns);
  }
}
