package io.ariadne.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.kernel.abi.KernelCatalog;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TestKernelTable {

  private final KernelTable table = KernelTable.ofHost();

  @Test
  void argumentsOfTheLibraryHaveTheSizeOfTheGeneratedLayouts() throws Exception {
    assertFalse(table.entries().isEmpty());
    for (KernelTable.Entry entry : table.entries()) {
      Class<?> layout = Class.forName("io.ariadne.kernel.abi." + layoutOf(entry.argumentsName()));
      assertEquals(
          layout.getField("SIZE_IN_BYTES").getInt(null),
          entry.argumentsSizeInBytes(),
          entry.name());
      assertEquals(0, layout.getField("STATUS_OFFSET").getInt(null), entry.name());
    }
  }

  @Test
  void everyKernelHasAFunctionAndALaunchShape() {
    for (KernelTable.Entry entry : table.entries()) {
      assertNotEquals(0, entry.address());
      assertEquals(0, entry.blockSize() % 32, entry.name());
      assertTrue(entry.itemsPerThread() > 0, entry.name());
    }
  }

  @Test
  void hostAndGpuCodeHaveTheSameKernels() {
    Set<String> host =
        table.entries().stream().map(KernelTable.Entry::name).collect(Collectors.toSet());
    Set<String> gpu =
        KernelCatalog.FAMILIES.stream()
            .flatMap(family -> family.kernels().stream())
            .map(KernelCatalog.Kernel::name)
            .collect(Collectors.toSet());
    assertEquals(host, gpu);
  }

  @Test
  void absentKernelIsEmpty() {
    assertTrue(table.find("no_such_kernel").isEmpty());
  }

  private static String layoutOf(String structName) {
    return Arrays.stream(structName.split("_"))
            .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
            .collect(Collectors.joining())
        + "Layout";
  }
}
