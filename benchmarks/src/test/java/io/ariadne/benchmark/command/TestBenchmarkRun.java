package io.ariadne.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.benchmark.workload.TpchWorkload;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestBenchmarkRun {
  @TempDir Path folder;

  @Test
  void commandIsWhollyWrittenOut() {
    CommonOptions common = new CommonOptions();
    common.cores = 3;
    common.memoryMegabytes = 4096;
    RunOptions options = options("spark", "ariadne");
    options.scale = 0.1;
    options.sparkLine = "3.5";
    assertEquals(
        "bin/ariadne demo --scale 0.1 --spark 3.5 --cores 3 --memory 4096",
        run(options).fullCommand(common));
    assertEquals("--engines spark,ariadne --rounds 5 --warmups 5", options.comparison());
  }

  @Test
  void unknownEngineIsRefusedBeforeDataAreGenerated() {
    CommonOptions common = new CommonOptions();
    common.dataRoot = folder.resolve("data");
    BenchmarkRun run = run(options("spark", "presto"));
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> run.run(common));
    assertEquals(
        "'presto' is not an engine; valid engines are"
            + " spark, ariadne, ariadne-in-memory, ariadne-cpu, ariadne-cuda, ariadne-simulated,"
            + " ariadne-old, comet, duckdb",
        error.getMessage());
    assertFalse(common.dataRoot.toFile().exists());
  }

  private static RunOptions options(String... engines) {
    RunOptions options = new RunOptions();
    options.engines = List.of(engines);
    return options;
  }

  private static BenchmarkRun run(RunOptions options) {
    return new BenchmarkRun("bin/ariadne demo", new TpchWorkload(0.1, List.of(6)), options);
  }
}
