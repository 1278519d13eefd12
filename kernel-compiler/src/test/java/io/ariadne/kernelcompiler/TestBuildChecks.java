package io.ariadne.kernelcompiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestBuildChecks {

  private static final SassReport.Usage USAGE =
      new SassReport.Usage("scan", "sm_80", 40, 0, 0, 1000, 800, 4);

  @TempDir Path folder;

  @Test
  void readsDepfilesWithContinuationsAndBlanks() {
    assertEquals(
        List.of(Path.of("/a/x.cu"), Path.of("/a b/y.cuh"), Path.of("/z.h")),
        Depfile.parse("object: /a/x.cu \\\n  /a\\ b/y.cuh \\\n  /z.h\n"));
  }

  @Test
  void holdsImportsAndExportsToTheLists() {
    String listing =
        """
                         U memcpy
                         U __divti3
                         w __gmon_start__
        0000000000001000 T Java_io_ariadne_backend_cpu_NativeHost_launch
        0000000000001010 T leaked
        """;
    assertEquals(
        List.of(
            "x.so needs __divti3, which no kernel may use",
            "x.so needs __gmon_start__, which no kernel may use",
            "x.so exports leaked; only JNI functions may be visible"),
        SymbolCheck.HOST.faults("x.so", listing));
  }

  @Test
  void readsKernelsAndFaultsOfPtx() {
    String ptx =
        """
        .extern .func  (.param .b32 func_retval0) vprintf
        (
        .visible .entry scan(
          .param .align 8 .b8 scan_param_0[16]
        )
        .maxntid 128
        {
          // items 4
          ld.relaxed.sys.global.u32 %r1, [%rd4];
        }
        .visible .entry sum(
        )
        {
        }
        """;
    assertEquals(
        List.of(new PtxText.Kernel("scan", 128, 4), new PtxText.Kernel("sum", 256, 1)),
        PtxText.kernels(ptx));
    assertEquals(2, PtxText.faults("f", ptx).size());
  }

  @Test
  void hardLimitsCannotBeRecordedAway() {
    assertEquals(List.of(), SassBudgets.limitFaults(USAGE, 256));
    assertEquals(1, SassBudgets.limitFaults(USAGE, 512).size());
    SassReport.Usage spilling = new SassReport.Usage("scan", "sm_80", 65, 4, 8, 1000, 800, 4);
    assertEquals(3, SassBudgets.limitFaults(spilling, 256).size());
  }

  @Test
  void budgetsHoldARecordedKernelToItsRecord() throws Exception {
    Path file = folder.resolve("budgets.tsv");
    SassBudgets.write(file, List.of(USAGE));
    SassBudgets budgets = SassBudgets.read(file);
    assertTrue(budgets.isRecorded(USAGE));
    assertEquals(List.of(), budgets.budgetFaults(USAGE));
    assertEquals(
        List.of(
            "scan on sm_80 uses 41 registers; recorded 40",
            "scan on sm_80 has 1251 instructions; recorded 1000",
            "scan on sm_80 has 251.0 instructions in loops per row; recorded 200.0"),
        budgets.budgetFaults(new SassReport.Usage("scan", "sm_80", 41, 0, 0, 1251, 1004, 4)));
    SassReport.Usage other = new SassReport.Usage("sum", "sm_80", 255, 0, 0, 9, 0, 1);
    assertEquals(List.of(), budgets.budgetFaults(other));
    assertTrue(!budgets.isRecorded(other));
  }

  @Test
  void writesOnlyChangedFiles() throws Exception {
    Path file = folder.resolve("a.txt");
    TextFiles.writeIfChanged(file, "one");
    var time = java.nio.file.attribute.FileTime.fromMillis(1000);
    Files.setLastModifiedTime(file, time);
    TextFiles.writeIfChanged(file, "one");
    assertEquals(time, Files.getLastModifiedTime(file));
    TextFiles.writeIfChanged(file, "two");
    assertEquals("two", Files.readString(file));
  }
}
