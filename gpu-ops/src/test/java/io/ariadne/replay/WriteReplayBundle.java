package io.ariadne.replay;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.abi.KernelCatalog;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the replay bundle: {@code ./mvnw -Preplay-bundle -pl gpu-ops -am process-test-classes
 * -Dreplay.bundle=FILE}.
 */
public final class WriteReplayBundle {

  private static final long SEED = 20_240_901;
  private static final long MEMORY_LIMIT = 4L << 30;
  private static final long MAX_BUNDLE_BYTES = 60L << 20;

  private WriteReplayBundle() {}

  /**
   * Writes one bundle.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    try (MemoryPool pool = MemoryPools.host("replay", MEMORY_LIMIT);
        HostBackend host = HostBackend.open();
        EmulatedBackend emulated = EmulatedBackend.open(SEED)) {
      write(file, pool, host, emulated);
    }
    long size = Files.size(file);
    if (size > MAX_BUNDLE_BYTES) {
      throw new IllegalStateException(file + " has " + size + " bytes, over the limit");
    }
    System.out.println(file + ": " + size + " bytes");
  }

  /** Returns the cases that are made for replay, the same at every call. */
  static List<ReplayCase> cases() {
    Random random = new Random(SEED);
    List<ReplayCase> cases = new ArrayList<>();
    cases.addAll(LitmusCases.all());
    cases.addAll(UnpackCases.all(random));
    cases.addAll(TileCases.all(random));
    cases.addAll(GroupCases.all(random));
    cases.addAll(ParquetCases.all(random));
    return cases;
  }

  private static void write(
      Path file, BufferAllocator allocator, HostBackend host, EmulatedBackend emulated)
      throws IOException {
    BufferAllocator emulatedAllocator = EmulatedBackend.allocator(allocator);
    List<ReplayCase> recorded = RecordedCases.record(allocator, SEED);
    requireEveryKernel(recorded);
    try (BundleWriter bundle = new BundleWriter(file)) {
      for (ReplayCase replayCase : cases()) {
        List<List<byte[]>> results = run(emulated, emulatedAllocator, replayCase);
        if (!replayCase.isLitmus()) {
          requireEqual(replayCase, run(host, allocator, replayCase), results);
        }
        bundle.addCase(family(replayCase.kernel()), replayCase, results);
      }
      for (ReplayCase replayCase : recorded) { // any run leaves the bytes that they compare
        bundle.addCase(
            family(replayCase.kernel()), replayCase, run(emulated, emulatedAllocator, replayCase));
      }
    }
  }

  private static void requireEveryKernel(List<ReplayCase> recorded) {
    Set<String> found = recorded.stream().map(ReplayCase::kernel).collect(Collectors.toSet());
    List<String> missing =
        KernelCatalog.FAMILIES.stream()
            .flatMap(family -> family.kernels().stream())
            .map(KernelCatalog.Kernel::name)
            .filter(kernel -> !found.contains(kernel))
            .toList();
    if (!missing.isEmpty()) {
      throw new IllegalStateException("no launch was recorded of " + missing);
    }
  }

  private static List<List<byte[]>> run(
      Backend backend, BufferAllocator allocator, ReplayCase replayCase) {
    try (LoadedCase loaded = new LoadedCase(backend, allocator, replayCase)) {
      loaded.run();
      return loaded.results();
    }
  }

  private static void requireEqual(
      ReplayCase replayCase, List<List<byte[]>> host, List<List<byte[]>> emulated) {
    for (int i = 0; i < host.size(); i++) {
      for (int j = 0; j < host.get(i).size(); j++) {
        if (!Arrays.equals(host.get(i).get(j), emulated.get(i).get(j))) {
          throw new IllegalStateException(
              replayCase.name()
                  + ": "
                  + replayCase.buffer(i).name()
                  + " differs between host and emulated GPU");
        }
      }
    }
  }

  /** Returns the file that a kernel is compiled from, without suffix. */
  static String family(String kernel) {
    return KernelCatalog.FAMILIES.stream()
        .filter(family -> family.kernels().stream().anyMatch(k -> k.name().equals(kernel)))
        .map(KernelCatalog.Family::name)
        .findFirst()
        .orElse(LitmusCases.FAMILY);
  }
}
