package io.ariadne.io.gds;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.buffer.Closer;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that are open for cuFile. There are so many at most, plus those that are being read: of the
 * others the least recently read ones are closed, and opened again when they are read again.
 * Thread-safe.
 */
final class RegisteredFiles {
  private static final int READ_ONLY_CLOSE_ON_EXEC = 0x80000;

  /** {@code O_DIRECT}, which depends on the processor. */
  private static final int DIRECT =
      System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;

  private static final int INVALID = -22;

  /** How the JVM encodes names of files. */
  private static final Charset FILE_NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private final CuFileDriver driver;
  private final FileSystems fileSystems;
  private final int limit;

  @GuardedBy("this")
  private final Map<Object, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  @GuardedBy("this")
  private boolean closed;

  RegisteredFiles(CuFileDriver driver, FileSystems fileSystems, int limit) {
    this.driver = driver;
    this.fileSystems = fileSystems;
    this.limit = limit;
  }

  /** A registered file. */
  private static final class Entry {
    final int descriptor;
    final long handle;
    final long device;

    /** Reads that use it; guarded by the registry. */
    int uses;

    /** Whether it ends with its last use; guarded by the registry. */
    boolean isRemoved;

    Entry(int descriptor, long handle, long device) {
      this.descriptor = descriptor;
      this.handle = handle;
      this.device = device;
    }
  }

  /** A use of a registered file. */
  final class Lease implements AutoCloseable {
    private final Entry entry;
    private boolean isKept;

    private Lease(Entry entry) {
      this.entry = entry;
    }

    /** Returns cuFile's handle. */
    long handle() {
      return entry.handle;
    }

    /** Returns the number of the device that the file is on. */
    long device() {
      return entry.device;
    }

    /** Keeps the file open until the process ends, because cuFile may still read it. */
    void keepOpen() {
      isKept = true;
    }

    @Override
    public void close() {
      if (!isKept) {
        endUse(entry);
      }
    }
  }

  /** cuFile does not read a file directly; the message is the reason. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
      super(reason);
    }
  }

  /**
   * Returns a use of a file, which is opened and registered unless it is.
   *
   * @param owner the reader, one file for each
   * @param path the file's path
   * @param identity what the file has to be
   * @return the use, closed by the caller after the read
   * @throws RefusedException when cuFile does not read the file directly, or the path no longer
   *     leads to it
   * @throws IOException when it has been written to
   */
  Lease use(Object owner, Path path, FileIdentity identity) throws IOException, RefusedException {
    synchronized (owner) {
      Entry entry = find(owner);
      if (entry != null) {
        return new Lease(entry);
      }
      Entry made = open(path, identity);
      if (!add(owner, made)) {
        end(made);
        throw new IOException("the runtime for which " + path + " was opened has stopped");
      }
      return new Lease(made);
    }
  }

  private synchronized Entry find(Object owner) {
    Entry entry = entries.get(owner);
    if (entry != null) {
      entry.uses++;
    }
    return entry;
  }

  private boolean add(Object owner, Entry made) {
    List<Entry> ended = new ArrayList<>();
    synchronized (this) {
      if (closed) {
        return false;
      }
      made.uses++;
      entries.put(owner, made);
      Iterator<Entry> eldest = entries.values().iterator();
      while (entries.size() > limit && eldest.hasNext()) {
        Entry entry = eldest.next();
        if (entry.uses == 0) {
          eldest.remove();
          ended.add(entry);
        }
      }
    }
    ended.forEach(this::end);
    return true;
  }

  private Entry open(Path path, FileIdentity identity) throws IOException, RefusedException {
    int descriptor = openDescriptor(path);
    boolean isRegistered = false;
    try {
      FileIdentity found = FileIdentity.of(descriptor);
      check(path, identity, found);
      long device = FileSystems.deviceOf(FileIdentity.pathOf(descriptor));
      String reason = fileSystems.reasonAgainst(device, path);
      if (!reason.isEmpty()) {
        throw new RefusedException(reason);
      }
      Entry entry = new Entry(descriptor, register(descriptor, device, path), device);
      isRegistered = true;
      return entry;
    } finally {
      if (!isRegistered) {
        CuFileNative.closeFile(descriptor);
      }
    }
  }

  /** Compares what a path leads to with the file that the local reader has opened. */
  private static void check(Path path, FileIdentity expected, FileIdentity found)
      throws IOException, RefusedException {
    if (!found.isOfSameFile(expected)) {
      // The local reader still has the one that was opened.
      throw new RefusedException("it has been replaced since it was opened");
    }
    if (found.lengthInBytes() != expected.lengthInBytes()) {
      String lengths = expected.lengthInBytes() + " to " + found.lengthInBytes() + " bytes";
      throw new IOException(path + " has changed from " + lengths + " since it was opened");
    }
    if (!found.equals(expected)) {
      throw new IOException(path + " was written to since it was opened");
    }
  }

  private static int openDescriptor(Path path) throws RefusedException {
    try (ArgumentBlock text = CuFileLibrary.text(path.toString(), FILE_NAMES)) {
      long opened = CuFileNative.openFile(text.address(), READ_ONLY_CLOSE_ON_EXEC | DIRECT);
      if (opened == INVALID) {
        // A file system without direct I/O.
        opened = CuFileNative.openFile(text.address(), READ_ONLY_CLOSE_ON_EXEC);
      }
      if (opened < 0) {
        // It was deleted, or the process has too many files open. The local reader has it open.
        String error = CuFileErrors.nameOfResult(opened);
        throw new RefusedException("it cannot be opened once more: " + error);
      }
      return (int) opened;
    }
  }

  private long register(int descriptor, long device, Path path) throws RefusedException {
    try (ArgumentBlock handle = new ArgumentBlock(Long.BYTES)) {
      long status = driver.library().registerHandle(descriptor, handle.address());
      if (CuFileErrors.isSuccess(status)) {
        return handle.getLong(0);
      }
      String reason = "cuFileHandleRegister: " + CuFileErrors.describe(status);
      if (CuFileErrors.isOfFileSystem(CuFileErrors.error(status))) {
        fileSystems.refuse(device, path, reason);
      }
      throw new RefusedException(reason);
    }
  }

  private void endUse(Entry entry) {
    boolean isLast;
    synchronized (this) {
      entry.uses--;
      isLast = entry.isRemoved && entry.uses == 0;
    }
    if (isLast) {
      end(entry);
    }
  }

  /** Closes the file of a reader; reads that use it end before. */
  void remove(Object owner) {
    Entry entry;
    synchronized (this) {
      entry = entries.remove(owner);
      if (entry != null && entry.uses > 0) {
        entry.isRemoved = true;
        return;
      }
    }
    if (entry != null) {
      end(entry);
    }
  }

  private void end(Entry entry) {
    driver.library().deregisterHandle(entry.handle);
    CuFileNative.closeFile(entry.descriptor);
  }

  /** Returns how many files are registered. */
  synchronized int size() {
    return entries.size();
  }

  /** Closes all files; no read may be running. */
  void close(Closer closer) {
    List<Object> owners;
    synchronized (this) {
      closed = true;
      owners = List.copyOf(entries.keySet());
    }
    owners.forEach(owner -> closer.close(() -> remove(owner)));
  }
}
