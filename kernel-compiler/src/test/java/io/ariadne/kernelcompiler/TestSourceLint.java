package io.ariadne.kernelcompiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestSourceLint {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x = __atomic_load_n(p, __ATOMIC_ACQUIRE);",
        "x = __atomic_load_n(p, 5);",
        "x = __atomic_fetch_add(\n  f(p), g(1, 2), order);",
        "__sync_fetch_and_add(p, 1);",
        "x = __nvvm_read_ptx_sreg_tid_x();",
        "v = __builtin_ia32_paddd256(a, b);",
        "asm volatile(\"nop\");",
        "__constant__ int table[4];",
        "#if ARIADNE_TARGET_CUDA\nint a;\n#endif",
        "#ifdef __CUDA_ARCH__\n#include \"x.gpu.cuh\"\nint a;\n#endif",
        "#if defined(__AVX512F__)\nint a;\n#endif"
      })
  void refusesOutsideTheTargetLayerOnly(String source) {
    assertFalse(SourceLint.check("tile/x.cuh", source).isEmpty(), source);
    assertEquals(List.of(), SourceLint.check("target/x.cuh", source));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x = __atomic_fetch_add(p, f(1), __ATOMIC_RELAXED);",
        "// __ATOMIC_ACQUIRE is banned here\nint a; /* asm(\"\") */",
        "#pragma once\n#if FOO\n#endif",
        "#if ARIADNE_TARGET_HOST\n#include \"x.host.cuh\"\n#else\n#include \"x.gpu.cuh\"\n#endif",
        "const char* text = \"// not a comment\"; int million = 1'000'000;"
      })
  void accepts(String source) {
    assertEquals(List.of(), SourceLint.check("tile/x.cuh", source));
  }

  @Test
  void namesFileAndLine() {
    String fault = SourceLint.check("tile/x.cuh", "int a;\n\n__sync_synchronize();\n").get(0);
    assertTrue(fault.startsWith("tile/x.cuh:3: "), fault);
  }

  @Test
  void limitsLengthExceptOfTables() {
    assertEquals(1, SourceLint.checkSize("a.cuh", "x".repeat(101)).size());
    assertEquals(1, SourceLint.checkSize("a.cuh", "\n".repeat(600) + "x").size());
    assertEquals(0, SourceLint.checkSize("a.def", "x".repeat(101)).size());
  }
}
