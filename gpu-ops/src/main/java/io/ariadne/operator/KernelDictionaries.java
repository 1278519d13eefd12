package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Copies of dictionaries where kernels see them, kept from batch to batch, because the batches of a
 * file share them. Used by one thread at a time.
 */
final class KernelDictionaries implements AutoCloseable {
  private final OperatorContext context;
  private final Map<Long, ColumnVector> copies = new HashMap<>();
  private final Set<Long> used = new HashSet<>();

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

  /** Frees the copies that were not used since the last call. */
  void endBatch() {
    Closer closer = new Closer();
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

  @Override
  public void close() {
    used.clear();
    endBatch();
  }
}
