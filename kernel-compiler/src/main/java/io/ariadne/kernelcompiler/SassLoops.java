package io.ariadne.kernelcompiler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Counts the machine instructions of a kernel that lie on a cycle of its control flow. Each
 * instruction counts once.
 *
 * <p>Instructions of compute capability 7.0 and later are 16 bytes: the operation in the lowest 12
 * bits, a guard predicate in the next 4. A branch has a second predicate in bits 87 to 90, from bit
 * 34 to 81 the signed distance in 4-byte words from the next instruction to its target (from 9.0 on
 * its lowest 8 bits are bits 16 to 23), and a condition of its own (divergence) when bit 33 is set.
 * The encoding is not documented. It was derived from the branch to itself at the end of every
 * kernel. A branch whose target is outside the kernel or inside an instruction is an error.
 */
final class SassLoops {

  /** Bytes of an instruction. */
  static final int BYTES = 16;

  private static final int OPERATION_MASK = 0xFFF;
  private static final int BRANCH = 0x947;
  private static final int BRANCH_INDIRECT = 0x949;
  private static final int CALL = 0x944;
  private static final int EXIT = 0x94D;
  private static final int RETURN = 0x950;
  private static final int GUARD_SHIFT = 12;
  private static final int CONDITION_SHIFT = 87 - Long.SIZE;
  private static final int PREDICATE_MASK = 0xF;
  private static final int ALWAYS = 7;
  private static final int OWN_CONDITION_BIT = 33;
  private static final int DISTANCE_SHIFT = 34;
  private static final int DISTANCE_BITS = 48;
  private static final long HIGH_DISTANCE_MASK = (1 << 18) - 1;
  private static final int LOW_DISTANCE_SHIFT = 16;
  private static final int FIRST_WITH_LONG_DISTANCES = 90;

  private final ByteBuffer code;
  private final int count;
  private final boolean hasLongDistances;
  private final List<List<Integer>> successors = new ArrayList<>();
  private final List<List<Integer>> predecessors = new ArrayList<>();

  private SassLoops(byte[] code, int capability) {
    this.code = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN);
    this.count = code.length / BYTES;
    this.hasLongDistances = capability >= FIRST_WITH_LONG_DISTANCES;
    for (int i = 0; i < count; i++) {
      successors.add(new ArrayList<>());
      predecessors.add(new ArrayList<>());
    }
    connect();
  }

  /**
   * Returns the number of instructions on cycles of at least two instructions. A jump through a
   * table counts as a jump to every block without another predecessor.
   *
   * @param code the text section of a kernel
   * @param capability compute capability it is for, 10 * major + minor
   */
  static int instructionsInLoops(byte[] code, int capability) {
    SassLoops graph = new SassLoops(code, capability);
    int inLoops = 0;
    BitSet assigned = new BitSet();
    List<Integer> order = new ArrayList<>();
    BitSet visited = new BitSet();
    for (int i = 0; i < graph.count; i++) {
      order.addAll(visit(i, graph.successors, visited));
    }
    // Kosaraju's algorithm: visits against the edges, in reverse order of finishing, find the
    // components.
    for (int i = order.size() - 1; i >= 0; i--) {
      int size = visit(order.get(i), graph.predecessors, assigned).size();
      inLoops += size > 1 ? size : 0;
    }
    return inLoops;
  }

  /**
   * Visits the reachable instructions that were not visited yet. Returns them in the order of
   * finishing.
   */
  private static List<Integer> visit(int start, List<List<Integer>> edges, BitSet visited) {
    List<Integer> finished = new ArrayList<>();
    if (visited.get(start)) {
      return finished;
    }
    Deque<Integer> nodes = new ArrayDeque<>();
    Deque<Iterator<Integer>> open = new ArrayDeque<>();
    visited.set(start);
    nodes.push(start);
    open.push(edges.get(start).iterator());
    while (!nodes.isEmpty()) {
      if (!open.peek().hasNext()) {
        open.pop();
        finished.add(nodes.pop());
        continue;
      }
      int next = open.peek().next();
      if (!visited.get(next)) {
        visited.set(next);
        nodes.push(next);
        open.push(edges.get(next).iterator());
      }
    }
    return finished;
  }

  private void connect() {
    BitSet isTarget = new BitSet();
    for (int i = 0; i < count; i++) {
      if (operation(i) == BRANCH || operation(i) == CALL) {
        isTarget.set(target(i));
        edge(i, target(i));
      }
      if (!isLast(i) && i + 1 < count) {
        edge(i, i + 1);
      }
    }
    for (int i = 0; i < count; i++) {
      for (int to = 1; to < count && operation(i) == BRANCH_INDIRECT; to++) {
        if (isLast(to - 1) && !isTarget.get(to)) {
          edge(i, to);
        }
      }
    }
  }

  private void edge(int from, int to) {
    successors.get(from).add(to);
    predecessors.get(to).add(from);
  }

  private int operation(int at) {
    return (int) code.getLong(at * BYTES) & OPERATION_MASK;
  }

  /** Returns whether control never reaches the next instruction. */
  private boolean isLast(int at) {
    int guard = (int) (code.getLong(at * BYTES) >>> GUARD_SHIFT) & PREDICATE_MASK;
    int condition =
        (int) (code.getLong(at * BYTES + Long.BYTES) >>> CONDITION_SHIFT) & PREDICATE_MASK;
    return switch (operation(at)) {
      case BRANCH -> guard == ALWAYS && condition == ALWAYS && !hasOwnCondition(at);
      case BRANCH_INDIRECT, EXIT, RETURN -> guard == ALWAYS;
      default -> false;
    };
  }

  private boolean hasOwnCondition(int at) {
    return (code.getLong(at * BYTES) >>> OWN_CONDITION_BIT & 1) != 0;
  }

  /** Returns the target of a branch or call. */
  private int target(int at) {
    long low = code.getLong(at * BYTES);
    long high = code.getLong(at * BYTES + Long.BYTES) & HIGH_DISTANCE_MASK;
    long field = high << (Long.SIZE - DISTANCE_SHIFT) | low >>> DISTANCE_SHIFT;
    long words = field << (Long.SIZE - DISTANCE_BITS) >> (Long.SIZE - DISTANCE_BITS);
    if (hasLongDistances) {
      words = words << Byte.SIZE | (low >>> LOW_DISTANCE_SHIFT & 0xFF);
    }
    long target = (at + 1L) * BYTES + words * Integer.BYTES;
    if (target % BYTES != 0 || target < 0 || target >= (long) count * BYTES) {
      throw new KernelBuildException("a branch at " + at * BYTES + " leads to " + target);
    }
    return (int) (target / BYTES);
  }
}
