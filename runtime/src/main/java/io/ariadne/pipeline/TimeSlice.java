package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import java.util.concurrent.CompletableFuture;

/** Tells a pipeline driver how long it may work in one call, and takes its output. */
interface TimeSlice {
  /** Returns whether time is left and the output is still wanted. */
  boolean hasTime();

  /** Returns a future that completes when the consumers accept more output; null if they do now. */
  CompletableFuture<Void> backPressure();

  /** Takes ownership of an output batch. */
  void emit(RecordBatch output);
}
