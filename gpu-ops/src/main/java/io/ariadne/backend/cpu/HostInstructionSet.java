package io.ariadne.backend.cpu;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processor levels for which the jar has a library of kernels, best first. The libraries do not
 * use LZCNT (the flag {@code abm}), because some hypervisors hide it from guests that have AVX-512.
 */
public enum HostInstructionSet {
  /** x86-64 with AVX-512 F, BW, CD, DQ and VL, besides everything of v3. */
  X86_64_V4(
      "v4",
      "x86-64-v4",
      "amd64",
      "linux-x86_64/libariadne_v4.so",
      "avx512f avx512bw avx512cd avx512dq avx512vl avx2 bmi1 bmi2 f16c fma movbe"),
  /** x86-64 with AVX2, FMA and BMI: every server processor since about 2013. */
  X86_64_V3(
      "v3", "x86-64-v3", "amd64", "linux-x86_64/libariadne_v3.so", "avx2 bmi1 bmi2 f16c fma movbe"),
  /** 64-bit Arm with the atomics of version 8.1; built but not yet run on such a machine. */
  ARM_V8("armv8", "aarch64-v8.2", "aarch64", "linux-aarch64/libariadne_armv8.so", "atomics");

  private final String shortName;
  private final String displayName;
  private final String architecture;
  private final String resource;
  private final List<String> features;

  HostInstructionSet(
      String shortName, String displayName, String architecture, String resource, String features) {
    this.shortName = shortName;
    this.displayName = displayName;
    this.architecture = architecture;
    this.resource = resource;
    this.features = List.of(features.split(" "));
  }

  /** Returns the name for logs, for example {@code x86-64-v3}. */
  public String displayName() {
    return displayName;
  }

  /** Returns the name used in settings: {@code v4}, {@code v3} or {@code armv8}. */
  public String shortName() {
    return shortName;
  }

  /** Returns the path of the library below {@code io/ariadne/native} on the class path. */
  String resource() {
    return resource;
  }

  /**
   * Returns the best level that a machine has, or the wanted one.
   *
   * @param operatingSystem value of {@code os.name}
   * @param architecture value of {@code os.arch}
   * @param processorInformation content of {@code /proc/cpuinfo}
   * @param wanted short name of the level to use instead of the best one, if any
   * @throws EngineException UNSUPPORTED when the machine has none, CONFIGURATION when the wanted
   *     level is unknown or the machine lacks it; the message is one line
   */
  static HostInstructionSet select(
      String operatingSystem,
      String architecture,
      String processorInformation,
      Optional<String> wanted) {
    List<HostInstructionSet> usable =
        Arrays.stream(values())
            .filter(level -> operatingSystem.toLowerCase(Locale.ROOT).startsWith("linux"))
            .filter(level -> level.architecture.equals(architecture))
            .filter(level -> features(processorInformation).containsAll(level.features))
            .toList();
    if (usable.isEmpty()) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED,
          "no native kernels for this machine: "
              + operatingSystem
              + " on "
              + architecture
              + " is not Linux on x86-64 with AVX2 (x86-64-v3) or on 64-bit Arm with LSE atomics"
              + missing(architecture, features(processorInformation)));
    }
    if (wanted.isEmpty()) {
      return usable.get(0);
    }
    return usable.stream()
        .filter(level -> level.shortName.equals(wanted.get()))
        .findFirst()
        .orElseThrow(
            () ->
                new EngineException(
                    ErrorCode.CONFIGURATION,
                    NativeLibrary.INSTRUCTION_SET_PROPERTY
                        + " is "
                        + wanted.get()
                        + "; this machine can use "
                        + shortNames(usable)));
  }

  /** Names the features of the lowest level of an architecture that a processor lacks. */
  private static String missing(String architecture, Set<String> present) {
    return Arrays.stream(values())
        .filter(level -> level.architecture.equals(architecture))
        .reduce((better, least) -> least)
        .map(least -> least.features.stream().filter(f -> !present.contains(f)).toList())
        .filter(absent -> !absent.isEmpty())
        .map(absent -> "; /proc/cpuinfo lacks " + String.join(", ", absent))
        .orElse("");
  }

  private static String shortNames(List<HostInstructionSet> levels) {
    return levels.stream().map(HostInstructionSet::shortName).collect(Collectors.joining(", "));
  }

  /** Returns the features of the first processor; "flags" on x86-64, "Features" on Arm. */
  private static Set<String> features(String processorInformation) {
    return processorInformation
        .lines()
        .filter(line -> line.startsWith("flags") || line.startsWith("Features"))
        .findFirst()
        .map(line -> Set.of(line.substring(line.indexOf(':') + 1).strip().split("\\s+")))
        .orElse(Set.of());
  }
}
