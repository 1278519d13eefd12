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
 * Takes bytes whose number nobody knows before: few stay on the heap as long as others leave room
 * there, all go to a file as soon as they are many. Used by one thread.
 */
final class HeapOrFileOutput extends OutputStream {
  private static final int LEAST_BYTES = 8 << 10;

  private final int mostOnHeap;
  private final HeapBudget budget;
  private final Supplier<File> files;

  /** As long as what is taken from the budget; null once the bytes are in the file, or freed. */
  private byte[] heap = {};

  private int heapCount;

  /** Null while the bytes are on the heap. */
  private File file;

  private OutputStream toFile;

  /**
   * Creates a stream without bytes, to be {@link #free freed}.
   *
   * @param mostOnHeap bytes that stay on the heap
   * @param budget what all streams have there
   * @param files names a file that may be written, which is the caller's to delete
   */
  HeapOrFileOutput(int mostOnHeap, HeapBudget budget, Supplier<File> files) {
    this.mostOnHeap = mostOnHeap;
    this.budget = budget;
    this.files = files;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (toFile == null && !hasRoomOnHeap(length)) {
      moveToFile();
    }
    if (toFile == null) {
      System.arraycopy(bytes, offset, heap, heapCount, length);
      heapCount += length;
    } else {
      toFile.write(bytes, offset, length);
    }
  }

  private boolean hasRoomOnHeap(int length) {
    long needed = (long) heapCount + length;
    if (needed <= heap.length) {
      return true;
    }
    long grown = Math.max(needed, Math.max(LEAST_BYTES, 2L * heap.length));
    grown = Math.min(grown, mostOnHeap);
    if (needed > grown || !budget.take(grown - heap.length)) {
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

  /** Returns where the bytes are, complete once this is closed; null while on the heap. */
  File file() {
    return file;
  }

  /**
   * Returns the bytes, which are there until they are {@link #free freed}.
   *
   * @throws IllegalStateException when they are in a file, or freed
   */
  ByteBuffer bytesOnHeap() {
    if (heap == null) {
      throw new IllegalStateException("the bytes are in " + file);
    }
    return ByteBuffer.wrap(heap, 0, heapCount).slice();
  }

  /** Frees what is on the heap; a file stays. Idempotent. */
  void free() {
    if (heap != null) {
      budget.giveBack(heap.length);
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
