package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.Operator;
import io.ariadne.operator.Split;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A slice that is opened when its splits are asked for, or has been opening before. Used by one
 * thread at a time.
 */
final class SliceOpening implements AutoCloseable {
  private final FileSlice slice;
  private final Supplier<List<Split>> opener;
  private final CompletableFuture<List<Split>> opening;

  private SliceOpening(
      FileSlice slice, Supplier<List<Split>> opener, CompletableFuture<List<Split>> opening) {
    this.slice = slice;
    this.opener = opener;
    this.opening = opening;
  }

  /** Returns a slice that the thread opens that asks for its splits. */
  static SliceOpening onDemand(FileSlice slice, Supplier<List<Split>> opener) {
    return new SliceOpening(slice, opener, null);
  }

  /**
   * Returns a slice that another thread opens.
   *
   * @param slice the slice
   * @param opening completes with its splits, which become this object's
   */
  static SliceOpening ahead(FileSlice slice, CompletableFuture<List<Split>> opening) {
    return new SliceOpening(slice, null, opening);
  }

  FileSlice slice() {
    return slice;
  }

  /** Returns a future that completes, always normally, when {@link #take} does not wait. */
  CompletableFuture<Void> isBlocked() {
    return opening == null || opening.isDone()
        ? Operator.NOT_BLOCKED
        : opening.handle((splits, failure) -> null);
  }

  /** Returns whether the slice is known not to open: {@link #take} throws. */
  boolean isFailed() {
    return opening != null && opening.isCompletedExceptionally();
  }

  /**
   * Returns the splits, owned by the caller. Called once, in the place of {@link #close}.
   *
   * @throws RuntimeException when the slice cannot be opened
   */
  List<Split> take() {
    if (opening == null) {
      return opener.get();
    }
    try {
      return opening.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Closes the splits that have not been taken, now or when they are there. */
  @Override
  public void close() {
    if (opening != null) {
      var unused =
          opening.thenAccept(
              splits -> {
                Closer closer = new Closer();
                splits.forEach(closer::close);
                closer.rethrow();
              });
    }
  }
}
