package io.ariadne.io.local;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.memory.PagePool;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The descriptors of an open file. The kernel closes them once the owner has called {@link #close}
 * and every use has ended: a number that is closed too early soon means another file. Thread-safe.
 */
final class OpenFile {
  /** Set in {@link #users} when the owner has closed the file. */
  private static final long CLOSED = 1L << 62;

  private static final int NONE = -1;

  /** Alignment that every device accepts, for kernels that do not tell it. */
  private static final int USUAL_ALIGNMENT = 4096;

  /** Pages have no larger alignment than {@link PagePool#PAGE_ALIGNMENT}. */
  private static final int MOST_MEMORY_ALIGNMENT = PagePool.PAGE_ALIGNMENT;

  private static final int MOST_OFFSET_ALIGNMENT = 1 << 16;

  private final String name;
  private final int descriptor;
  private final int directDescriptor;
  private final FileStatus status;
  private final FileSystemFacts facts;
  private final LocalStorage storage;
  private final AtomicLong users = new AtomicLong();

  private OpenFile(
      String name,
      int descriptor,
      int directDescriptor,
      FileStatus status,
      FileSystemFacts facts,
      LocalStorage storage) {
    this.name = name;
    this.descriptor = descriptor;
    this.directDescriptor = directDescriptor;
    this.status = status;
    this.facts = facts;
    this.storage = storage;
  }

  /**
   * Opens a file.
   *
   * @param file its path
   * @param storage what reads it; the caller has retained it for the file, which releases it
   * @throws IOException when it cannot be opened; nothing is retained or open then
   */
  static OpenFile open(Path file, LocalStorage storage) throws IOException {
    String name = file.toString();
    long result = Memory.allocate(FileStatus.BYTES);
    try (NativePath path = NativePath.of(file)) {
      check(NativeFile.statusOfPath(path.address(), result), name);
      // Opening a pipe would wait for a writer.
      checkRegular(FileStatus.at(result), name);
      int descriptor = check(NativeFile.open(path.address(), false), name);
      try {
        check(NativeFile.status(descriptor, result), name);
        FileStatus status = FileStatus.at(result);
        checkRegular(status, name);
        FileSystemFacts facts = storage.facts(status.device());
        int direct = NONE;
        if (storage.options().readsDirectly(status.lengthInBytes()) && facts.supportsDirect()) {
          direct = openDirect(path, name, status, facts, result);
        }
        return new OpenFile(name, descriptor, direct, status, facts, storage);
      } catch (IOException | RuntimeException | Error e) {
        NativeFile.close(descriptor);
        throw e;
      }
    } finally {
      Memory.free(result);
    }
  }

  private static void checkRegular(FileStatus status, String name) throws IOException {
    if (!status.isRegular()) {
      throw new FileSystemException(
          name, null, status.isFolder() ? "Is a directory" : "Is not a regular file");
    }
  }

  private static int check(int code, String name) throws IOException {
    if (code < 0) {
      throw SystemErrors.failure(code, name);
    }
    return code;
  }

  /** Returns a second descriptor, or {@link #NONE} when the file cannot be read directly. */
  private static int openDirect(
      NativePath path, String name, FileStatus status, FileSystemFacts facts, long result) {
    if (!isAlignment(status.memoryAlignment(), MOST_MEMORY_ALIGNMENT)
        || !isAlignment(status.offsetAlignment(), MOST_OFFSET_ALIGNMENT)) {
      facts.refuseDirect(
          name,
          "it reports alignments of "
              + status.memoryAlignment()
              + " and "
              + status.offsetAlignment()
              + " bytes");
      return NONE;
    }
    int descriptor = NativeFile.open(path.address(), true);
    if (descriptor == -SystemErrors.EINVAL || descriptor == -SystemErrors.EOPNOTSUPP) {
      facts.refuseDirect(name, SystemErrors.describe(descriptor));
    }
    if (descriptor < 0) {
      return NONE;
    }
    boolean isSame =
        NativeFile.status(descriptor, result) == 0 && FileStatus.at(result).isSameFile(status);
    if (!isSame) {
      // Renamed meanwhile: the first descriptor has the file that is described.
      NativeFile.close(descriptor);
      return NONE;
    }
    return descriptor;
  }

  private static boolean isAlignment(long bytes, int most) {
    return bytes == -1 || (bytes > 0 && bytes <= most && Long.bitCount(bytes) == 1);
  }

  private static int alignment(long bytes) {
    return bytes == -1 ? USUAL_ALIGNMENT : (int) bytes;
  }

  /** Returns the name of the file, for messages. */
  String name() {
    return name;
  }

  /** Returns what the kernel told when the file was opened. */
  FileStatus status() {
    return status;
  }

  /** Returns what its file system does not support. */
  FileSystemFacts facts() {
    return facts;
  }

  /** Returns what reads it. */
  LocalStorage storage() {
    return storage;
  }

  /** Returns whether it is read around the page cache. */
  boolean isDirect() {
    return directDescriptor != NONE && facts.supportsDirect();
  }

  /** Returns the descriptor of reads through the page cache. */
  int descriptor() {
    return descriptor;
  }

  /** Returns the descriptor of reads around the page cache. */
  int directDescriptor() {
    return directDescriptor;
  }

  /** Returns the alignment of memory in direct reads. */
  int memoryAlignment() {
    return alignment(status.memoryAlignment());
  }

  /** Returns the alignment of positions and lengths in direct reads. */
  int offsetAlignment() {
    return alignment(status.offsetAlignment());
  }

  /**
   * Begins a use; {@link #release} ends it.
   *
   * @throws ClosedChannelException when the file is closed
   */
  void acquire() throws ClosedChannelException {
    long before;
    do {
      before = users.get();
      if ((before & CLOSED) != 0) {
        throw new ClosedChannelException();
      }
    } while (!users.compareAndSet(before, before + 1));
  }

  /** Ends a use. */
  void release() {
    if (users.decrementAndGet() == CLOSED) {
      closeDescriptors();
    }
  }

  /** Refuses further uses; the last one closes the descriptors. Idempotent. */
  void close() {
    long before = users.getAndUpdate(now -> now | CLOSED);
    if (before == 0) {
      closeDescriptors();
    }
  }

  private void closeDescriptors() {
    NativeFile.close(descriptor);
    if (directDescriptor != NONE) {
      NativeFile.close(directDescriptor);
    }
    storage.release();
  }
}
