package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import java.util.concurrent.CompletableFuture;

/** What a pipeline driver may do during one call: for how long, and where its output goes. */
interface TimeSlice {
  /** Returns whether there is time left and the output is still wanted. */
  boolean hasTime();

  /** Returns a future that completes when the consumers accept more output; null when they do. */
  CompletableFuture<Void> backPressure();

  /** Takes ownership of an output batch. */
  void emit(RecordBatch output);
}
