package io.ariadne.io.gds;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.cpu.NativeLibrary;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * NVIDIA's libcufile, bound when it is first needed. Thread-safe; the library stays loaded.
 *
 * <p>Whatever is missing or too old is a reason, never a failure of the process.
 *
 * <p>Source: NVIDIA, cuFile API Reference Guide.
 */
final class CuFileLibrary {
  /** System property: the only name or path under which the library is looked for; for tests. */
  static final String LIBRARY_PROPERTY = "ariadne.cufile.library";

  /** 1000 * major + 10 * minor of the oldest library that is used, of CUDA 12.3. */
  static final int LEAST_VERSION = 1080;

  private static final List<String> NAMES =
      List.of("libcufile.so.0", "libcufile.so", "/usr/local/cuda/lib64/libcufile.so.0");

  private static final int REASON_BYTES = 512;

  /** {@code CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE}. */
  private static final int ALLOW_COMPATIBILITY = 1;

  private final Map<CuFileFunction, Long> addresses;

  private CuFileLibrary(Map<CuFileFunction, Long> addresses) {
    this.addresses = addresses;
  }

  /**
   * Loads the library and finds its functions.
   *
   * @throws CuFileUnavailableException when it is missing, incomplete or too old
   */
  static CuFileLibrary bind() throws CuFileUnavailableException {
    try {
      NativeLibrary.load();
      CuFileLibrary library = new CuFileLibrary(symbols(loadAny()));
      library.checkVersion();
      return library;
    } catch (EngineException | UnsatisfiedLinkError e) {
      throw new CuFileUnavailableException("no native library: " + e.getMessage(), e);
    }
  }

  private static long loadAny() throws CuFileUnavailableException {
    String only = System.getProperty(LIBRARY_PROPERTY);
    List<String> reasons = new ArrayList<>();
    for (String name : only == null ? NAMES : List.of(only)) {
      try (ArgumentBlock reason = new ArgumentBlock(REASON_BYTES);
          ArgumentBlock text = text(name)) {
        long library = CuFileNative.load(text.address(), reason.address(), REASON_BYTES);
        if (library != 0) {
          return library;
        }
        reasons.add(string(reason.address(), REASON_BYTES));
      }
    }
    throw new CuFileUnavailableException("libcufile cannot be loaded: " + reasons.get(0));
  }

  private static Map<CuFileFunction, Long> symbols(long library) throws CuFileUnavailableException {
    Map<CuFileFunction, Long> found = new EnumMap<>(CuFileFunction.class);
    for (CuFileFunction function : CuFileFunction.values()) {
      for (String symbol : function.symbols()) {
        try (ArgumentBlock name = text(symbol)) {
          long address = CuFileNative.symbol(library, name.address());
          if (address != 0) {
            found.putIfAbsent(function, address);
          }
        }
      }
      if (function.isRequired() && !found.containsKey(function)) {
        throw new CuFileUnavailableException(
            "libcufile has no "
                + function.symbols().get(0)
                + ": it is older than 1.8, which CUDA 12.3 has");
      }
    }
    return found;
  }

  private void checkVersion() throws CuFileUnavailableException {
    int version = version();
    if (version < LEAST_VERSION) {
      throw new CuFileUnavailableException(
          "libcufile is of version " + versionText(version) + ", older than 1.8 of CUDA 12.3");
    }
  }

  private static ArgumentBlock text(String value) {
    return text(value, StandardCharsets.UTF_8);
  }

  /** Returns NUL-terminated text in native memory, to be closed by the caller. */
  static ArgumentBlock text(String value, Charset charset) {
    byte[] bytes = value.getBytes(charset);
    ArgumentBlock block = new ArgumentBlock(bytes.length + 1);
    Memory.copy(bytes, 0, block.address(), bytes.length);
    return block;
  }

