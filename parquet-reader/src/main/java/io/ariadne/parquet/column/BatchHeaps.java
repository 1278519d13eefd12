package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Collects the heaps that the views of one column of a batch refer to by number, with a reference
 * to each. Closing releases those that no column has taken.
 *
 * <p>Decoders number the memory of every page before they know whether a view points into it.
 * Memory that no view uses is replaced by another heap, so that it can be freed.
 */
final class BatchHeaps implements AutoCloseable {
  private final List<SharedBuffer> heaps = new ArrayList<>();
  private final BitSet used = new BitSet();

  /** Adds a heap with a new reference to it, and returns its number. */
  int add(SharedBuffer heap) {
    int last = heaps.size() - 1;
    if (last >= 0 && heaps.get(last) == heap) {
      return last;
    }
    heaps.add(heap.retain());
    return heaps.size() - 1;
  }

  /** Returns the number that the next new heap gets. */
  int size() {
    return heaps.size();
  }

  /** Records that a view points into a heap. */
  void use(int number) {
    used.set(number);
  }

  /** Passes the references to the caller. The list is empty when no view points into any heap. */
  List<SharedBuffer> take() {
    List<SharedBuffer> taken = new ArrayList<>();
    if (!used.isEmpty()) {
      SharedBuffer any = heaps.get(used.nextSetBit(0));
      for (int i = 0; i < used.length(); i++) {
        taken.add((used.get(i) ? heaps.get(i) : any).retain());
      }
    }
    close();
    return taken;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    heaps.forEach(heap -> closer.close(heap::release));
    heaps.clear();
    used.clear();
    closer.rethrow();
  }
}
