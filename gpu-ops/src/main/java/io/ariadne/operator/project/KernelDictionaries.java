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
 * Copies of dictionaries where kernels see them, and results of functions of their entries, kept
 * from batch to batch, because the batches of a file share them. Used by one thread at a time.
 */
final class KernelDictionaries implements AutoCloseable {
  /** Batches for which results are kept that nobody uses: several evaluations take turns. */
  private static final int KEPT_BATCHES = 8;

  private final OperatorContext context;
  private final Map<Long, ColumnVector> copies = new HashMap<>();
  private final Set<Long> used = new HashSet<>();
  private final Map<ResultKey, Result> results = new HashMap<>();
  private long batches;

  /** The results of one function of the entries of one dictionary. */
  private record ResultKey(long dictionary, EntryFunction function) {}

  /** Results, and the batch that used them last. */
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

  /** Returns the entries where kernels see them, valid until the next {@link #endBatch}. */
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
   * Makes sure that results are there for {@link #results}, until the next {@link #endBatch} at
   * least.
   *
   * @param dictionary a dictionary
   * @param function a function of its entries
   * @param computation returns the results, owned by this from then on
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

  /** Returns results that {@link #compute} has seen to. */
  ColumnVector results(Dictionary dictionary, EntryFunction function) {
    return results.get(new ResultKey(dictionary.id(), function)).column;
  }

  /** Frees the copies that were not used since the last call, and results not used for long. */
  void endBatch() {
    Closer closer = new Closer();
    batches++;
    freeResults(KEPT_BATCHES, closer);
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

  private void freeResults(long keptBatches, Closer closer) {
    results
        .values()
        .removeIf(
            result -> {
              boolean isUnused = result.lastBatch + keptBatches <= batches;
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
