package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.tile.EntryFunction;
import io.ariadne.operator.OperatorContext;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Caches dictionaries in kernel memory, and results of functions of their entries, from batch to
 * batch: the batches of a file share dictionaries. Used by one thread at a time.
 */
final class KernelDictionaries implements AutoCloseable {
  /** Unused results are freed after so many batches, because several evaluations may alternate. */
  private static final int CACHED_BATCHES = 8;

  private final OperatorContext context;
  private final Map<Long, ColumnVector> copies = new HashMap<>();
  private final Set<Long> used = new HashSet<>();
  private final Map<ResultKey, Result> results = new HashMap<>();
  private long batches;

  /** Identifies the results of a function for the entries of a dictionary. */
  private record ResultKey(long dictionary, EntryFunction function) {}

  /** Results, and the number of the batch that used them last. */
  private static final class Result {
    private final ColumnVector column;
    private long lastBatch;

    Result(ColumnVector column) {
      this.column = column;
    }
  }

  KernelDictionaries(OperatorContext context) {
    this.context = context;
  }

  /** Returns the entries in kernel memory; valid until the next {@link #endBatch}. */
  ColumnVector entries(Dictionary dictionary) {
    if (context.transfer().isForKernels(dictionary.entries())) {
      return dictionary.entries();
    }
    used.add(dictionary.id());
    ColumnVector copy = copies.get(dictionary.id());
    if (copy == null) {
      copy = context.transfer().copyToKernels(dictionary.entries());
      copies.put(dictionary.id(), copy);
    }
    return copy;
  }

  /**
   * Computes results unless they are cached. They stay cached at least until the next {@link
   * #endBatch}.
   *
   * @param dictionary a dictionary
   * @param function a function of its entries
   * @param computation returns the results, which this cache then owns
   */
  void compute(Dictionary dictionary, EntryFunction function, Supplier<ColumnVector> computation) {
    ResultKey key = new ResultKey(dictionary.id(), function);
    Result result = results.get(key);
    if (result == null) {
      result = new Result(computation.get());
      results.put(key, result);
    }
    result.lastBatch = batches;
  }

  /** Returns results that {@link #compute} has cached. */
  ColumnVector results(Dictionary dictionary, EntryFunction function) {
    return results.get(new ResultKey(dictionary.id(), function)).column;
  }

  /**
   * Frees copies that were not used since the last call, and results that were not used for several
   * batches.
   */
  void endBatch() {
    Closer closer = new Closer();
    batches++;
    freeResults(CACHED_BATCHES, closer);
    copies
        .entrySet()
        .removeIf(
            copy -> {
              boolean isUnused = !used.contains(copy.getKey());
              if (isUnused) {
                closer.close(copy.getValue());
              }
              return isUnused;
            });
    used.clear();
    closer.rethrow();
  }

  private void freeResults(long cachedBatches, Closer closer) {
    results
        .values()
        .removeIf(
            result -> {
              boolean isUnused = result.lastBatch + cachedBatches <= batches;
              if (isUnused) {
                closer.close(result.column);
              }
              return isUnused;
            });
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    freeResults(0, closer);
    used.clear();
    closer.close(this::endBatch);
    closer.rethrow();
  }
}
