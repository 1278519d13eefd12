package io.ariadne.benchmark.cloudsort;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestDiskSpace {
  @TempDir Path folder;

  @Test
  void namesFoldersAndBytes() throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    DiskSpace space =
        new DiskSpace().need(folder, free, "inputs").need(folder, 1L << 40, "the output");
    IOException error = assertThrows(IOException.class, space::check);
    assertTrue(error.getMessage().contains(folder.toString()), error.getMessage());
    assertTrue(
        error.getMessage().contains((1L << 40) + " bytes for the output"), error.getMessage());
  }

  @Test
  void enoughIsEnough() {
    assertDoesNotThrow(() -> new DiskSpace().need(folder, 1, "the output").check());
  }
}
