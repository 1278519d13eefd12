package io.ariadne.benchmark.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

@EnabledOnOs(OS.LINUX)
class TestPageCache {
  private static final int PIECES = 50;
  private static final int PIECE_BYTES = 1 << 16;

  /** In the build's folder, because the page cache is all that a file in a RAM disk has. */
  @TempDir(factory = InTheBuild.class)
  Path folder;

  /** Makes folders in the module's folder for built files. */
  static final class InTheBuild implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
        throws IOException {
      return Files.createTempDirectory(Files.createDirectories(Path.of("target")), "page-cache");
    }
  }

  @Test
  void filesLeaveTheCacheAndKeepTheirContents() throws IOException {
    byte[] bytes = new byte[PIECES * PIECE_BYTES];
    new Random(1).nextBytes(bytes);
    Path file = Files.createDirectories(folder.resolve("a table/p=1")).resolve("part 0.parquet");
    Files.write(file, bytes);
    assertEquals(PIECES, cachedPieces(file));
    PageCache.drop(List.of(folder));
    assertEquals(0, cachedPieces(file));
    assertArrayEquals(bytes, Files.readAllBytes(file));
    assertEquals(PIECES, cachedPieces(file));
  }

  /** Counts the pieces of a file that are in the page cache as a whole. */
  private static int cachedPieces(Path file) throws IOException {
    int cached = 0;
    try (FileChannel channel = FileChannel.open(file)) {
      for (int i = 0; i < PIECES; i++) {
        long position = (long) i * PIECE_BYTES;
        boolean isCached =
            channel.map(FileChannel.MapMode.READ_ONLY, position, PIECE_BYTES).isLoaded();
        cached += isCached ? 1 : 0;
      }
    }
    return cached;
  }

  @Test
  void missingFolderIsAnError() {
    List<Path> missing = List.of(folder.resolve("missing"));
    assertThrows(IOException.class, () -> PageCache.drop(missing));
  }
}
