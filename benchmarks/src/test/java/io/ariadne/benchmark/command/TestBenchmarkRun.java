package io.ariadne.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.workload.TpchWorkload;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
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
            + " spark, ariadne, ariadne-in-memory, ariadne-files, ariadne-no-filters,"
            + " ariadne-block-transfer,"
            + " ariadne-cpu, ariadne-cuda, ariadne-simulated, ariadne-old, ariadne-simple,"
            + " ariadne-merge, ariadne-push, ariadne-move, ariadne-no-footer-cache,"
            + " ariadne-no-coalescing, ariadne-no-read-ahead, ariadne-no-second-requests,"
            + " ariadne-no-steps, comet, duckdb",
        error.getMessage());
    assertFalse(common.dataRoot.toFile().exists());
  }

  @Test
  void commandHasTheStore() {
    RunOptions options = options("spark", "ariadne-old");
    options.oldJar = Path.of("old.jar");
    options.store.address = URI.create("s3://bench/tables");
    options.store.faults = "slow=0.01";
    options.store.seed = 7;
    assertEquals(
        "--engines spark,ariadne-old --old-jar old.jar --rounds 5 --warmups 5"
            + " --store s3://bench/tables --store-latency-ms 20 --store-connection-rate 8"
            + " --store-total-rate 120 --store-faults slow=0.01 --store-seed 7",
        options.comparison());
  }

  @Test
  void optionsThatDoNotFitAreRefused() throws IOException {
    RunOptions noJar = options("ariadne-old");
    refused(noJar, "--old-jar");
    RunOptions noEngine = options("ariadne");
    noEngine.oldJar = Files.createFile(folder.resolve("old.jar"));
    refused(noEngine, "--old-jar");
    RunOptions duckdb = options("spark", "duckdb");
    duckdb.store.address = URI.create("s3://bench/tables");
    refused(duckdb, "duckdb");
    for (String address : List.of("s3://bench", "hdfs://host/tables", "tables")) {
      RunOptions wrong = options("spark");
      wrong.store.address = URI.create(address);
      refused(wrong, address);
    }
    RunOptions faults = options("spark");
    faults.store.address = URI.create("s3://bench/tables");
    faults.store.faults = "sometimes";
    refused(faults, "sometimes");
    RunOptions config = options("spark");
    config.store.config = folder;
    refused(config, "--store");
  }

  private static void refused(RunOptions options, String part) {
    IllegalArgumentException error = assertThrows(IllegalArgumentException.class, options::check);
    assertTrue(error.getMessage().contains(part), error::getMessage);
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
