package io.ariadne.shuffle.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** Spillable batches that are freed when they are dropped and have no readers. Thread-safe. */
abstract class Leased {
  @GuardedBy("this")
  private int leases;

  @GuardedBy("this")
  private boolean isDropped;

  /** Keeps the batches until {@link #endLease}. The caller knows that they are not dropped. */
  final synchronized void lease() {
    leases++;
  }

  final void endLease() {
    synchronized (this) {
      leases--;
    }
    clean();
  }

  /** Frees the batches when the last lease has ended. Called once. */
  final void drop() {
    synchronized (this) {
      isDropped = true;
    }
    clean();
  }

  /** Frees what no reader may ask for any more, unless there are leases. */
  final void clean() {
    boolean isUnneeded;
    synchronized (this) {
      if (leases > 0) {
        return;
      }
      isUnneeded = isDropped;
    }
    if (isUnneeded) {
      freeAll();
    } else {
      freeReleased();
    }
  }

  /** Frees all batches. Idempotent. */
  abstract void freeAll();

  /** Frees batches that no later lease is for. Idempotent. */
  void freeReleased() {}
}
