package io.ariadne.operator.exchange;

import java.io.Serializable;
import java.util.List;

/**
 * The runtime filters of the map tasks of an exchange: of which columns they collect hashes for the
 * filters of other exchanges, and which filter their own rows must pass. A part of plans, which are
 * shipped to executors.
 */
public interface ExchangeFilters extends Serializable {
  /**
   * Returns the input columns of type INT32, never null, whose numbers tasks collect: one for each
   * filter that they make.
   */
  List<Integer> hashColumns();

  /** Returns the filters of a task. Called once per task, by its task thread. */
  Task open();

  /** The filters of one task. Thread-safe. */
  interface Task {
    /**
     * Returns the filter of the hashes in the input's last column, or null while all rows pass. May
     * change from null to a filter at any time.
     */
    KeyFilter filter();

    /**
     * Collects hashes of rows that pass. The same hashes may come twice.
     *
     * @param index of the filter in {@link #hashColumns}
     * @param hashes the task takes ownership
     */
    void add(int index, int[] hashes);

    /** Counts rows that the filter has dropped. */
    void dropped(long rows);
  }
}
