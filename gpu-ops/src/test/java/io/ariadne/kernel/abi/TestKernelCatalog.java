package io.ariadne.kernel.abi;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestKernelCatalog {

  @Test
  void theJarContainsTheCodeOfEveryFamily() {
    for (KernelCatalog.Family family : KernelCatalog.FAMILIES) {
      assertResource(family.name() + ".ptx");
      for (String architecture : KernelCatalog.ARCHITECTURES) {
        assertResource(family.name() + "." + architecture + ".cubin");
      }
    }
  }

  @Test
  void everyKernelHasARecordedBudgetOnEveryArchitecture() throws IOException {
    List<String> budgets = Files.readAllLines(Path.of("src/main/cuda/sass-budgets.tsv"));
    for (KernelCatalog.Family family : KernelCatalog.FAMILIES) {
      for (KernelCatalog.Kernel kernel : family.kernels()) {
        for (String architecture : KernelCatalog.ARCHITECTURES) {
          String key = kernel.name() + "\t" + architecture + "\t";
          assertTrue(
              budgets.stream().anyMatch(line -> line.startsWith(key)),
              () -> "record the budget of " + key + "with -Dariadne.kernels=record");
        }
      }
    }
  }

  private static void assertResource(String name) {
    assertNotNull(
        TestKernelCatalog.class.getResource("/io/ariadne/native/cuda/" + name),
        () -> "missing " + name);
  }
}
