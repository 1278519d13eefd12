package io.ariadne.backend.cuda;

import io.ariadne.backend.HostRange;
import io.ariadne.columnar.buffer.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Page-locked memory through which pageable memory of the host is copied to the device, or from it.
 * The driver would copy pageable memory through pages of its own, while the caller waits; a copy
 * through the ring to the device is queued, and the caller continues.
 *
 * <p>Long copies are made in chunks, so that the device copies one while the host copies another.
 * Each chunk has a slot, the next bytes of the ring. A slot is used again when the device is done
 * with it, which an event tells, and the host, too. A thread waits for the device then, never for
 * another thread: when the ring is full of slots that other threads are filling or emptying, or the
 * driver had no page-locked memory, the driver copies pageable memory.
 *
 * <p>Thread-safe; the monitor guards all fields that are not final.
 */
final class StagingRing {
  private static final Logger LOG = LoggerFactory.getLogger(StagingRing.class);

  /** The most bytes of a slot. */
  static final int CHUNK_BYTES = 1 << 20;

  static final int SIZE_IN_BYTES = 16 << 20;

  /** The most slots, each of which has an event: short copies take a slot each. */
  static final int MAX_SLOTS = 256;

  /** While a thread reads bytes of the device, so many more are on their way to the host. */
  private static final long BYTES_AHEAD = 4L * CHUNK_BYTES;

  /** The most slots in which they arrive. */
  private static final int SLOTS_AHEAD = MAX_SLOTS / 16;

  private static final int ALIGNMENT = 256;

  private final CudaContext context;
  private final PinnedMemorySource source;

  /** Address of the ring; 0 before the first copy and when there was no memory for it. */
  private long address;

  private boolean isAllocated;

  /** Slots in use, in the order of their positions. */
  private final Deque<Slot> slots = new ArrayDeque<>();

  private final Deque<CUevent> idleEvents = new ArrayDeque<>();

  /** Bytes of all slots so far: where the next one begins, modulo the size of the ring. */
  private long head;

  /** What of these is not in use any more. */
  private long tail;

  /** Who uses a slot. */
  private enum User {
    /** A thread fills it, or waits for its contents. */
    HOST,
    /** The device, until the event. */
    DEVICE,
    NONE
  }

  private static final class Slot {
    final long address;

    /** Position of the first byte behind it. */
    final long end;

    final CUevent isCopied;

    /** The number of the queued call that copies it. */
    long call;

    User user = User.HOST;

    Slot(long address, long end, CUevent isCopied) {
      this.address = address;
      this.end = end;
      this.isCopied = isCopied;
    }
  }

  /**
   * Creates a ring, whose memory is allocated by the first copy.
   *
   * @param source of the memory; not owned
   */
  StagingRing(CudaContext context, PinnedMemorySource source) {
    this.context = context;
    this.source = source;
  }

  /**
   * Copies ranges of pageable memory to the device, one behind the other, in the order of queued
   * work. Returns when the memory may be used for something else.
   */
  void toDevice(List<HostRange> ranges, long to) {
    Deque<HostRange> left = new ArrayDeque<>(ranges);
    long at = to;
    long rest = ranges.stream().mapToLong(HostRange::lengthInBytes).sum();
    while (rest > 0) {
      long bytes = Math.min(CHUNK_BYTES, rest);
      Slot slot = take(bytes);
      if (slot == null) {
        copyAll(left, at);
        return;
      }
      send(slot, left, at, bytes);
      at += bytes;
      rest -= bytes;
    }
  }

  /** Lets the driver copy ranges. */
  private void copyAll(Deque<HostRange> ranges, long to) {
    long at = to;
    for (HostRange range : ranges) {
      if (range.lengthInBytes() > 0) {
        context.copy(copyToDevice(range.address(), at, range.lengthInBytes()), "cuMemcpyHtoDAsync");
        at += range.lengthInBytes();
      }
    }
  }

  private void send(Slot slot, Deque<HostRange> ranges, long to, long bytes) {
    User next = User.NONE;
    try {
      fill(slot.address, ranges, bytes);
      slot.call =
          context.enqueue(
              copyToDevice(slot.address, to, bytes), "cuMemcpyHtoDAsync", slot.isCopied);
      next = User.DEVICE;
    } finally {
      setUser(slot, next);
    }
  }

  /** Moves the first bytes of ranges to an address. */
  private static void fill(long target, Deque<HostRange> ranges, long bytes) {
    for (long done = 0; done < bytes; ) {
      HostRange range = ranges.remove();
      long copied = Math.min(range.lengthInBytes(), bytes - done);
      Memory.copy(range.address(), target + done, copied);
      done += copied;
      if (copied < range.lengthInBytes()) {
        ranges.push(new HostRange(range.address() + copied, range.lengthInBytes() - copied));
      }
    }
  }

  /**
   * Bytes of the device and their place on the host.
   *
   * @param from address on the device
   * @param to address of pageable memory
   * @param bytes how many, at least 1
   */
  record Range(long from, long to, long bytes) {
    /** Returns the first bytes, as many as a slot has. */
    Range first() {
      return new Range(from, to, Math.min(CHUNK_BYTES, bytes));
    }

    /** Returns what follows them; null for nothing. */
    Range rest() {
      long done = first().bytes();
      return done == bytes ? null : new Range(from + done, to + done, bytes - done);
    }
  }

  /** A range that is copied to a slot. */
  private record Queued(Slot slot, Range range) {}

