package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.parquet.codec.DamagedBlockException;
import io.ariadne.parquet.codec.Decompressor;
import io.ariadne.parquet.metadata.CompressionCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Decompresses pages of one chunk, several at once where that is faster, and finds their streams.
 * Used by one thread.
 */
final class PageLoader {
  private final ChunkRange chunk;
  private final PageIo io;
  private final LevelSplit levels;

  PageLoader(ChunkRange chunk, PageIo io, LevelSplit levels) {
    this.chunk = chunk;
    this.io = io;
    this.levels = levels;
  }

  /** Loads those of the pages that are not loaded yet. */
  void load(List<Page> pages) {
    List<Page> packed = new ArrayList<>(pages.size());
    for (Page page : pages) {
      if (!page.isLoaded() && !loadAsIs(page)) {
        packed.add(page);
      }
    }
    if (!packed.isEmpty()) {
      loadPacked(packed);
    }
  }

  /** Loads a page that needs no decompression; returns false for any other page. */
  private boolean loadAsIs(Page page) {
    PageBody body = page.body();
    boolean isPlain = chunk.codec() == CompressionCodec.UNCOMPRESSED || !body.isCompressed();
    boolean isEmpty = body.lengthInBytes() == body.levelBytes();
    if (!isPlain && !isEmpty && body.plainLength() > body.levelBytes()) {
      return false;
    }
    int length = isPlain ? body.lengthInBytes() : body.levelBytes();
    levels.split(page, body, body.memory().retain(), body.address(), length);
    page.releaseBody();
    return true;
  }

  private void loadPacked(List<Page> pages) {
    List<MemoryBuffer> targets = new ArrayList<>(pages.size());
    int done = 0;
    try {
      List<Decompressor.Block> blocks = new ArrayList<>(pages.size());
      for (Page page : pages) {
        targets.add(target(page.body()));
        blocks.add(block(page.body(), targets.get(targets.size() - 1)));
      }
      decompress(pages, blocks);
      while (done < pages.size()) {
        Page page = pages.get(done);
        MemoryBuffer target = targets.get(done);
        done++; // the page owns the memory from here on
        levels.split(
            page,
            page.body(),
            new SharedBuffer(target),
            target.address(),
            page.body().plainLength());
        page.releaseBody();
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      targets.subList(done, targets.size()).forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Allocates memory for a decompressed page, if the page can be that large. */
  private MemoryBuffer target(PageBody body) {
    int compressed = body.lengthInBytes() - body.levelBytes();
    int plain = body.plainLength() - body.levelBytes();
    if (plain > io.decompressors().get(chunk.codec()).maxDecompressedLength(compressed)) {
      throw chunk
          .site()
          .corrupt(
              body.offset(), compressed + " bytes of " + chunk.codec() + " as " + plain + " bytes");
    }
    return io.allocator().allocate(body.plainLength());
  }

  /** Copies the levels, which are not compressed, and returns the compressed rest. */
  private static Decompressor.Block block(PageBody body, MemoryBuffer target) {
    int levelBytes = body.levelBytes();
    Memory.copy(body.address(), target.address(), levelBytes);
    return new Decompressor.Block(
        body.address() + levelBytes,
        body.lengthInBytes() - levelBytes,
        target.address() + levelBytes,
        body.plainLength() - levelBytes);
  }

  private void decompress(List<Page> pages, List<Decompressor.Block> blocks) {
    long begin = System.nanoTime();
    try {
      io.decompressors().get(chunk.codec()).decompress(blocks);
    } catch (DamagedBlockException e) {
      throw chunk.site().corrupt(pages.get(e.block()).offset(), e.getMessage(), e);
    }
    io.statistics().decompressNanos += System.nanoTime() - begin;
    for (Decompressor.Block block : blocks) {
      io.statistics().bytesDecompressed += block.targetLength();
    }
  }
}
