package io.ariadne.io.gds;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.Closer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ranges of device memory that are registered with cuFile, by their addresses. Thread-safe. */
final class RegisteredBuffers {
  private static final Logger LOG = LoggerFactory.getLogger(RegisteredBuffers.class);

  private final Backend backend;
  private final CuFileDriver driver;
  private final long patienceMillis;
  private final ConcurrentSkipListMap<Long, Range> ranges = new ConcurrentSkipListMap<>();

  /**
   * Creates a registry.
   *
   * @param backend owns the device
   * @param driver cuFile's driver, or null: then nothing is registered
   * @param patienceMillis how long the end of a registration waits for reads at most
   */
  RegisteredBuffers(Backend backend, CuFileDriver driver, long patienceMillis) {
    this.backend = backend;
    this.driver = driver;
    this.patienceMillis = patienceMillis;
  }

  /** A registered range. */
  private final class Range implements DirectStorage.Registration {
    private final long base;
    private final long bytes;
    private final UseCount uses = new UseCount();

    Range(long base, long bytes) {
      this.base = base;
      this.bytes = bytes;
    }

    @Override
    public String reason() {
      return "";
    }

    @Override
    public void close() {
      if (!ranges.remove(base, this)) {
        return;
      }
      if (backend.lost().isPresent()) {
        return; // with its registrations
      }
      if (!uses.endAll(this, patienceMillis)) {
        throw new IllegalStateException(
            "reads into " + this + " have not ended within " + patienceMillis + " ms");
      }
      backend.prepareThread();
      long status = driver.library().deregisterBuffer(base);
      if (!CuFileErrors.isSuccess(status)) {
        LOG.warn("cuFileBufDeregister of {}: {}", this, CuFileErrors.describe(status));
      }
    }

    @Override
    public String toString() {
      return bytes + " bytes of device memory at 0x" + Long.toHexString(base);
    }
  }

  /** What a caller gets when cuFile does not register a range. */
  private record Refusal(String reason) implements DirectStorage.Registration {
    @Override
    public void close() {
      // There is nothing to end.
    }
  }

  /** Where cuFile reads to, for a time. */
  record Target(long base, long offset, UseCount uses) implements AutoCloseable {
    @Override
    public void close() {
      if (uses != null) {
        uses.end();
      }
    }
  }

  DirectStorage.Registration register(long address, long bytes) {
    if (address <= 0 || bytes <= 0) {
      throw new IllegalArgumentException(bytes + " bytes at address " + address);
    }
    if (driver == null) {
      return new Refusal("cuFile is not used");
    }
    backend.prepareThread();
    long status = driver.library().registerBuffer(address, bytes);
    if (!CuFileErrors.isSuccess(status)) {
      String reason = CuFileErrors.describe(status);
      LOG.info(
          "{} bytes of device memory are not registered with cuFile, which is slower: {}",
          bytes,
          reason);
      return new Refusal(reason);
    }
    Range range = new Range(address, bytes);
    ranges.put(address, range);
    return range;
  }

  /**
   * Finds the registration of a range.
   *
   * @return where cuFile reads to, closed by the caller after the read
   */
  Target target(long address, long bytes) {
    Map.Entry<Long, Range> below = ranges.floorEntry(address);
    if (below != null) {
      Range range = below.getValue();
      long offset = address - range.base;
      if (bytes <= range.bytes - offset && range.uses.begin()) {
        return new Target(range.base, offset, range.uses);
      }
    }
    return new Target(address, 0, null);
  }

  /** Ends all registrations. */
  void close(Closer closer) {
    ranges.values().forEach(closer::close);
  }
}
