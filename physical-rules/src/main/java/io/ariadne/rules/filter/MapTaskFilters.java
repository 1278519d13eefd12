package io.ariadne.rules.filter;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.operator.exchange.ExchangeFilters;
import io.ariadne.operator.exchange.KeyFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;

/**
 * The runtime filters of an exchange's map tasks. A task that has succeeded sends the hashes that
 * it has collected to Spark's driver. Shipped to executors.
 *
 * @param builds numbers of the filters for which hashes are collected
 * @param hashColumns the input columns with these hashes
 * @param tested number of the filter that rows must pass, or {@link FilterRoles#NONE}
 * @param droppedRows counts rows that have not passed
 */
public record MapTaskFilters(
    List<Long> builds, List<Integer> hashColumns, long tested, SQLMetric droppedRows)
    implements ExchangeFilters {
  /** Copies the lists. */
  public MapTaskFilters {
    builds = List.copyOf(builds);
    hashColumns = List.copyOf(hashColumns);
  }

  @Override
  public Task open() {
    TaskContext context = TaskContext.get();
    MapTask task =
        new MapTask(this, ProcessFilters.of(ProcessRuntime.get()), context.numPartitions());
    context.addTaskFailureListener((TaskFailureListener) (failed, error) -> task.fail());
    context.addTaskCompletionListener((TaskCompletionListener) task::end);
    return task;
  }

  /** The filters of one task. */
  private static final class MapTask implements Task {
    private final MapTaskFilters plan;
    private final ProcessFilters filters;
    private final List<HashList> collected = new ArrayList<>();
    private final LongAdder dropped = new LongAdder();
    private boolean hasFailed;

    MapTask(MapTaskFilters plan, ProcessFilters filters, int maps) {
      this.plan = plan;
      this.filters = filters;
      for (long id : plan.builds) {
        collected.add(new HashList(filters.isWanted(id) ? mostHashes(maps) : 0));
      }
      filter(); // asks for it before there are rows
    }

    /**
     * Returns how many hashes a task may send: all tasks together a few times those of a filter.
     */
    private static long mostHashes(int maps) {
      return Math.min(FilterBoard.MAX_KEYS, 4L * FilterBoard.MAX_KEYS / maps);
    }

    @Override
    public KeyFilter filter() {
      return plan.tested == FilterRoles.NONE ? null : filters.find(plan.tested);
    }

    @Override
    public void add(int index, int[] hashes) {
      collected.get(index).add(hashes);
    }

    @Override
    public void dropped(long rows) {
      dropped.add(rows);
    }

    void fail() {
      hasFailed = true;
    }

    void end(TaskContext context) {
      plan.droppedRows.add(dropped.sum());
      if (hasFailed || context.isInterrupted()) {
        return;
      }
      for (int i = 0; i < collected.size(); i++) {
        filters.send(
            new FilterPart(
                plan.builds.get(i),
                context.partitionId(),
                context.numPartitions(),
                collected.get(i).hashes()));
      }
    }
  }

  /** Hashes that a task has collected, unless they are too many. Thread-safe. */
  private static final class HashList {
    private final long most;
    private List<int[]> parts = new ArrayList<>();
    private long count;

    HashList(long most) {
      this.most = most;
    }

    synchronized void add(int[] hashes) {
      if (parts == null) {
        return;
      }
      parts.add(hashes);
      count += hashes.length;
      if (count > most) {
        parts = null;
      }
    }

    /** Returns all hashes, or null when they are too many. */
    synchronized List<int[]> hashes() {
      return parts;
    }
  }
}
