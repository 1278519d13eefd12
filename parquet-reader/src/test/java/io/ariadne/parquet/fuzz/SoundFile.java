package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.error.EngineException;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.metadata.PageHeader;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.testing.MemoryFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * An intact file, the location of its parts, and its content.
 *
 * @param name name for messages
 * @param bytes the file
 * @param fields the columns that are read
 * @param rows their values
 * @param pages its pages
 * @param chunks where the pages of each top-level column are
 * @param footer the footer as text
 * @param misjudged columns whose statistics are wrong in the file, so that every reader that uses
 *     them skips rows it should not
 */
record SoundFile(
    String name,
    byte[] bytes,
    List<Field> fields,
    FuzzScan.Rows rows,
    List<PagePlace> pages,
    Map<String, List<Range>> chunks,
    String footer,
    Set<String> misjudged) {
  private static final int PROBES = 8;

  private static final int TRAILER_BYTES = 8;

  /**
   * A page.
   *
   * @param header its first byte
   * @param body the byte behind its header
   * @param end the byte behind it
   */
  record PagePlace(int header, int body, int end) {}

  /**
   * Bytes of the file.
   *
   * @param start the first
   * @param end the byte behind them
   */
  record Range(int start, int end) {}

  /** Reads a file: its parts, and the columns, which must be readable. */
  static SoundFile of(
      String name, byte[] bytes, List<Field> fields, FuzzScan scan, BufferAllocator allocator)
      throws IOException {
    FileMetadata metadata =
        FooterReader.read(new MemoryFile(name, bytes), name, ColumnSelection.ALL, allocator);
    List<PagePlace> pages = new ArrayList<>();
    Map<String, List<Range>> chunks = new HashMap<>();
    try (MemoryBuffer memory = allocator.allocate(bytes.length)) {
      memory.putBytes(0, bytes, 0, bytes.length);
      for (RowGroup group : metadata.rowGroups()) {
        for (SchemaNode leaf : metadata.leaves()) {
          ColumnChunk chunk = group.chunk(leaf.leafIndex());
          int start = (int) chunk.startOffset();
          int end = (int) (start + chunk.compressedBytes());
          String column = leaf.path().split("\\.", 2)[0];
          chunks.computeIfAbsent(column, key -> new ArrayList<>()).add(new Range(start, end));
          addPages(memory, start, end, pages);
        }
      }
    }
    FuzzScan.Rows rows = scan.read(name, bytes, fields, null);
    String footer = FooterText.of(bytes, allocator);
    Set<String> misjudged = misjudged(name, bytes, fields, rows, scan);
    return new SoundFile(name, bytes, fields, rows, pages, chunks, footer, misjudged);
  }

  private static Set<String> misjudged(
      String name, byte[] bytes, List<Field> fields, FuzzScan.Rows rows, FuzzScan scan) {
    Set<String> misjudged = new HashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      boolean isInteger = FuzzPredicate.isInteger(field.type());
      List<Object> probes = isInteger ? probes(rows.columns().get(i)) : List.of();
      for (Object probe : probes) {
        FuzzPredicate equals = FuzzPredicate.equal(field, ((Number) probe).longValue());
        long expected = rows.columns().get(i).stream().filter(equals::holds).count();
        FuzzScan.Rows found = scan.read(name, bytes, List.of(field), equals.expression());
        if (found.isWhole() && rows.isWhole() && found.rowCount() != expected) {
          misjudged.add(field.name());
        }
      }
    }
    return misjudged;
  }

  private static List<Object> probes(List<Object> values) {
    return values.stream().filter(Objects::nonNull).distinct().limit(PROBES).toList();
  }

  private static void addPages(MemoryBuffer memory, int start, int end, List<PagePlace> pages) {
    PageHeader header = new PageHeader();
    int position = start;
    while (position < end) {
      long length;
      try {
        length = header.read(memory.address() + position, memory.address() + end);
      } catch (EngineException e) { // some files have other bytes after a chunk's last page
        return;
      }
      if (length <= 0) {
        return;
      }
      int body = (int) (position + length);
      pages.add(new PagePlace(position, body, body + header.compressedSize()));
      position = body + header.compressedSize();
    }
  }

  /** Returns the footer's first byte. */
  int footerStart() {
    int at = bytes.length - TRAILER_BYTES;
    return at - LittleEndian.getInt(bytes, at);
  }

  /** Returns whether a copy has this file's footer at the same position, byte for byte. */
  boolean hasSameFooter(byte[] copy) {
    return copy.length == bytes.length
        && Arrays.equals(bytes, footerStart(), bytes.length, copy, footerStart(), copy.length);
  }

  /** Returns whether a copy's footer, page indexes and bloom filters have the same content. */
  boolean saysTheSame(byte[] copy, BufferAllocator allocator) {
    try {
      return hasSameFooter(copy)
          ? hasSameIndexes(copy)
          : copy.length == bytes.length
              && hasSameIndexes(copy)
              && footer.equals(FooterText.of(copy, allocator));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether everything except pages and footer is the same in a copy. */
  private boolean hasSameIndexes(byte[] copy) {
    return Arrays.equals(withoutPages(bytes), withoutPages(copy));
  }

  private byte[] withoutPages(byte[] copy) {
    byte[] others = Arrays.copyOf(copy, footerStart());
    chunks.values().stream()
        .flatMap(List::stream)
        .forEach(range -> Arrays.fill(others, range.start(), range.end(), (byte) 0));
    return others;
  }

  /** Returns the end of all pages, exclusive. */
  int indexStart() {
    return chunks.values().stream()
        .flatMap(List::stream)
        .mapToInt(Range::end)
        .max()
        .orElse(footerStart());
  }

  /** Returns the values of a column. */
  List<Object> values(Field field) {
    return rows.columns().get(fields.indexOf(field));
  }

  /** Returns the columns whose pages are unchanged in a copy of the same length. */
  List<Field> untouched(byte[] copy, List<Field> some) {
    return some.stream()
        .filter(
            field ->
                chunks.getOrDefault(field.name(), List.of()).stream()
                    .allMatch(
                        range ->
                            Arrays.equals(
                                bytes,
                                range.start(),
                                range.end(),
                                copy,
                                range.start(),
                                range.end())))
        .toList();
  }
}
