package io.ariadne.replay;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.LaunchShape;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.KernelStatusLayout;
import java.util.ArrayList;
import java.util.List;

/** A replay case with its memory filled and its pointers set, ready to run on a back end. */
final class LoadedCase implements AutoCloseable {

  private final Backend backend;
  private final ReplayCase replayCase;
  private final KernelFunction kernel;
  private final List<MemoryBuffer> memory = new ArrayList<>();
  private final List<ArgumentBlock> arguments = new ArrayList<>();

  /**
   * Loads a case.
   *
   * @param backend where to run it
   * @param allocator gives memory that the back end's kernels may touch
   */
  LoadedCase(Backend backend, BufferAllocator allocator, ReplayCase replayCase) {
    this.backend = backend;
    this.replayCase = replayCase;
    this.kernel = backend.kernel(replayCase.kernel());
    for (ReplayBuffer buffer : replayCase.buffers()) {
      memory.add(allocator.allocateZeroed(Math.max(1, buffer.sizeInBytes())));
    }
    for (int i = 0; i < memory.size(); i++) {
      ReplayBuffer buffer = replayCase.buffer(i);
      memory.get(i).putBytes(0, buffer.content(), 0, buffer.content().length);
      store(buffer.pointers(), memory.get(i).address());
    }
    for (ReplayLaunch launch : replayCase.launches()) {
      byte[] image = launch.arguments();
      ArgumentBlock block = new ArgumentBlock(image.length);
      arguments.add(block);
      Memory.copy(image, 0, block.address(), image.length);
      store(launch.pointers(), block.address());
    }
  }

  /** Runs all launches of the case; memory stays as they leave it. */
  void run() {
    run(Integer.MAX_VALUE);
  }

  /** The same, with so many blocks at most under the emulator. */
  void run(int mostBlocks) {
    for (int i = 0; i < arguments.size(); i++) {
      ReplayLaunch launch = replayCase.launches().get(i);
      if (backend instanceof EmulatedBackend) {
        ((EmulatedBackend) backend)
            .launch(
                kernel,
                Math.min(launch.gridSize(), mostBlocks),
                launch.blockSize(),
                launch.sharedBytes(),
                arguments.get(i));
      } else {
        backend.launch(kernel, LaunchShape.ofRows(replayCase.rows()), arguments.get(i));
      }
    }
  }

  /** Returns all bytes of a buffer as they are now. */
  byte[] content(int buffer) {
    byte[] bytes = new byte[replayCase.buffer(buffer).sizeInBytes()];
    memory.get(buffer).getBytes(0, bytes, 0, bytes.length);
    return bytes;
  }

  /** Returns the expected ranges of every buffer, in order, as they are now. */
  List<List<byte[]>> results() {
    long rowsOut = memory.get(ReplayCase.STATUS).getLong(KernelStatusLayout.ROWS_OUT_OFFSET);
    List<List<byte[]>> results = new ArrayList<>();
    for (int i = 0; i < memory.size(); i++) {
      List<byte[]> ranges = new ArrayList<>();
      for (ReplayBuffer.Expected expected : replayCase.buffer(i).expected()) {
        byte[] bytes = new byte[expected.lengthInBytes(rowsOut)];
        memory.get(i).getBytes(expected.offset(), bytes, 0, bytes.length);
        ranges.add(bytes);
      }
      results.add(ranges);
    }
    return results;
  }

  @Override
  public void close() {
    arguments.forEach(ArgumentBlock::close);
    memory.forEach(MemoryBuffer::close);
  }

  private void store(List<ReplayBuffer.Pointer> pointers, long base) {
    for (ReplayBuffer.Pointer pointer : pointers) {
      long address = memory.get(pointer.buffer()).address() + pointer.offset();
      Memory.putLong(base + pointer.at(), address);
    }
  }
}
