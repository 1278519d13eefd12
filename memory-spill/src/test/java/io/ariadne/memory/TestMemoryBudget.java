package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestMemoryBudget {
  private static final long GIB = 1L << 30;
  private static final OptionalLong NONE = OptionalLong.empty();

  @TempDir Path root;

  @Test
  void testConfiguredSizeWins() {
    MemoryBudget budget = compute(OptionalLong.of(GIB), OptionalLong.of(1), OptionalLong.of(1));
    assertEquals(GIB, budget.bytes());
    assertEquals("host memory budget 1024.0 MiB = configured size 1024.0 MiB", budget.explain());
  }

  @Test
  void testTakesTheSmallerOfOverheadShareAndWhatTheContainerLeaves() {
    MemoryBudget byOverhead = compute(NONE, OptionalLong.of(2 * GIB), OptionalLong.of(16 * GIB));
    assertEquals((long) (0.6 * 2 * GIB) / 64 * 64, byOverhead.bytes());
    MemoryBudget byCgroup = compute(NONE, OptionalLong.of(20 * GIB), OptionalLong.of(8 * GIB));
    assertEquals((long) (8 * GIB - 4 * GIB - 0.1 * 8 * GIB) / 64 * 64, byCgroup.bytes() / 64 * 64);
    assertEquals(
        "host memory budget 3276.8 MiB = min(0.60 x memory overhead 20480.0 MiB = 12288.0 MiB,"
            + " cgroup limit 8192.0 MiB - heap 4096.0 MiB - margin 819.2 MiB = 3276.8 MiB)",
        byCgroup.explain());
  }

  @Test
  void testOverheadOrContainerAlone() {
    assertEquals((long) (0.6 * GIB) / 64 * 64, compute(NONE, OptionalLong.of(GIB), NONE).bytes());
    assertTrue(compute(NONE, NONE, OptionalLong.of(8 * GIB)).explain().contains("cgroup limit"));
  }

  @Test
  void testMachineShareIsTheLastResort() {
    assertEquals(16 * GIB, compute(NONE, NONE, NONE).bytes());
  }

  @Test
  void testLimitAboveTheMachineIsNone() {
    MemoryBudget budget = compute(NONE, NONE, OptionalLong.of(9_223_372_036_854_771_712L));
    assertTrue(budget.explain().contains("machine memory"), budget.explain());
  }

  @Test
  void testTooLittleIsAnErrorWithTheFormula() {
    EngineException e =
        assertThrows(EngineException.class, () -> compute(NONE, NONE, OptionalLong.of(4 * GIB)));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    assertTrue(e.getMessage().contains("cgroup limit 4096.0 MiB - heap"), e.getMessage());
    assertThrows(EngineException.class, () -> compute(OptionalLong.of(1), NONE, NONE));
    MemoryBudget.Inputs nothing = new MemoryBudget.Inputs(NONE, NONE, GIB, NONE, NONE);
    assertThrows(EngineException.class, () -> MemoryBudget.compute(nothing));
  }

  private static MemoryBudget compute(
      OptionalLong configured, OptionalLong overhead, OptionalLong cgroup) {
    return MemoryBudget.compute(
        new MemoryBudget.Inputs(configured, overhead, 4 * GIB, cgroup, OptionalLong.of(64 * GIB)));
  }

  @Test
  void testReadsVersion2AndTheSmallestLimitOnTheWayUp() throws IOException {
    write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    write("proc/self/cgroup", "0::/pod/executor\n");
    write("sys/fs/cgroup/pod/executor/memory.max", "max\n");
    write("sys/fs/cgroup/pod/memory.max", "2147483648\n");
    assertEquals(OptionalLong.of(2 * GIB), CgroupMemory.limitInBytes(root));
    write("sys/fs/cgroup/pod/executor/memory.max", "1073741824\n");
    assertEquals(OptionalLong.of(GIB), CgroupMemory.limitInBytes(root));
  }

  @Test
  void testReadsVersion2InsideAContainer() throws IOException {
    write("sys/fs/cgroup/cgroup.controllers", "memory\n");
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/memory.max", "3221225472\n");
    assertEquals(OptionalLong.of(3 * GIB), CgroupMemory.limitInBytes(root));
  }

  @Test
  void testReadsVersion1WhoseGroupIsNotVisible() throws IOException {
    write("proc/self/cgroup", "12:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
    assertEquals(OptionalLong.of(GIB), CgroupMemory.limitInBytes(root));
  }

  @Test
  void testNoLimitWithoutControlGroups() throws IOException {
    assertEquals(NONE, CgroupMemory.limitInBytes(root));
    write("sys/fs/cgroup/cgroup.controllers", "memory\n");
    write("sys/fs/cgroup/memory.max", "max\n");
    assertEquals(NONE, CgroupMemory.limitInBytes(root));
  }

  @Test
  void testPathsCannotLeaveTheMount() throws IOException {
    write("memory.max", "1\n");
    write("sys/fs/cgroup/cgroup.controllers", "memory\n");
    write("proc/self/cgroup", "0::/../../..\n");
    assertEquals(NONE, CgroupMemory.limitInBytes(root));
  }

  @Test
  void testReadsTheMachinesMemory() throws IOException {
    write("proc/meminfo", "MemTotal:       67108864 kB\nMemFree: 1 kB\n");
    MemoryBudget.Inputs inputs = MemoryBudget.Inputs.read(NONE, NONE, GIB, root);
    assertEquals(OptionalLong.of(64 * GIB), inputs.machineBytes());
    assertEquals(16 * GIB, MemoryBudget.compute(inputs).bytes());
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
