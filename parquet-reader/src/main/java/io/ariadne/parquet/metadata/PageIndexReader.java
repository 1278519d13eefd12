package io.ariadne.parquet.metadata;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.util.function.Function;

/** Reads the page indexes of column chunks. Stateless. */
public final class PageIndexReader {
  private PageIndexReader() {}

  /**
   * Reads the offset index of a chunk.
   *
   * @param reader the file
   * @param metadata the file's footer
   * @param group the row group
   * @param chunk one of its chunks, with an {@link ColumnChunk#offsetIndex()}
   * @param allocator host memory for the index's bytes while they are parsed
   * @throws IOException when reading fails
   * @throws EngineException CORRUPT_DATA when the index is damaged or contradicts the footer
   */
  public static OffsetIndex readOffsetIndex(
      ByteRangeReader reader,
      FileMetadata metadata,
      RowGroup group,
      ColumnChunk chunk,
      BufferAllocator allocator)
      throws IOException {
    return read(
        reader,
        metadata,
        group,
        chunk,
        chunk.offsetIndex(),
        allocator,
        t -> parse(t, group, chunk));
  }

  /**
   * Reads the column index of a chunk.
   *
   * @param reader the file
   * @param metadata the file's footer
   * @param group the row group
   * @param chunk one of its chunks, with a {@link ColumnChunk#columnIndex()}
   * @param pageCount the number of pages in the chunk's offset index
   * @param allocator host memory for the index's bytes while they are parsed
   * @throws IOException when reading fails
   * @throws EngineException CORRUPT_DATA when the index is damaged or has another number of pages
   */
  public static ColumnIndex readColumnIndex(
      ByteRangeReader reader,
      FileMetadata metadata,
      RowGroup group,
      ColumnChunk chunk,
      int pageCount,
      BufferAllocator allocator)
      throws IOException {
    return read(
        reader,
        metadata,
        group,
        chunk,
        chunk.columnIndex(),
        allocator,
        t -> ColumnIndexFields.parse(t, chunk, pageCount));
  }

  private static <T> T read(
      ByteRangeReader reader,
      FileMetadata metadata,
      RowGroup group,
      ColumnChunk chunk,
      ByteSpan span,
      BufferAllocator allocator,
      Function<ThriftReader, T> parser)
      throws IOException {
    if (span.lengthInBytes() > metadata.fileLength() - span.offset()) {
      throw corrupt(metadata, group, chunk, span.offset(), "page index beyond the file's end");
    }
    try (MemoryBuffer bytes = allocator.allocate(span.lengthInBytes())) {
      reader.read(span.offset(), bytes, 0, span.lengthInBytes());
      ThriftReader thrift = new ThriftReader();
      thrift.reset(bytes.address(), bytes.address() + span.lengthInBytes());
      return parser.apply(thrift);
    } catch (ThriftException e) {
      throw corrupt(metadata, group, chunk, span.offset() + e.offset(), e.getMessage());
    }
  }

  private static EngineException corrupt(
      FileMetadata metadata, RowGroup group, ColumnChunk chunk, long offset, String problem) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA,
        problem
            + ", in the page index of column "
            + chunk.leaf().path()
            + ", row group "
            + group.ordinal()
            + ", at byte "
            + offset
            + " of "
            + metadata.file());
  }

  private static OffsetIndex parse(ThriftReader reader, RowGroup group, ColumnChunk chunk) {
    OffsetIndex index = null;
    reader.beginStruct();
    while (reader.nextField()) {
      if (reader.fieldId() == 1) {
        index = parsePages(reader, group, chunk);
      } else {
        reader.skip();
      }
    }
    if (index == null) {
      throw reader.corrupt("no pages");
    }
    return index;
  }

  private static OffsetIndex parsePages(ThriftReader reader, RowGroup group, ColumnChunk chunk) {
    int count = reader.beginList();
    long[] offsets = new long[count];
    int[] lengths = new int[count];
    long[] firstRows = new long[count];
    long end = chunk.startOffset() + chunk.compressedBytes();
    long from = chunk.startOffset();
    for (int i = 0; i < count; i++) {
      reader.beginStruct();
      while (reader.nextField()) {
        switch (reader.fieldId()) {
          case 1 -> offsets[i] = reader.readI64();
          case 2 -> lengths[i] = reader.readI32();
          case 3 -> firstRows[i] = reader.readI64();
          default -> reader.skip();
        }
      }
      boolean isInside =
          lengths[i] > 0
              && offsets[i] >= from
              && offsets[i] <= end
              && lengths[i] <= end - offsets[i];
      boolean ascends = i == 0 ? firstRows[0] == 0 : firstRows[i] > firstRows[i - 1];
      if (!isInside || !ascends || firstRows[i] >= group.rowCount()) {
        throw reader.corrupt(
            "page "
                + i
                + " of "
                + lengths[i]
                + " bytes at "
                + offsets[i]
                + ", row "
                + firstRows[i]);
      }
      from = offsets[i] + lengths[i];
    }
    if (count == 0) {
      throw reader.corrupt("no pages");
    }
    return new OffsetIndex(offsets, lengths, firstRows, group.rowCount());
  }
}
