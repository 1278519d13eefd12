package io.ariadne.compute;

/**
 * A piece of work that takes about 50 ms at most. It never waits for another work item, except for
 * memory that other work items free: then it gives up its place among the running ones meanwhile
 * ({@link io.ariadne.event.WorkPermit}).
 */
public interface WorkItem {
  /** Returns the owner of the work; owners are compared by identity. */
  Object owner();

  /**
   * Returns the number of pipeline breakers between the output of this work and the output of its
   * fragment.
   */
  int distance();

  /**
   * Returns the query that the work belongs to; queries are compared with equals and share the
   * threads evenly. The result must not change while the work item is queued.
   */
  default Object query() {
    return owner();
  }

  /** Returns the rank of its task among those of the query; lower ones run first. */
  default long taskRank() {
    return 0;
  }

  /**
   * Does the work. Reports failures to the owner; a throwable that escapes all the same is only
   * logged.
   */
  void run();
}
