package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The heaps that the views of one column of a batch number, with a hold on each; closing lets go of
 * those that no column has taken.
 *
 * <p>Decoders number the memory of every page before they know whether a view points there: what
 * none does is replaced by another heap, so that the page's memory is free.
 */
final class BatchHeaps implements AutoCloseable {
  private final List<SharedBuffer> heaps = new ArrayList<>();
  private final BitSet used = new BitSet();

  /** Adds a heap, takes a hold of its own on it and returns its number. */
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

  /** Notes that a view points into a heap. */
  void use(int number) {
    used.set(number);
  }

  /** Hands the holds to the caller: none when no view points anywhere. */
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