  /**
   * Copies from the device to pageable memory, after queued work. Waits for the copies, once where
   * all of them are short.
   */
  void toHost(List<Range> ranges) {
    Deque<Range> left = new ArrayDeque<>(ranges);
    List<Queued> ahead = new ArrayList<>();
    try {
      while (!left.isEmpty() || !ahead.isEmpty()) {
        queueFirst(left, ahead);
        if (ahead.isEmpty()) {
          Range range = left.remove();
          context.copy(copyToHost(range.from(), range.to(), range.bytes()), "cuMemcpyDtoHAsync");
        } else {
          Queued first = ahead.get(0);
          if (!context.work().isDone(first.slot().call)) {
            // what is behind the middle is copied while the host copies what is before it
            awaitCopy(ahead.get(left.isEmpty() ? ahead.size() - 1 : ahead.size() / 2).slot());
          }
          Memory.copy(first.slot().address, first.range().to(), first.range().bytes());
          ahead.remove(0);
          setUser(first.slot(), User.NONE);
        }
      }
    } finally {
      ahead.forEach(queued -> setUser(queued.slot(), User.DEVICE));
    }
  }

  /** Queues copies of the first ranges, until enough bytes are on their way. */
  private void queueFirst(Deque<Range> left, List<Queued> ahead) {
    long bytes = ahead.stream().mapToLong(queued -> queued.range().bytes()).sum();
    while (!left.isEmpty() && bytes < BYTES_AHEAD && ahead.size() < SLOTS_AHEAD) {
      Range next = left.element().first();
      Slot slot = queue(next.from(), next.bytes());
      if (slot == null) {
        return;
      }
      ahead.add(new Queued(slot, next));
      bytes += next.bytes();
      Range rest = left.remove().rest();
      if (rest != null) {
        left.push(rest);
      }
    }
  }

  /** Queues a copy of the device's bytes into a slot; returns null when there is no slot. */
  private Slot queue(long from, long bytes) {
    Slot slot = take(bytes);
    if (slot != null) {
      boolean isQueued = false;
      try {
        slot.call =
            context.enqueue(
                copyToHost(from, slot.address, bytes), "cuMemcpyDtoHAsync", slot.isCopied);
        isQueued = true;
      } finally {
        if (!isQueued) {
          setUser(slot, User.NONE);
        }
      }
    }
    return slot;
  }

  /** Returns the call that copies from an address of the host to one of the device. */
  static CudaContext.Copy copyToDevice(long from, long to, long bytes) {
    return stream ->
        JCudaDriver.cuMemcpyHtoDAsync(DevicePointer.of(to), HostPointer.of(from), bytes, stream);
  }

  /** Returns the call that copies from an address of the device to one of the host. */
  static CudaContext.Copy copyToHost(long from, long to, long bytes) {
    return stream ->
        JCudaDriver.cuMemcpyDtoHAsync(HostPointer.of(to), DevicePointer.of(from), bytes, stream);
  }

  private void awaitCopy(Slot slot) {
    context.await(slot.isCopied, slot.call);
  }

  /**
   * Takes the next bytes of the ring; waits for the device when it still uses them. Returns null
   * when there is no memory, or other threads use it.
   */
  private Slot take(long bytes) {
    for (; ; ) {
      Slot oldest;
      synchronized (this) {
        if (!allocate()) {
          return null;
        }
        dropUnused();
        Slot added = add((bytes + ALIGNMENT - 1) & -ALIGNMENT);
        if (added != null) {
          return added;
        }
        oldest = slots.peek();
        if (oldest == null || oldest.user == User.HOST) {
          return null;
        }
      }
      awaitCopy(oldest);
    }
  }

  /** Returns whether there is memory; asks for it once. */
  private boolean allocate() {
    if (!isAllocated) {
      address = source.allocate(SIZE_IN_BYTES);
      isAllocated = true;
      if (address == 0) {
        LOG.warn("the driver has no page-locked memory to stage copies, and copies more slowly");
      }
    }
    return address != 0;
  }

  private void dropUnused() {
    for (Slot slot = slots.peek(); slot != null; slot = slots.peek()) {
      boolean isInUse =
          slot.user == User.HOST || (slot.user == User.DEVICE && !context.work().isDone(slot.call));
      if (isInUse) {
        return;
      }
      slots.remove();
      idleEvents.push(slot.isCopied);
      tail = slot.end;
    }
  }

  /** Adds a slot behind the others; returns null when it does not fit, or there is no event. */
  private Slot add(long bytes) {
    long offset = head % SIZE_IN_BYTES;
    long begin = offset + bytes > SIZE_IN_BYTES ? head - offset + SIZE_IN_BYTES : head;
    if (begin + bytes - tail > SIZE_IN_BYTES || slots.size() == MAX_SLOTS) {
      return null;
    }
    CUevent event = idleEvents.isEmpty() ? context.newEvent() : idleEvents.pop();
    if (event == null) {
      return null;
    }
    Slot slot = new Slot(address + begin % SIZE_IN_BYTES, begin + bytes, event);
    slots.add(slot);
    head = slot.end;
    return slot;
  }

  private synchronized void setUser(Slot slot, User user) {
    slot.user = user;
  }

  /** Frees the memory and the events; no copy may be under way. */
  synchronized void free() {
    if (address != 0) {
      source.free(address, SIZE_IN_BYTES);
      address = 0;
    }
    slots.forEach(slot -> idleEvents.push(slot.isCopied));
    slots.clear();
    idleEvents.forEach(
        event -> context.release(() -> JCudaDriver.cuEventDestroy(event), "cuEventDestroy"));
    idleEvents.clear();
  }
}
