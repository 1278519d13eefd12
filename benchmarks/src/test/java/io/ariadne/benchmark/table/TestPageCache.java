package io.ariadne.benchmark.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class TestPageCache {
  @TempDir Path folder;

  @Test
  void filesKeepTheirContents() throws IOException {
    byte[] bytes = new byte[3_000_001];
    new Random(1).nextBytes(bytes);
    Path file = Files.createDirectories(folder.resolve("a table/p=1")).resolve("part 0.parquet");
    Files.write(file, bytes);
    PageCache.drop(List.of(folder));
    assertArrayEquals(bytes, Files.readAllBytes(file));
  }

  @Test
  void missingFolderIsAnError() {
    List<Path> missing = List.of(folder.resolve("missing"));
    assertThrows(IOException.class, () -> PageCache.drop(missing));
  }
}
