package io.ariadne.rules.exec;

import io.ariadne.bridge.node.ColumnarShuffle;
import io.ariadne.rules.filter.FilterRoles;
import io.ariadne.rules.filter.StageOrder;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.concurrent.Future;
import scala.runtime.Nothing$;

/**
 * A shuffle with runtime filters: its map tasks start after those that make the filter of its rows.
 *
 * @param shuffle the shuffle
 * @param roles what its exchange does for filters
 */
record FilteredShuffle(ColumnarShuffle shuffle, FilterRoles roles) implements ColumnarShuffle {
  @Override
  public ShuffleDependency<?, ?, ?> dependency() {
    return shuffle.dependency();
  }

  @Override
  public String strategy() {
    return shuffle.strategy();
  }

  @Override
  public Future<Nothing$> runMaps() {
    if (roles.tested() != FilterRoles.NONE) {
      StageOrder.awaitSubmitted(roles.tested());
    }
    try {
      return shuffle.runMaps();
    } finally {
      roles.builds().forEach(build -> StageOrder.submitted(build.id()));
    }
  }

  @Override
  public RDD<ColumnarBatch> read(ShufflePartitionSpec[] specs) {
    return shuffle.read(specs);
  }
}
