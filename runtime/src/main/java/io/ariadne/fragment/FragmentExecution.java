package io.ariadne.fragment;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.metrics.FragmentMetrics;
import io.ariadne.metrics.NodeMetrics;
import java.util.Map;

/**
 * A running plan fragment, pumped by its task thread.
 *
 * <p>The task thread calls {@link #next()}, which pulls the fragment's inputs, runs some of its
 * work and returns output; compute threads do the rest. Only one thread pumps at a time. {@link
 * #cancel()} and {@link #close()} may be called at any time by any thread but the fragment's own
 * compute tasks.
 */
public interface FragmentExecution extends BatchSource {
  /**
   * Returns the next output batch, owned by the caller, or null at the end; blocks.
   *
   * @throws java.util.concurrent.CancellationException when the fragment or its task was cancelled
   * @throws IllegalStateException when the fragment is closed, has failed before, or another thread
   *     is in this method
   * @throws io.ariadne.error.EngineException when an operator or input failed so; in general
   *     whatever they threw arrives here unchanged, once
   */
  @Override
  RecordBatch next();

  /**
   * Returns the sequence number that the batch {@link #next()} returned last had inside the
   * fragment: without a breaker between, that of the input's batch it was made of.
   */
  long inputSequence();

  /** Returns the figures of each plan node by its number; they grow while the fragment runs. */
  Map<Integer, NodeMetrics> metrics();

  /** Returns the figures of the whole fragment; they grow while it runs. */
  FragmentMetrics totals();

  /** Stops the fragment without waiting: queued work is dropped, running work ends early. */
  void cancel();

  /** Returns who waits for what, several lines, for people. */
  String diagnosis();

  /**
   * Cancels what still runs, waits for it, then frees everything and closes the inputs. Called by
   * the task thread inside {@link #next()} (by an input that fails, say) it takes effect when that
   * returns. Idempotent.
   *
   * @throws IllegalStateException when called by one of the fragment's compute tasks
   */
  @Override
  void close();
}
