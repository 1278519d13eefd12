package io.ariadne.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTpchRun {
  @TempDir Path folder;

  @Test
  void testCommandIsWhollyWrittenOut() {
    CommonOptions options = new CommonOptions();
    options.cores = 3;
    options.memoryMegabytes = 4096;
    assertEquals(
        "bin/ariadne demo --scale 0.1 --spark 3.5 --cores 3 --memory 4096",
        run("spark", "ariadne").fullCommand(options));
  }

  @Test
  void testUnknownEngineIsRefusedBeforeDataAreGenerated() {
    CommonOptions options = new CommonOptions();
    options.dataRoot = folder.resolve("data");
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> run("spark", "presto").run(options));
    assertEquals(
        "'presto' is no engine: valid are spark, ariadne, comet, duckdb", error.getMessage());
    assertFalse(options.dataRoot.toFile().exists());
  }

  private static TpchRun run(String... engines) {
    return new TpchRun(
        "bin/ariadne demo", List.of(engines), List.of(6), 0.1, 1, 1, "3.5", null, null);
  }
}
