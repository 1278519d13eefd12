package io.ariadne.benchmark.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.benchmark.command.AriadneCommand;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * All cases on all back ends; CUDA's over the fake driver, which no test before may have loaded.
 */
class TestGpuBench {
  private static final String SCALE = "0.001";
  private static final long DEVICE_BYTES = 1L << 30;
  private static final int MOST_ALLOCATIONS = 4;

  @TempDir private static Path folder;

  @BeforeAll
  static void generate() {
    CommandLine ariadne = new CommandLine(new AriadneCommand());
    int status = ariadne.execute("generate", "--scale", SCALE, "--data", folder.toString());
    assertEquals(0, status);
    FakeDriver.start(DEVICE_BYTES, 1);
  }

  @ParameterizedTest
  @CsvSource({"cpu, false", "simulated, true", "cuda, true"})
  void answersAreEqual(String backend, boolean isDevice) throws Exception {
    Path json = folder.resolve(backend + ".json");
    assertEquals(0, run("--backend", backend, "--json", json.toString()));
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertEquals(OperatorCase.all().size(), report.path("cases").size());
    for (JsonNode each : report.path("cases")) {
      String name = each.path("name").asText();
      assertTrue(each.path("equal").asBoolean(), name);
      assertTrue(each.path("rowsIn").asLong() > 0 && each.path("rowsOut").asLong() > 0, name);
      assertTrue(each.path("bytesOut").asLong() > 0, name);
      assertEquals(!name.equals("scan"), each.path("bytesIn").asLong() > 0, name);
      // Files are read on the host so far.
      boolean isCounted = isDevice && !name.equals("scan");
      assertEquals(isCounted, each.path("bytesToDevice").asLong() > 0, name);
      // The device's memory is taken once, before the case.
      assertTrue(each.path("allocations").asLong() <= MOST_ALLOCATIONS, name + each);
      assertTrue(!isCounted || each.path("launches").asLong() > 0, name);
    }
  }

  @Test
  void refusesAnotherBackEnd() {
    assertTrue(run("--backend", "tpu") != 0);
  }

  private static int run(String... arguments) {
    return new CommandLine(new GpuBench())
        .execute(
            concat(
                arguments,
                "--tables",
                folder.resolve("tpch-sf" + SCALE).toString(),
                "--threads",
                "2",
                "--memory",
                "512",
                "--rounds",
                "1",
                "--copy-megabytes",
                "1"));
  }

  private static String[] concat(String[] some, String... more) {
    String[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }
}