  private static String string(long address, int capacity) {
    int length = 0;
    while (length < capacity && Memory.getByte(address + length) != 0) {
      length++;
    }
    byte[] bytes = new byte[length];
    Memory.copy(address, bytes, 0, length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns a version of the library as people write it. */
  static String versionText(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }

  /** Returns whether all of some functions are there. */
  boolean has(List<CuFileFunction> functions) {
    return addresses.keySet().containsAll(functions);
  }

  /** Returns 1000 * major + 10 * minor, or 0 when the library does not say. */
  int version() throws CuFileUnavailableException {
    try (ArgumentBlock version = new ArgumentBlock(Integer.BYTES)) {
      long status = CuFileNative.callWithAddress(at(CuFileFunction.GET_VERSION), version.address());
      if (!CuFileErrors.isSuccess(status)) {
        throw new CuFileUnavailableException("cuFileGetVersion: " + CuFileErrors.describe(status));
      }
      return version.getInt(0);
    }
  }

  /**
   * Asks cuFile to refuse files without a direct path instead of copying through the host unseen.
   * Before the driver is open.
   *
   * @return whether cuFile does so
   */
  boolean refuseCompatibility() {
    return addresses.containsKey(CuFileFunction.SET_BOOLEAN)
        && CuFileErrors.isSuccess(
            CuFileNative.setBoolean(at(CuFileFunction.SET_BOOLEAN), ALLOW_COMPATIBILITY, false));
  }

  long openDriver() {
    return CuFileNative.callPlain(at(CuFileFunction.DRIVER_OPEN));
  }

  long closeDriver() {
    return CuFileNative.callPlain(at(CuFileFunction.DRIVER_CLOSE));
  }

  CuFileProperties properties() throws CuFileUnavailableException {
    try (ArgumentBlock properties = new ArgumentBlock(CuFileProperties.SIZE)) {
      long status =
          CuFileNative.callWithAddress(
              at(CuFileFunction.DRIVER_GET_PROPERTIES), properties.address());
      if (!CuFileErrors.isSuccess(status)) {
        throw new CuFileUnavailableException(
            "cuFileDriverGetProperties: " + CuFileErrors.describe(status));
      }
      return CuFileProperties.at(properties.address());
    }
  }

  /** Registers a descriptor; see {@link CuFileNative#handleRegister}. */
  long registerHandle(int descriptor, long handleAddress) {
    return CuFileNative.handleRegister(
        at(CuFileFunction.HANDLE_REGISTER), descriptor, handleAddress);
  }

  void deregisterHandle(long handle) {
    CuFileNative.handleDeregister(at(CuFileFunction.HANDLE_DEREGISTER), handle);
  }

  long registerBuffer(long address, long bytes) {
    return CuFileNative.bufferRegister(at(CuFileFunction.BUFFER_REGISTER), address, bytes);
  }

  long deregisterBuffer(long address) {
    return CuFileNative.bufferDeregister(at(CuFileFunction.BUFFER_DEREGISTER), address);
  }

  /** Reads; see {@link CuFileNative#read}. */
  long read(long handle, long base, long bytes, long position, long offset) {
    return CuFileNative.read(at(CuFileFunction.READ), handle, base, bytes, position, offset);
  }

  long setUpBatch(long batchAddress, int entries) {
    return CuFileNative.batchSetUp(at(CuFileFunction.BATCH_SET_UP), batchAddress, entries);
  }

  long submitBatch(long batch, int entries, long parameters) {
    return CuFileNative.batchSubmit(at(CuFileFunction.BATCH_SUBMIT), batch, entries, parameters);
  }

  /** Waits for entries; see {@link CuFileNative#batchStatus}. */
  long awaitBatch(long batch, int least, long countAddress, long events, long nanos) {
    return CuFileNative.batchStatus(
        at(CuFileFunction.BATCH_GET_STATUS), batch, least, countAddress, events, nanos);
  }

  long cancelBatch(long batch) {
    return CuFileNative.batchCancel(at(CuFileFunction.BATCH_CANCEL), batch);
  }

  void destroyBatch(long batch) {
    CuFileNative.batchDestroy(at(CuFileFunction.BATCH_DESTROY), batch);
  }

  long registerStream(long stream, int flags) {
    return CuFileNative.streamRegister(at(CuFileFunction.STREAM_REGISTER), stream, flags);
  }

  long deregisterStream(long stream) {
    return CuFileNative.streamDeregister(at(CuFileFunction.STREAM_DEREGISTER), stream);
  }

  /** Queues a read; see {@link CuFileNative#readAsync}. */
  long readAsync(long handle, long base, long request, long stream) {
    return CuFileNative.readAsync(at(CuFileFunction.READ_ASYNC), handle, base, request, stream);
  }

  private long at(CuFileFunction function) {
    Long address = addresses.get(function);
    if (address == null) {
      throw new IllegalStateException("libcufile has no " + function.symbols().get(0));
    }
    return address;
  }
}
