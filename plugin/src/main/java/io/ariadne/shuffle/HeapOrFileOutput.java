package io.ariadne.shuffle;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.function.Supplier;

/**
 * Takes bytes whose number nobody knows before: few stay on the heap, all go to a file as soon as
 * they are many. Used by one thread.
 */
final class HeapOrFileOutput extends OutputStream {
  private final int mostOnHeap;
  private final Supplier<File> files;

  /** Null once the bytes are in the file. */
  private ByteArrayOutputStream heap = new ByteArrayOutputStream();

  /** Null while the bytes are on the heap. */
  private File file;

  private OutputStream toFile;

  /**
   * Creates a stream without bytes.
   *
   * @param mostOnHeap bytes that stay on the heap
   * @param files names a file that may be written, which is the caller's to delete
   */
  HeapOrFileOutput(int mostOnHeap, Supplier<File> files) {
    this.mostOnHeap = mostOnHeap;
    this.files = files;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (heap != null && heap.size() + (long) length > mostOnHeap) {
      moveToFile();
    }
    if (heap != null) {
      heap.write(bytes, offset, length);
    } else {
      toFile.write(bytes, offset, length);
    }
  }

  private void moveToFile() throws IOException {
    file = files.get();
    toFile = new BufferedOutputStream(Files.newOutputStream(file.toPath()));
    heap.writeTo(toFile);
    heap = null;
  }

  /** Returns where the bytes are, complete once this is closed; null while on the heap. */
  File file() {
    return file;
  }

  /**
   * Returns the bytes.
   *
   * @throws IllegalStateException when they are in a file
   */
  byte[] bytesOnHeap() {
    if (heap == null) {
      throw new IllegalStateException("the bytes are in " + file);
    }
    return heap.toByteArray();
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
