package io.ariadne.replay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** One launch of a replay case: grid, block, shared memory, argument block. */
final class ReplayLaunch {

  private final int gridSize;
  private final int blockSize;
  private final int sharedBytes;
  private final ByteBuffer arguments;
  private final List<ReplayBuffer.Pointer> pointers = new ArrayList<>();

  /**
   * Creates a launch with a zeroed argument block.
   *
   * @param gridSize one block per tile; replay also tries smaller grids
   * @param sharedBytes dynamic shared memory per block
   * @param argumentBytes size of the argument struct
   */
  ReplayLaunch(int gridSize, int blockSize, int sharedBytes, int argumentBytes) {
    this.gridSize = gridSize;
    this.blockSize = blockSize;
    this.sharedBytes = sharedBytes;
    this.arguments = ByteBuffer.allocate(argumentBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  int gridSize() {
    return gridSize;
  }

  int blockSize() {
    return blockSize;
  }

  int sharedBytes() {
    return sharedBytes;
  }

  byte[] arguments() {
    return arguments.array();
  }

  List<ReplayBuffer.Pointer> pointers() {
    return pointers;
  }

  /** Stores one byte of the argument block. */
  ReplayLaunch putByte(int offset, byte value) {
    arguments.put(offset, value);
    return this;
  }

  ReplayLaunch putInt(int offset, int value) {
    arguments.putInt(offset, value);
    return this;
  }

  ReplayLaunch putLong(int offset, long value) {
    arguments.putLong(offset, value);
    return this;
  }

  /** Stores the address of a buffer. */
  ReplayLaunch pointer(int offset, int buffer) {
    return pointer(offset, buffer, 0);
  }

  /** Stores the address of a byte of a buffer. */
  ReplayLaunch pointer(int offset, int buffer, long bufferOffset) {
    pointers.add(new ReplayBuffer.Pointer(offset, buffer, bufferOffset));
    return this;
  }
}
