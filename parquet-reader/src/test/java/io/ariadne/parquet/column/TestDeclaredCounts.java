package io.ariadne.parquet.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.metadata.CompressionCodec;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.ChunkRange;
import io.ariadne.parquet.page.PageIo;
import io.ariadne.parquet.page.PageSite;
import io.ariadne.parquet.page.ReadStatistics;
import io.ariadne.parquet.testing.LimitedAllocator;
import io.ariadne.parquet.testing.MemoryFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests pages of lists that declare very many values: memory depends on their bytes, not on the
 * declared count.
 */
class TestDeclaredCounts {
  private static final int DECLARED = 2_000_000_000;
  private static final long LIMIT_BYTES = 32 << 20;
  private static final int INT_BYTES = 4;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void rejectsMoreValuesThanRepetitionLevels() throws IOException {
    checkCorrupt(new byte[] {16, 0}, run(DECLARED, 1), "levels");
  }

  @Test
  void rejectsMoreValuesThanDefinitionLevels() throws IOException {
    checkCorrupt(run(DECLARED, 0), new byte[] {16, 1}, "levels");
  }

  @Test
  void rejectsMoreValuesThanBytes() throws IOException {
    checkCorrupt(run(DECLARED, 0), run(DECLARED, 1), "at most 2");
  }

  @Test
  void rejectsMoreValuesThanBytesInOneRow() throws IOException {
    ByteArrayOutputStream repetition = new ByteArrayOutputStream();
    repetition.writeBytes(run(1, 0));
    repetition.writeBytes(run(DECLARED - 1, 1));
    checkCorrupt(repetition.toByteArray(), run(DECLARED, 1), "at most 2");
  }

  /** Returns a run of a repeated level of one bit. */
  private static byte[] run(int count, int level) {
    long header = (long) count << 1;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (header >= 0x80) {
      bytes.write((int) ((header & 0x7f) | 0x80));
      header >>>= 7;
    }
    bytes.write((int) header);
    bytes.write(level);
    return bytes.toByteArray();
  }

  private void checkCorrupt(byte[] repetition, byte[] definition, String problem)
      throws IOException {
    byte[] page = page(repetition, definition);
    PageSite site = new PageSite("counts", "list", 0);
    ReadStatistics statistics = new ReadStatistics();
    LimitedAllocator allocator = new LimitedAllocator(memory.allocator(), LIMIT_BYTES);
    try (Backend backend = HostBackend.open();
        Decompressors codecs = new Decompressors();
        DecodeContext context = new DecodeContext(backend, allocator, statistics);
        NestedLeaf leaf =
            new NestedLeaf(
                column(site), pages(page, site, allocator, codecs, statistics), context, null)) {
      EngineException e = assertThrows(EngineException.class, () -> decode(leaf));
      assertEquals(ErrorCode.CORRUPT_DATA, e.code(), e.toString());
      assertTrue(e.getMessage().contains(problem), e.toString());
    }
  }

  private static void decode(NestedLeaf leaf) {
    try (LeafWindow window = leaf.advance(0, 64)) {
      leaf.rowValues().plain(window.parts(), window.values(), null).close();
    }
  }

  private static FlatColumn column(PageSite site) {
    return new FlatColumn(
        site,
        PhysicalKind.INT32,
        INT_BYTES,
        PrimitiveType.INT32,
        PhysicalType.I32,
        ValueConversion.COPY_4,
        0,
        CalendarRebase.NONE,
        false);
  }

  private static ChunkPages pages(
      byte[] page,
      PageSite site,
      LimitedAllocator allocator,
      Decompressors codecs,
      ReadStatistics statistics) {
    ChunkRange range =
        new ChunkRange(site, CompressionCodec.UNCOMPRESSED, 0, page.length, DECLARED, 1, 1);
    PageIo io = new PageIo(allocator, codecs, statistics, PageIo.DEFAULT_WINDOW_BYTES, false);
    return new ChunkPages(new MemoryFile("counts", page), range, io);
  }

  private static byte[] page(byte[] repetition, byte[] definition) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] levels : new byte[][] {repetition, definition}) {
      body.writeBytes(new byte[] {(byte) levels.length, 0, 0, 0});
      body.writeBytes(levels);
    }
    body.writeBytes(new byte[2 * INT_BYTES]);
    PageHeader header = new PageHeader(PageType.DATA_PAGE, body.size(), body.size());
    header.setData_page_header(
        new DataPageHeader(DECLARED, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    Util.writePageHeader(header, page);
    body.writeTo(page);
    return page.toByteArray();
  }
}
