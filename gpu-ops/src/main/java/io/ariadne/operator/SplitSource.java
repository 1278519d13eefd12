package io.ariadne.operator;

import io.ariadne.columnar.type.Schema;

/**
 * Work that yields batches in independent pieces: a scan of files, say, in row groups.
 *
 * <p>One thread at a time calls {@link #next()}, though not always the same one; meanwhile other
 * threads drive the splits it has returned. {@link #close()} comes once, after all splits are
 * closed.
 */
public interface SplitSource extends AutoCloseable {
  /** Returns the columns of every batch of every split. */
  Schema schema();

  /**
   * Returns the next split, or null at the end. The output of a split comes before that of later
   * ones where order is kept. Runs on a compute thread and may read (a footer); lasts at most about
   * 50 ms unless storage is slow. Not called again after it has returned null or has thrown.
   *
   * @return a split owned by the caller, which may never drive it and only close it
   * @throws io.ariadne.error.EngineException when the input is damaged or memory runs out; it comes
   *     after the output of all splits returned before
   */
  Split next();

  /** Frees what the source holds. Called once, in any state. */
  @Override
  void close();
}
