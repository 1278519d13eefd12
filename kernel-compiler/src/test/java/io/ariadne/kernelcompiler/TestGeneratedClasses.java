package io.ariadne.kernelcompiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestGeneratedClasses {

  @Test
  void writesOpcodesInTheOrderOfTheDefinitions() {
    String java =
        OpcodeClassWriter.source(
            "Op", "// comment\nOPCODE(ADD, 7, \"a < b & c\")\n\nOPCODE(SUB, 2, \"\")\n");
    assertTrue(java.contains("  /** a &lt; b &amp; c */\n  ADD(7),\n"), java);
    assertTrue(java.contains("  SUB(2);\n"), java);
  }

  @Test
  void refusesOpcodesThatCannotBeOneByteOfTheirOwn() {
    for (String definitions :
        new String[] {
          "OPCODE(A, 1, \"\")\nOPCODE(B, 1, \"\")",
          "OPCODE(A, 1, \"\")\nOPCODE(A, 2, \"\")",
          "OPCODE(A, 256, \"\")",
          "OPCODE(A, x, \"\")",
          ""
        }) {
      assertThrows(KernelBuildException.class, () -> OpcodeClassWriter.source("Op", definitions));
    }
  }

  @Test
  void readsEnumsWithLiteralValues() {
    Optional<Map<String, Integer>> values =
        EnumClassWriter.find(
            "kind", "enum class kind : u32 {\n  bits = 1,  // a, b\n  wide = 0x10,\n};");
    assertEquals(Optional.of(Map.of("bits", 1, "wide", 16)), values);
    assertEquals(Optional.empty(), EnumClassWriter.find("kind", "enum kinds { a = 1 };"));
    assertThrows(
        KernelBuildException.class, () -> EnumClassWriter.find("kind", "enum kind { a, b };"));
  }

  @Test
  void writesEnumConstants() {
    String java = EnumClassWriter.source("column_kind", Map.of("bits", 1));
    assertTrue(java.contains("public final class ColumnKind {"), java);
    assertTrue(java.contains("public static final int BITS = 1;"), java);
  }
}
