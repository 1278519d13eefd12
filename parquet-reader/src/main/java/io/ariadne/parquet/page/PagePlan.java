package io.ariadne.parquet.page;

import io.ariadne.parquet.metadata.OffsetIndex;
import java.util.BitSet;

/**
 * Which data pages of a chunk are read, where the file says where they are: the others are passed
 * over in the file.
 *
 * @param index where the pages are
 * @param wanted numbers of the wanted pages
 */
public record PagePlan(OffsetIndex index, BitSet wanted) {
  /** Returns the offset behind the wanted pages that follow one another from a page on. */
  long endOfRun(int page) {
    int last = Math.min(wanted.nextClearBit(page), index.pageCount()) - 1;
    return index.offset(last) + index.lengthInBytes(last);
  }
}
