package io.ariadne.fragment;

import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Operators that wait for each other: each passes its batch on a moment after a number of them have
 * one. That number must divide the number of batches.
 */
final class Rendezvous implements OperatorFactory {
  private static final long MOMENT_MILLIS = 5;

  private final int number;
  private CompletableFuture<Void> complete = new CompletableFuture<>();
  private int arrived;
  private int waiting;
  private int mostWaiting;

  Rendezvous(int number) {
    this.number = number;
  }

  /** Returns how many operators waited at the same time. */
  synchronized int mostWaiting() {
    return mostWaiting;
  }

  private synchronized CompletableFuture<Void> arrive() {
    CompletableFuture<Void> met = complete.thenRun(this::leave);
    waiting++;
    mostWaiting = Math.max(mostWaiting, waiting);
    arrived++;
    if (arrived == number) {
      complete.completeOnTimeout(null, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
      complete = new CompletableFuture<>();
      arrived = 0;
    }
    return met;
  }

  private synchronized void leave() {
    waiting--;
  }

  @Override
  public synchronized String toString() {
    return mostWaiting + " operators waited at the same time";
  }

  @Override
  public Operator create(OperatorContext context) {
    return new TestingOperator(context, values -> new long[][] {values}) {
      private CompletableFuture<Void> met = NOT_BLOCKED;

      @Override
      protected void onInput(long[] values) {
        met = arrive();
      }

      @Override
      public CompletableFuture<Void> isBlocked() {
        return met;
      }
    };
  }
}
