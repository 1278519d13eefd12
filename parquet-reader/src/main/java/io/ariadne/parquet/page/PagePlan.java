package io.ariadne.parquet.page;

import io.ariadne.parquet.metadata.OffsetIndex;
import java.util.BitSet;

/**
 * Selects the data pages of a chunk to read, if the file has an offset index. Other pages are not
 * read from the file.
 *
 * @param index locations of the pages
 * @param wanted indices of the wanted pages
 */
public record PagePlan(OffsetIndex index, BitSet wanted) {
  /** Returns the end offset of the consecutive wanted pages that begin with a page. */
  long endOfRun(int page) {
    int last = Math.min(wanted.nextClearBit(page), index.pageCount()) - 1;
    return index.offset(last) + index.lengthInBytes(last);
  }
}
