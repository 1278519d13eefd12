package io.ariadne.replay;

import io.ariadne.kernel.abi.KernelStatusLayout;
import io.ariadne.kernel.abi.LitmusMessagePassingArgsLayout;
import java.util.List;

/**
 * The memory-order tests: message passing, look-back, insert then probe. Each kernel counts its own
 * violations; only a machine with weak memory can show one.
 */
final class LitmusCases {

  /** The file of the kernels, which no jar carries. */
  static final String FAMILY = "litmus";

  private static final int ROWS = 1 << 15;
  private static final int BLOCK = 256;
  private static final int REPEAT = 200;
  private static final int MEMORY_BASE_BYTES = 4096;
  private static final int MEMORY_ROW_BYTES = 64;

  private LitmusCases() {}

  static List<ReplayCase> all() {
    return List.of(
        litmus("litmus_message_passing", 1),
        litmus("litmus_look_back", 4),
        litmus("litmus_insert_then_probe", 1));
  }

  private static ReplayCase litmus(String kernel, int itemsPerThread) {
    ReplayCase test = new ReplayCase(kernel.replace('_', ' '), kernel).litmus(REPEAT);
    test.buffer(ReplayCase.STATUS)
        .expectBytes(KernelStatusLayout.DETAIL_OFFSET, 2 * KernelStatusLayout.DETAIL_STRIDE);
    int memory = test.zeroed("memory", MEMORY_BASE_BYTES + MEMORY_ROW_BYTES * ROWS);
    test.launch(
            ROWS / (BLOCK * itemsPerThread), BLOCK, 0, LitmusMessagePassingArgsLayout.SIZE_IN_BYTES)
        .pointer(LitmusMessagePassingArgsLayout.MEMORY_OFFSET, memory)
        .putInt(LitmusMessagePassingArgsLayout.ROWS_OFFSET, ROWS);
    return test;
  }
}
