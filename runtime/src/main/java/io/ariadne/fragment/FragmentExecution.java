package io.ariadne.fragment;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.metrics.FragmentMetrics;
import io.ariadne.metrics.NodeMetrics;
import java.util.Map;

/**
 * A running plan fragment, from which its task thread takes output.
 *
 * <p>The task thread calls {@link #next()}, which pulls the fragment's inputs, runs some of its
 * work items and returns output; compute threads do the rest. Only one thread at a time may be in
 * {@link #next()}. Any thread may call {@link #cancel()} and {@link #close()} at any time, except a
 * thread that runs one of the fragment's work items.
 */
public interface FragmentExecution extends BatchSource {
  /**
   * Returns the next output batch, owned by the caller, or null at the end; blocks.
   *
   * @throws java.util.concurrent.CancellationException if the fragment or its task was cancelled
   * @throws IllegalStateException if the fragment is closed or has failed before, or if another
   *     thread is in this method
   * @throws io.ariadne.error.EngineException if an operator or input failed with it; whatever an
   *     operator or input throws arrives here unchanged, once
   */
  @Override
  RecordBatch next();

  /**
   * Returns the sequence number that the batch last returned by {@link #next()} had inside the
   * fragment. If the fragment has no breaker, that is the sequence number of the input batch it was
   * computed from.
   */
  long inputSequence();

  /** Returns the metrics of each plan node by its id; they grow while the fragment runs. */
  Map<Integer, NodeMetrics> metrics();

  /** Returns the metrics of the whole fragment; they grow while it runs. */
  FragmentMetrics totals();

  /** Stops the fragment without waiting: queued work items are dropped, running ones end early. */
  void cancel();

  /** Returns a description, of several lines, of which thread waits for what. */
  String diagnosis();

  /**
   * Cancels the fragment, waits for its running work items, then frees everything and closes the
   * inputs. If the task thread calls this inside {@link #next()} (an input that fails may), it
   * takes effect when {@link #next()} returns. Idempotent.
   *
   * @throws IllegalStateException if called by one of the fragment's work items
   */
  @Override
  void close();
}
