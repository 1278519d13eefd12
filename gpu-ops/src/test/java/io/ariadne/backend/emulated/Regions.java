package io.ariadne.backend.emulated;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The memory that kernels under the emulator may touch, which both sides of it know. */
final class Regions {
  private static final ConcurrentSkipListMap<Long, Long> LENGTHS = new ConcurrentSkipListMap<>();

  private Regions() {}

  static void add(long base, long lengthInBytes) {
    NativeEmulator.addRegion(base, lengthInBytes);
    LENGTHS.put(base, lengthInBytes);
  }

  static void remove(long base) {
    LENGTHS.remove(base);
    NativeEmulator.removeRegion(base);
  }

  /**
   * Returns the region that an address lies in; empty for an address that kernels must not access.
   */
  static Optional<EmulatedBackend.Region> find(long address) {
    Map.Entry<Long, Long> below = LENGTHS.floorEntry(address);
    return below != null && address - below.getKey() < below.getValue()
        ? Optional.of(new EmulatedBackend.Region(below.getKey(), below.getValue()))
        : Optional.empty();
  }
}
