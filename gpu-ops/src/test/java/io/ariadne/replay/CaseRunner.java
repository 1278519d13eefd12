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

/** Runs a replay case on a back end of this process. */
final class CaseRunner {

  private final Backend backend;
  private final BufferAllocator allocator;

  CaseRunner(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
  }

  /** Returns the expected ranges of every buffer, in order, as the back end leaves them. */
  List<List<byte[]>> run(ReplayCase replayCase) {
    List<MemoryBuffer> memory = new ArrayList<>();
    try {
      for (ReplayBuffer buffer : replayCase.buffers()) {
        memory.add(allocator.allocateZeroed(Math.max(1, buffer.sizeInBytes())));
      }
      for (int i = 0; i < memory.size(); i++) {
        ReplayBuffer buffer = replayCase.buffer(i);
        memory.get(i).putBytes(0, buffer.content(), 0, buffer.content().length);
        store(memory, buffer.pointers(), memory.get(i).address());
      }
      for (ReplayLaunch launch : replayCase.launches()) {
        launch(replayCase, launch, memory);
      }
      return results(replayCase, memory);
    } finally {
      memory.forEach(MemoryBuffer::close);
    }
  }

  private void launch(ReplayCase replayCase, ReplayLaunch launch, List<MemoryBuffer> memory) {
    KernelFunction kernel = backend.kernel(replayCase.kernel());
    byte[] image = launch.arguments();
    try (ArgumentBlock arguments = new ArgumentBlock(image.length)) {
      Memory.copy(image, 0, arguments.address(), image.length);
      store(memory, launch.pointers(), arguments.address());
      if (backend instanceof EmulatedBackend) {
        ((EmulatedBackend) backend)
            .launch(kernel, launch.gridSize(), launch.sharedBytes(), arguments);
      } else {
        backend.launch(kernel, LaunchShape.ofRows(replayCase.rows()), arguments);
      }
    }
  }

  private static void store(
      List<MemoryBuffer> memory, List<ReplayBuffer.Pointer> pointers, long base) {
    for (ReplayBuffer.Pointer pointer : pointers) {
      long address = memory.get(pointer.buffer()).address() + pointer.offset();
      Memory.putLong(base + pointer.at(), address);
    }
  }

  private static List<List<byte[]>> results(ReplayCase replayCase, List<MemoryBuffer> memory) {
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
}
