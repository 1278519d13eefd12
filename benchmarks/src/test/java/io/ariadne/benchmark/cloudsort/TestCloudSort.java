package io.ariadne.benchmark.cloudsort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.store.StoreTraffic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Engines are shell scripts, which copy a prepared folder to the output that the query names, or
 * fail as the test says.
 */
class TestCloudSort {
  private static final SortRecords RECORDS = new SortRecords(3);
  private static final int COUNT = 500;
  private static final StoreTraffic NO_TRAFFIC = new StoreTraffic(0, 0, 0, 0, 0, 0, 0, 0, Map.of());

  private static final String ENGINE =
      """
      echo '{"versions": {"shell": "1"}}'
      while IFS="$(printf '\\t')" read -r name query; do
        echo "$query" >> queries
        output=$(echo "$query" | sed 's,^/[*] parquet file:\\([^ ]*\\) .*,\\1,')
        case $name-ENGINE in
          warmup-*) ;;
          *-ariadne-files) echo 'no space left' >&2; exit 3 ;;
          *-ariadne-cpu) echo '{"error": "no such table"}'; continue ;;
          *) [ -e "$output" ] && exit 4
            mkdir -p "$output" && cp PREPARED/part-* "$output" ;;
        esac
        echo '{"seconds": 2.0, "cpuSeconds": 3.0, "rows": 1, "operators": 4, "accelerated": 3,
          "peakBytes": 7, "shuffle": {"writtenBytes": 11, "spilledBytes": 12}}' | tr -d '\\n'
        echo
      done
      echo '{"stopped": true, "liveBytes": 0}'
      """;

  @TempDir Path folder;
  private FileSystem store;
  private SortInput input;
  private final List<Integer> reported = new ArrayList<>();

  @BeforeEach
  void writeInput() throws IOException {
    store = hadoop("input").getFileSystem(new Configuration());
    input = new SortInput(store, hadoop("input"), RECORDS, COUNT);
    input.generate(1);
    List<byte[]> sorted = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      sorted.add(new byte[SortRecords.BYTES]);
      RECORDS.fill(i, sorted.get(i));
    }
    sorted.sort(Comparator.comparing(FileCheck::key));
    try (RecordFileWriter writer =
        new RecordFileWriter(
            HadoopOutputFile.fromPath(
                new org.apache.hadoop.fs.Path(hadoop("prepared"), "part-0.parquet"),
                store.getConf()),
            store.getConf())) {
      for (byte[] record : sorted) {
        writer.write(record);
      }
    }
  }

  @Test
  void checksEveryOutputAndDeletesIt() throws IOException {
    List<SortedRun> runs = run("prepared", "spark", "ariadne");
    assertEquals(List.of(1, 2, 3, 4), reported);
    SortedRun last = runs.get(3);
    assertNull(last.error());
    assertEquals("ariadne", last.engine());
    assertEquals(COUNT, last.check().records());
    assertEquals(2, last.seconds());
    assertEquals("3/4", last.accelerated());
    assertEquals(11, last.counter("writtenBytes"));
    assertTrue(last.cost().compute() > 0);
    assertNull(runs.get(2).accelerated());
    assertFalse(folder.resolve("output/sorted-ariadne").toFile().exists());
  }

  @Test
  void wrongOutputFailsAndStays() throws IOException {
    List<SortedRun> runs = run("input", "spark", "ariadne"); // a copy of the unsorted files
    assertEquals(1, runs.size());
    String error = runs.get(0).error();
    assertTrue(error.contains("output/sorted-spark: part-00000.parquet row "), error);
    assertTrue(folder.resolve("output/sorted-spark/part-00000.parquet").toFile().exists());
  }

  @Test
  void failedRunsDoNotEndTheOthers() throws IOException {
    List<SortedRun> runs = run("prepared", "ariadne-files", "ariadne-cpu", "spark");
    assertTrue(runs.get(0).error().contains("no space left"), runs.get(0).error());
    assertEquals("no such table", runs.get(1).error());
    assertNull(runs.get(2).error());
    assertEquals(6, runs.size());
  }

  private List<SortedRun> run(String prepared, String... engines) throws IOException {
    CloudSort.Plan plan =
        new CloudSort.Plan(
            List.of(engines).stream().map(e -> new EngineSettings(e, 1, 1024, 0)).toList(),
            List.of(input),
            input,
            2,
            Duration.ofMinutes(1),
            new CostModel(new Prices(0.05, 0, 0, 0, 0)),
            1);
    CloudSort.Starter starter =
        (settings, tables) -> {
          assertEquals(input.address(), tables.get("records"));
          assertEquals(input.address(), tables.get("warmup"));
          String script =
              ENGINE
                  .replace("ENGINE", settings.engine())
                  .replace("PREPARED", folder.resolve(prepared).toString());
          return EngineProcess.start(
              settings.engine(), List.of("sh", "-c", script), folder.resolve("engine.log"));
        };
    CloudSort.Store target =
        new CloudSort.Store(store, hadoop("output"), () -> NO_TRAFFIC, () -> 0);
    return new CloudSort(plan, target, starter).run((runs, versions) -> reported.add(runs.size()));
  }

  private org.apache.hadoop.fs.Path hadoop(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
  }
}
