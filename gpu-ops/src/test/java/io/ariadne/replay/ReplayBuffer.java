package io.ariadne.replay;

import java.util.ArrayList;
import java.util.List;

/** One piece of memory of a replay case: its content before the launches, and what to expect. */
final class ReplayBuffer {

  /**
   * A pointer stored in memory or in an argument block.
   *
   * @param at offset of the pointer
   * @param buffer number of the buffer it points into
   * @param offset bytes from that buffer's start
   */
  record Pointer(int at, int buffer, long offset) {}

  /**
   * Bytes to be compared after the launches.
   *
   * @param offset of the first byte
   * @param length of the range: bytes, or bits of each written row
   * @param perRow whether {@code length} counts bits per row of {@code status.rows_out}
   */
  record Expected(int offset, int length, boolean perRow) {

    /** Returns the bytes that are wholly determined when so many rows were written. */
    int lengthInBytes(long rowsOut) {
      return perRow ? Math.toIntExact(rowsOut * length / Byte.SIZE) : length;
    }
  }

  private final String name;
  private final byte[] content;
  private final int sizeInBytes;
  private final List<Pointer> pointers = new ArrayList<>();
  private final List<Expected> expected = new ArrayList<>();
  private boolean scales;

  ReplayBuffer(String name, byte[] content, int sizeInBytes) {
    this.name = name;
    this.content = content;
    this.sizeInBytes = sizeInBytes;
  }

  String name() {
    return name;
  }

  /** Returns the content before the launches; empty when it is all zeros. */
  byte[] content() {
    return content;
  }

  int sizeInBytes() {
    return sizeInBytes;
  }

  List<Pointer> pointers() {
    return pointers;
  }

  List<Expected> expected() {
    return expected;
  }

  boolean scales() {
    return scales;
  }

  /** Notes a pointer inside the content. */
  ReplayBuffer pointer(int at, int buffer, long offset) {
    pointers.add(new Pointer(at, buffer, offset));
    return this;
  }

  /** Expects a fixed range. */
  ReplayBuffer expectBytes(int offset, int length) {
    expected.add(new Expected(offset, length, false));
    return this;
  }

  /** Expects the first {@code status.rows_out} rows of so many bits each. */
  ReplayBuffer expectRows(int bitsPerRow) {
    expected.add(new Expected(0, bitsPerRow, true));
    return this;
  }

  /** Says that the buffer grows with the number of rows, so that replay may repeat its content. */
  ReplayBuffer scaling() {
    scales = true;
    return this;
  }
}
