package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.column.GatherKernel.Target;
import java.util.List;

/** Decodes pages of dictionary ids to the entries that the ids refer to. */
final class DictionaryValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final ChunkDictionary dictionary;

  DictionaryValueDecoder(DecodeContext context, ChunkDictionary dictionary) {
    this.context = context;
    this.dictionary = dictionary;
  }

  /** Views number the dictionary's heaps from 0, so the caller must have added those first. */
  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageWindow first = windows.get(0);
    PageWindow last = windows.get(windows.size() - 1);
    int idCount = last.denseStart + last.denseCount - first.denseStart;
    long idBytes = (long) idCount * Integer.BYTES;
    try (MemoryBuffer ids = context.allocator().allocate(idBytes)) {
      dictionary.decodeIds(windows, ids, -first.denseStart);
      ColumnVector entries = dictionary.dictionary().entries();
      int width = entries.physicalType().widthInBytes();
      for (PageWindow window : windows) {
        context
            .gather()
            .run(
                entries,
                ids,
                window.denseStart - first.denseStart,
                window.denseCount,
                new Target(target, (long) window.denseStart * width, null));
      }
      for (int i = 0; i < entries.heaps().size(); i++) {
        heaps.use(i);
      }
    }
  }
}
