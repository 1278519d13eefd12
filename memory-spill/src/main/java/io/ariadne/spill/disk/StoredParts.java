package io.ariadne.spill.disk;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The buffers of a column while it is read back. Used by one thread. */
final class StoredParts implements AutoCloseable {
  private final StoredColumn layout;
  final List<SharedBuffer> heaps = new ArrayList<>();
  final List<StoredParts> children = new ArrayList<>();
  MemoryBuffer data;
  MemoryBuffer validity;
  private boolean taken;

  StoredParts(StoredColumn layout) {
    this.layout = layout;
  }

  /** Reads all bytes; the reader is at the column's first byte. */
  void fill(FrameReader in) throws IOException {
    fill(data, in);
    fill(validity, in);
    for (SharedBuffer heap : heaps) {
      fill(heap.buffer(), in);
    }
    for (StoredParts child : children) {
      child.fill(in);
    }
  }

  private static void fill(MemoryBuffer buffer, FrameReader in) throws IOException {
    if (buffer != null && buffer.lengthInBytes() > 0) {
      in.get(buffer, MemoryBuffer.padded(buffer.lengthInBytes()));
    }
  }

  /**
   * Creates the column, which takes ownership of the buffers; the caller owns the column.
   *
   * @param dictionaries of this and the following dictionary columns; the column takes over one
   *     reference to its dictionary
   */
  ColumnVector toColumn(Iterator<Dictionary> dictionaries) {
    int rows = layout.rowCount();
    ColumnVector column;
    if (layout.physicalType() == PhysicalType.DICTIONARY32) {
      Dictionary dictionary = dictionaries.next();
      column = ColumnVector.ofDictionary(dictionary, rows, data, validity, layout.nullCount());
    } else {
      List<ColumnVector> nested =
          children.stream().map(each -> each.toColumn(dictionaries)).toList();
      column =
          new ColumnVector(
              layout.type(),
              layout.physicalType(),
              rows,
              data,
              validity,
              layout.nullCount(),
              heaps,
              nested);
    }
    taken = true;
    return column;
  }

  /** Frees the buffers unless a column owns them. */
  @Override
  public void close() {
    if (taken) {
      return;
    }
    Closer closer = new Closer();
    closer.close(data);
    closer.close(validity);
    heaps.forEach(heap -> closer.close(heap::release));
    children.forEach(closer::close);
    closer.rethrow();
  }
}
