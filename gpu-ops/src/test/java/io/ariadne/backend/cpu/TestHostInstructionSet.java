package io.ariadne.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestHostInstructionSet {

  private static final String HASWELL =
      "processor\t: 0\nflags\t\t: fpu avx avx2 bmi1 bmi2 f16c fma movbe popcnt\n\n";
  private static final String ICE_LAKE =
      HASWELL.replace("popcnt", "popcnt avx512f avx512bw avx512cd avx512dq avx512vl");
  private static final String GRAVITON = "processor\t: 0\nFeatures\t: fp asimd atomics crc32\n";

  @Test
  void picksTheBestLevelOfTheProcessor() {
    assertEquals(HostInstructionSet.X86_64_V3, select("Linux", "amd64", HASWELL));
    assertEquals(HostInstructionSet.X86_64_V4, select("Linux", "amd64", ICE_LAKE));
    assertEquals(HostInstructionSet.ARM_V8, select("Linux", "aarch64", GRAVITON));
  }

  @Test
  void honoursTheWantedLevel() {
    assertEquals(
        HostInstructionSet.X86_64_V3,
        HostInstructionSet.select("Linux", "amd64", ICE_LAKE, Optional.of("v3")));
  }

  @Test
  void refusesALevelThatTheProcessorLacksAndNamesTheChoices() {
    EngineException e =
        assertThrows(
            EngineException.class,
            () -> HostInstructionSet.select("Linux", "amd64", HASWELL, Optional.of("v4")));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    assertEquals("ariadne.native.isa is v4; this machine can use v3", e.getMessage());
  }

  @Test
  void namesAnUnsupportedMachineInOneLine() {
    for (String[] machine :
        new String[][] {
          {"Mac OS X", "aarch64", ""},
          {"Windows 11", "amd64", ""},
          {"Linux", "amd64", "flags : fpu sse2\n"},
          {"Linux", "riscv64", ""}
        }) {
      EngineException e =
          assertThrows(
              EngineException.class,
              () ->
                  HostInstructionSet.select(machine[0], machine[1], machine[2], Optional.empty()));
      assertEquals(ErrorCode.UNSUPPORTED, e.code());
      assertTrue(e.getMessage().contains(machine[0] + " on " + machine[1]), e.getMessage());
      assertFalse(e.getMessage().contains("\n"));
    }
  }

  @Test
  void namesWhatTheProcessorLacks() {
    String masked = HASWELL.replace(" fma movbe", "");
    EngineException e = assertThrows(EngineException.class, () -> select("Linux", "amd64", masked));
    assertTrue(e.getMessage().endsWith("; /proc/cpuinfo lacks fma, movbe"), e.getMessage());
  }

  private static HostInstructionSet select(String system, String architecture, String information) {
    return HostInstructionSet.select(system, architecture, information, Optional.empty());
  }
}
