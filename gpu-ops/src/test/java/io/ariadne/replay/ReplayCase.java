package io.ariadne.replay;

import io.ariadne.kernel.abi.KernelCatalog;
import io.ariadne.kernel.abi.KernelStatusLayout;
import java.util.ArrayList;
import java.util.List;

/** Launches of one kernel over recorded memory. Buffer 0 is always the status block. */
final class ReplayCase {

  /** Number of the buffer that holds the status block. */
  static final int STATUS = 0;

  private final String name;
  private final String kernel;
  private final List<ReplayBuffer> buffers = new ArrayList<>();
  private final List<ReplayLaunch> launches = new ArrayList<>();
  private final List<Integer> rowFields = new ArrayList<>();
  private int rows;
  private long bytesMoved;
  private int repeat = 3;
  private boolean litmus;
  private boolean onlyOnce;

  /**
   * Creates a case.
   *
   * @param name for people
   * @param kernel the kernel's name
   */
  ReplayCase(String name, String kernel) {
    this.name = name;
    this.kernel = kernel;
    zeroed("status", KernelStatusLayout.SIZE_IN_BYTES);
    buffer(STATUS)
        .expectBytes(KernelStatusLayout.ERROR_OFFSET, Long.BYTES)
        .expectBytes(KernelStatusLayout.NEEDED_OFFSET, Long.BYTES);
  }

  /** Returns the threads per block that a kernel of the jar is compiled for. */
  static int blockSize(String kernel) {
    return KernelCatalog.FAMILIES.stream()
        .flatMap(family -> family.kernels().stream())
        .filter(candidate -> candidate.name().equals(kernel))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no kernel is named " + kernel))
        .maxBlockSize();
  }

  String name() {
    return name;
  }

  String kernel() {
    return kernel;
  }

  List<ReplayBuffer> buffers() {
    return buffers;
  }

  List<ReplayLaunch> launches() {
    return launches;
  }

  List<Integer> rowFields() {
    return rowFields;
  }

  int rows() {
    return rows;
  }

  long bytesMoved() {
    return bytesMoved;
  }

  int repeat() {
    return repeat;
  }

  /** Returns whether a second launch would find what the first has left, and do less. */
  boolean isOnlyOnce() {
    return onlyOnce;
  }

  boolean isLitmus() {
    return litmus;
  }

  /** Adds memory with content and returns its number. */
  int add(String bufferName, byte[] content) {
    buffers.add(new ReplayBuffer(bufferName, content, content.length));
    return buffers.size() - 1;
  }

  /** Adds zeroed memory and returns its number. */
  int zeroed(String bufferName, int sizeInBytes) {
    buffers.add(new ReplayBuffer(bufferName, new byte[0], sizeInBytes));
    return buffers.size() - 1;
  }

  ReplayBuffer buffer(int number) {
    return buffers.get(number);
  }

  /** Adds a launch whose argument block begins with the address of the status block. */
  ReplayLaunch launch(int gridSize, int blockSize, int sharedBytes, int argumentBytes) {
    ReplayLaunch launch = new ReplayLaunch(gridSize, blockSize, sharedBytes, argumentBytes);
    launch.pointer(0, STATUS);
    launches.add(launch);
    return launch;
  }

  /**
   * Lets replay measure the case with its rows repeated.
   *
   * @param rowCount rows of the case
   * @param moved bytes that the kernel must read and write for them
   * @param fields offsets of the 32-bit fields of the arguments that count rows
   */
  ReplayCase measured(int rowCount, long moved, Integer... fields) {
    rows = rowCount;
    bytesMoved = moved;
    rowFields.addAll(List.of(fields));
    return this;
  }

  /** Says that replay must fill the memory anew before each launch that it measures. */
  ReplayCase onlyOnce() {
    onlyOnce = true;
    return this;
  }

  /** Marks a memory-order test, which replay runs first and so many times. */
  ReplayCase litmus(int times) {
    litmus = true;
    repeat = times;
    return this;
  }
}
