package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.spill.disk.SpillDirectory.Extent;
import java.util.List;

/**
 * Where a block's bytes are on disk: consecutive frames in extents of one directory or several.
 *
 * @param extents the ranges, owned by the owner of this record; none is longer than a page
 * @param frames the frames in them
 */
record StoredFrames(List<Extent> extents, List<Frame> frames) {
  /** Returns bytes on disk. */
  long bytes() {
    return extents.stream().mapToLong(Extent::lengthInBytes).sum();
  }

  /** Frees all bytes. */
  void free() {
    Closer closer = new Closer();
    extents.forEach(extent -> closer.close(extent::free));
    closer.rethrow();
  }
}
