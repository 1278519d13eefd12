package io.ariadne.kernelcompiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TestRecordLayouts {

  private static final String DUMP =
      """
      *** Dumping AST Record Layout
               0 | struct ns::view
               0 |   const void * data
               8 |   u32 kind
                 | [sizeof=16, dsize=16, align=16,
                 |  nvsize=16, nvalign=16]

      *** Dumping AST Record Layout
               0 | struct ns::inner<3>
               0 |   int[3] z
                 | [sizeof=12, dsize=12, align=4,
                 |  nvsize=12, nvalign=4]

      *** Dumping AST Record Layout
               0 | struct scan_args
               0 |   kernel_status * status
              16 |   view[4] inputs
              80 |   struct ns::view one
              80 |     const void * data
              88 |     u32 kind
              96 |   u64 *const * heaps
             104 |   int[2][3] grid
             128 |   void (*)(int, int) callback
             136 |   u64[2] detail
                 | [sizeof=160, dsize=160, align=16,
                 |  nvsize=160, nvalign=16]
      """;

  private final Map<String, RecordLayout> layouts = RecordLayouts.parse(DUMP);

  @Test
  void readsNamedStructsOnly() {
    assertEquals(2, layouts.size());
    assertEquals("ns::view", layouts.get("view").qualifiedName());
    assertEquals(16, layouts.get("view").alignmentInBytes());
    assertEquals(160, layouts.get("scan_args").sizeInBytes());
  }

  @Test
  void readsDirectFieldsOnly() {
    assertEquals(
        "status 0, inputs 16, one 80, heaps 96, grid 104, callback 128, detail 136",
        String.join(
            ", ",
            layouts.get("scan_args").fields().stream()
                .map(field -> field.name() + " " + field.offsetInBytes())
                .toList()));
  }

  @Test
  void readsLengthsOfOneDimensionalArrays() {
    assertEquals(OptionalInt.of(4), layouts.get("scan_args").fields().get(1).length());
    assertEquals(OptionalInt.empty(), layouts.get("scan_args").fields().get(4).length());
  }

  @Test
  void writesOffsetsLengthsAndStrides() {
    String java = new LayoutClassWriter(layouts).source(layouts.get("scan_args"));
    assertTrue(java.contains("public final class ScanArgsLayout {"));
    assertTrue(java.contains("int SIZE_IN_BYTES = 160;"));
    assertTrue(java.contains("int INPUTS_OFFSET = 16;"));
    assertTrue(java.contains("int INPUTS_LENGTH = 4;"));
    assertTrue(java.contains("int INPUTS_STRIDE = 16;"));
    assertTrue(java.contains("int DETAIL_STRIDE = 8;"));
    assertFalse(java.contains("KIND_OFFSET"));
  }
}
