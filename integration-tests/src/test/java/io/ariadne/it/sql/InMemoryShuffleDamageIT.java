package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.memory.MemoryPool;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.spill.SpillFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Damages spilled map outputs of an exchange: their map tasks run again. */
class InMemoryShuffleDamageIT extends AbstractDifferentialIT {
  private static final String SQL = "select id % 997 k, max(c1) from edge group by id % 997";

  @Override
  Map<String, String> settings() {
    Map<String, String> kept =
        with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
    return with(
        with(kept, "spark.ariadne.memory.size", "64m"),
        "spark.ariadne.memory.spill.directories",
        spillFolder().toString());
  }

  private static Path spillFolder() {
    return folder.resolve("spill");
  }

  @Test
  void damagedOutputsAreComputedAgain() throws IOException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "files without names are not found");
    session.conf().set("spark.sql.adaptive.enabled", "false");
    session.conf().set("spark.ariadne.enabled", "false");
    List<String> expected = RowTexts.sorted(session.sql(SQL));
    session.conf().set("spark.ariadne.enabled", "true");
    Dataset<Row> query = session.sql(SQL);
    assertEquals(expected, RowTexts.sorted(query));
    List<InMemoryOutputs.Output> first = InMemoryOutputs.all();
    assertTrue(first.size() > 1);
    damageAll();
    assertEquals(expected, RowTexts.sorted(query), "all are damaged");
    List<InMemoryOutputs.Output> second = InMemoryOutputs.all();
    assertTrue(second.stream().anyMatch(output -> !first.contains(output)), "no task ran again");
    assertTrue(first.stream().anyMatch(output -> !second.contains(output)), "damage was not met");
    assertEquals(expected, RowTexts.sorted(query), "read once more");
    // Spark takes this process for lost and does not tell it what is to be removed.
    InMemoryOutputs.forgetAll();
  }

  /** Takes memory until all outputs are on disk, and damages them there. */
  private static void damageAll() throws IOException {
    MemoryPool pool = ProcessRuntime.get().pool();
    try (MemoryBuffer most = pool.allocate(pool.limitInBytes() / 32 * 31)) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (pool.allocatedBytes() > most.lengthInBytes() && System.nanoTime() < deadline) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
      assertEquals(most.lengthInBytes(), pool.allocatedBytes(), "outputs stay in memory");
      assertTrue(SpillFiles.damage(spillFolder()) > 0);
    }
  }
}
