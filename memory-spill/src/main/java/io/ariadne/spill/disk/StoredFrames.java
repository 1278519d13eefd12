package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.spill.disk.SpillDirectory.Extent;
import java.util.List;

/**
 * Where a block's bytes are: frames that follow one another through extents of one directory or
 * several.
 *
 * @param extents the ranges, owned by whoever has this; none is longer than a page
 * @param frames what is in them
 */
record StoredFrames(List<Extent> extents, List<Frame> frames) {
  /** Returns bytes on disk. */
  long bytes() {
    return extents.stream().mapToLong(Extent::lengthInBytes).sum();
  }

  /** Gives all bytes back. */
  void free() {
    Closer closer = new Closer();
    extents.forEach(extent -> closer.close(extent::free));
    closer.rethrow();
  }
}
