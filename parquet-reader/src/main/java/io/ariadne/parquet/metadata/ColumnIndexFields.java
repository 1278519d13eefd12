package io.ariadne.parquet.metadata;

/** Parses a column index. */
final class ColumnIndexFields {
  private final ThriftReader reader;
  private boolean[] nullPages;
  private byte[][] mins;
  private byte[][] maxes;
  private long[] nullCounts;

  private ColumnIndexFields(ThriftReader reader) {
    this.reader = reader;
  }

  /**
   * Parses an index.
   *
   * @param reader a reader at the start of the index
   * @param chunk the column chunk
   * @param pageCount the number of pages that the index must have
   */
  static ColumnIndex parse(ThriftReader reader, ColumnChunk chunk, int pageCount) {
    ColumnIndexFields fields = new ColumnIndexFields(reader);
    fields.read();
    fields.check(pageCount);
    Statistics[] pages = new Statistics[pageCount];
    boolean isOrdered = chunk.hasTypeOrder() && StatisticsTrust.hasOrder(chunk.leaf());
    for (int i = 0; i < pageCount; i++) {
      pages[i] = fields.page(chunk, isOrdered, i);
    }
    return new ColumnIndex(pages, fields.nullPages);
  }

  private void read() {
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> nullPages = readBooleans();
        case 2 -> mins = readBinaries();
        case 3 -> maxes = readBinaries();
        case 5 -> nullCounts = readLongs();
        default -> reader.skip();
      }
    }
  }

  private void check(int pageCount) {
    boolean isComplete = nullPages != null && mins != null && maxes != null;
    if (!isComplete
        || nullPages.length != pageCount
        || mins.length != pageCount
        || maxes.length != pageCount
        || (nullCounts != null && nullCounts.length != pageCount)) {
      throw reader.corrupt("not an index of " + pageCount + " pages");
    }
  }

  private Statistics page(ColumnChunk chunk, boolean isOrdered, int page) {
    SchemaNode leaf = chunk.leaf();
    long nulls = nullCounts == null ? Statistics.UNKNOWN_COUNT : nullCounts[page];
    if (nulls < Statistics.UNKNOWN_COUNT) {
      throw reader.corrupt("page " + page + " with " + nulls + " nulls");
    }
    boolean isTrusted =
        isOrdered
            && !nullPages[page]
            && StatisticsTrust.hasRightLength(leaf, mins[page])
            && StatisticsTrust.hasRightLength(leaf, maxes[page]);
    if (!isTrusted) {
      return new Statistics(null, null, nulls, false, false);
    }
    return StatisticsTrust.floatRules(
        leaf, chunk.nanIsBound(), new Statistics(mins[page], maxes[page], nulls, false, false));
  }

  private boolean[] readBooleans() {
    boolean[] values = new boolean[reader.beginList()];
    for (int i = 0; i < values.length; i++) {
      values[i] = reader.readListBool();
    }
    return values;
  }

  private byte[][] readBinaries() {
    byte[][] values = new byte[reader.beginList()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = reader.readBytes();
    }
    return values;
  }

  private long[] readLongs() {
    long[] values = new long[reader.beginList()];
    for (int i = 0; i < values.length; i++) {
      values[i] = reader.readI64();
    }
    return values;
  }
}
