package io.ariadne.io.gds;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of the process with cuFile's driver. Thread-safe. A process has one session: it opens
 * with the first user and closes with the last.
 */
final class CuFileDriver {
  private static final Logger LOG = LoggerFactory.getLogger(CuFileDriver.class);

  private static final Object LOCK = new Object();

  @GuardedBy("LOCK")
  private static CuFileDriver opened;

  @GuardedBy("LOCK")
  private static int users;

  private final CuFileLibrary library;
  private final CuFileProperties properties;
  private final int version;
  private final boolean refusesCompatibility;
  private volatile boolean isKept;

  private CuFileDriver(
      CuFileLibrary library,
      CuFileProperties properties,
      int version,
      boolean refusesCompatibility) {
    this.library = library;
    this.properties = properties;
    this.version = version;
    this.refusesCompatibility = refusesCompatibility;
  }

  /**
   * Opens the session unless it is open. The calling thread has a CUDA context.
   *
   * @return the session, to be given back with {@link #release}
   * @throws CuFileUnavailableException when cuFile is missing or refuses
   */
  static CuFileDriver acquire() throws CuFileUnavailableException {
    synchronized (LOCK) {
      if (opened == null) {
        opened = open(CuFileLibrary.bind());
      }
      users++;
      return opened;
    }
  }

  private static CuFileDriver open(CuFileLibrary library) throws CuFileUnavailableException {
    boolean refusesCompatibility = library.refuseCompatibility();
    int version = library.version();
    long status = library.openDriver();
    if (!CuFileErrors.isSuccess(status)) {
      boolean hasOnlyCompatibility =
          refusesCompatibility && CuFileErrors.error(status) == CuFileErrors.DRIVER_NOT_INITIALIZED;
      throw new CuFileUnavailableException(
          hasOnlyCompatibility ? DirectStorage.Mode.COMPATIBILITY : DirectStorage.Mode.BOUNCE,
          "cuFileDriverOpen: " + CuFileErrors.describe(status));
    }
    try {
      CuFileProperties properties = library.properties();
      if (!properties.isDirect()) {
        throw new CuFileUnavailableException(
            DirectStorage.Mode.COMPATIBILITY,
            "the kernel module nvidia-fs is not loaded, and cuFile itself would copy through the"
                + " host");
      }
      return new CuFileDriver(library, properties, version, refusesCompatibility);
    } catch (CuFileUnavailableException e) {
      close(library);
      throw e;
    }
  }

  /** Ends the use of the session. The last user closes it, after all its registrations. */
  void release() {
    synchronized (LOCK) {
      users--;
      if (users == 0) {
        opened = null;
        if (!isKept) {
          close(library);
        }
      }
    }
  }

  /** Keeps the session open until the process ends, because cuFile may still read. */
  void keepOpen() {
    isKept = true;
  }

  private static void close(CuFileLibrary library) {
    long status = library.closeDriver();
    if (!CuFileErrors.isSuccess(status)) {
      // It ends with the process at the latest.
      LOG.warn("cuFileDriverClose: {}", CuFileErrors.describe(status));
    }
  }

  CuFileLibrary library() {
    return library;
  }

  CuFileProperties properties() {
    return properties;
  }

  /** Returns whether batches can be used. */
  boolean hasBatches() {
    return properties.hasBatches() && library.has(CuFileFunction.BATCHES);
  }

  /** Returns whether reads can be queued on CUDA streams. */
  boolean hasStreams() {
    return properties.hasStreams() && library.has(CuFileFunction.STREAMS);
  }

  /** Returns whether cuFile may copy through the host without saying so. */
  boolean mayCopyUnseen() {
    return !refusesCompatibility && properties.allowsCompatibility();
  }

  /** Describes library and kernel module, in part of a line. */
  String description() {
    String module =
        properties.major() == 0 && properties.minor() == 0
            ? "the kernel's peer-to-peer transfers"
            : "nvidia-fs " + properties.major() + "." + properties.minor();
    return "cuFile "
        + CuFileLibrary.versionText(version)
        + ", "
        + module
        + (hasBatches() ? "" : ", no batches")
        + (mayCopyUnseen() ? ", which may copy through the host without saying so" : "");
  }
}
