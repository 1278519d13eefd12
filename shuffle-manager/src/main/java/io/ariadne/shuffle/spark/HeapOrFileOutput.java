package io.ariadne.shuffle.spark;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Collects bytes whose number is not known in advance. Keeps them on the heap up to a limit of its
 * own and while a shared budget allows it; beyond that, moves all of them to a file. Used by one
 * thread.
 */
final class HeapOrFileOutput extends OutputStream {
  private static final int MIN_HEAP_BYTES = 8 << 10;

  private final int maxHeapBytes;
  private final HeapBudget budget;
  private final Supplier<File> files;

  /** As long as reserved in the budget; null when the bytes are in the file, or freed. */
  private byte[] heap = {};

  private int heapCount;

  /** Null while the bytes are on the heap. */
  private File file;

  /** Null while the bytes are on the heap. */
  private OutputStream toFile;

  /**
   * Creates an empty stream; the caller {@link #free frees} its heap bytes.
   *
   * @param maxHeapBytes most bytes that stay on the heap
   * @param budget limits the heap bytes of all streams
   * @param files names a file to write, which the caller deletes
   */
  HeapOrFileOutput(int maxHeapBytes, HeapBudget budget, Supplier<File> files) {
    this.maxHeapBytes = maxHeapBytes;
    this.budget = budget;
    this.files = files;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (toFile == null && !fitsHeap(length)) {
      moveToFile();
    }
    if (toFile == null) {
      System.arraycopy(bytes, offset, heap, heapCount, length);
      heapCount += length;
    } else {
      toFile.write(bytes, offset, length);
    }
  }

  private boolean fitsHeap(int length) {
    long needed = (long) heapCount + length;
    if (needed <= heap.length) {
      return true;
    }
    long grown = Math.max(needed, Math.max(MIN_HEAP_BYTES, 2L * heap.length));
    grown = Math.min(grown, maxHeapBytes);
    if (needed > grown || !budget.tryReserve(grown - heap.length)) {
      return false;
    }
    heap = Arrays.copyOf(heap, (int) grown);
    return true;
  }

  private void moveToFile() throws IOException {
    file = files.get();
    toFile = new BufferedOutputStream(Files.newOutputStream(file.toPath()));
    toFile.write(heap, 0, heapCount);
    free();
  }

  /** Returns the file, complete when this is closed; null while the bytes are on the heap. */
  File file() {
    return file;
  }

  /**
   * Returns the bytes, which are valid until they are {@link #free freed}.
   *
   * @throws IllegalStateException when they are in a file, or freed
   */
  ByteBuffer bytesOnHeap() {
    if (heap == null) {
      throw new IllegalStateException("the bytes are not on the heap; file: " + file);
    }
    return ByteBuffer.wrap(heap, 0, heapCount).slice();
  }

  /** Frees the bytes on the heap; a file stays. Idempotent. */
  void free() {
    if (heap != null) {
      budget.release(heap.length);
      heap = null;
    }
  }

  @Override
  public void flush() throws IOException {
    if (toFile != null) {
      toFile.flush();
    }
  }

  @Override
  public void close() throws IOException {
    if (toFile != null) {
      toFile.close();
    }
  }
}
