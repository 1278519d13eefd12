package io.ariadne.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.engine.EngineSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TestCloudSortBenchCommand {
  @Test
  void commandIsWhollyWrittenOut() {
    CloudSortBenchCommand command =
        parse("--megabytes", "250,500", "--cores", "2", "--store", "s3://bench/other");
    assertEquals(
        "bin/ariadne bench cloudsort --megabytes 250,500 --engines spark,ariadne --rounds 1"
            + " --warmup-megabytes 100 --seed 1 --store s3://bench/other --store-latency-ms 20"
            + " --store-connection-rate 8 --store-total-rate 120 --spark 4.1 --cores 2"
            + " --memory 6144 --vcpu-hour 0.048 --disk-gb-month 0.08 --store-gb-month 0.023"
            + " --read-request-price 4.0E-4 --write-request-price 0.005",
        command.command());
  }

  @Test
  void enginesThatCannotWriteToAStoreAreRefused() {
    for (String engine : List.of("comet", "duckdb", "ariadne-old", "presto")) {
      CloudSortBenchCommand command = parse("--engines", "spark," + engine);
      IllegalArgumentException error =
          assertThrows(IllegalArgumentException.class, command::checkedEngines);
      String start = "bench cloudsort has no engine '%s'; valid engines are spark, ariadne";
      assertTrue(error.getMessage().startsWith(start.formatted(engine)), error.getMessage());
    }
  }

  @Test
  void enginesHaveTheCommonSettings() {
    CloudSortBenchCommand command =
        parse("--engines", "spark,ariadne-files", "--cores", "4", "--executors", "2");
    assertEquals(
        List.of(
            new EngineSettings("spark", 4, 6144, 0, 2),
            new EngineSettings("ariadne-files", 4, 6144, 0, 2)),
        command.checkedEngines());
  }

  private static CloudSortBenchCommand parse(String... arguments) {
    CloudSortBenchCommand command = new CloudSortBenchCommand();
    new CommandLine(command).parseArgs(arguments);
    return command;
  }
}
