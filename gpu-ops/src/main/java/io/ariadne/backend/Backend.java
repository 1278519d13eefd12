package io.ariadne.backend;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.MemorySource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A place where kernels run. Thread-safe; opened once per process.
 *
 * <p>Kernels use memory of one tier, {@link #tier()}. A launch may return before the kernel has
 * run: {@link KernelStatus#await()}, {@link #read} and {@link #write} wait for earlier launches.
 * Work runs in the order of the calls. A buffer may pass from thread to thread, or be closed, while
 * work on it is pending.
 */
public interface Backend extends CopyEngine, AutoCloseable {
  /** Returns the name that settings and logs use: {@code cpu} or {@code cuda}. */
  String name();

  /** Returns the instruction set level in use, for example {@code x86-64-v3} or {@code sm_90}. */
  String isa();

  /** Returns the tier of every buffer that kernels of this back end read or write. */
  MemoryTier tier();

  /** Returns which batches suit the kernels of this back end. */
  default BatchSize batchSize() {
    return BatchSize.HOST;
  }

  /**
   * Returns the back end for data that stays in host memory, such as offsets of nested columns:
   * this back end if its kernels use host memory. Need not be closed.
   */
  default Backend host() {
    return this;
  }

  /**
   * Returns whether kernels run as blocks of threads, on a GPU or its emulation. They then need
   * zeroed workspaces and dynamic shared memory. Otherwise a kernel is a plain function that the
   * calling thread runs.
   */
  default boolean isBlockParallel() {
    return false;
  }

  /**
   * Returns the source of memory that only this back end can allocate: device memory, and host
   * memory with fast copies. Empty when kernels use pageable host memory.
   *
   * @param tier DEVICE or PINNED
   * @return the source, valid until this back end is closed; all its memory must be freed before
   */
  default Optional<MemorySource> memory(MemoryTier tier) {
    return Optional.empty();
  }

  /**
   * Returns how many bytes {@link #memory} of {@link #tier()} can allocate now; 0 without such a
   * source.
   */
  default long freeMemoryInBytes() {
    return 0;
  }

  /** Returns how the processes of the machine share the device; by default there is one process. */
  default DeviceSharing sharing() {
    return new DeviceSharing(freeMemoryInBytes(), 1, false);
  }

  /**
   * Returns why the device is lost, in one line; empty while it works. A device stays lost: every
   * call that needs it throws DEVICE_LOST, its memory can still be freed, and {@link #host()}
   * continues to work.
   */
  Optional<String> lost();

  /**
   * Loses the device, because something beside this back end may write to its memory, which must
   * not be used for anything else then. Does nothing where there is no device, or it is lost.
   *
   * @param reason in one line
   */
  default void lose(String reason) {}

  /**
   * Sets the listener of the loss of the device. It is called once: by the thread that gets the
   * error, or at once when the device is already lost.
   *
   * @param told takes what {@link #lost} returns; must not wait
   */
  void whenLost(Consumer<String> told);

  /**
   * Describes the device's pending work, in one line, for diagnoses; empty when calls return after
   * the work is done.
   */
  default String work() {
    return "";
  }

  /**
   * Looks up a kernel.
   *
   * @param name the kernel's name in its source
   * @return the kernel, valid until this back end is closed
   * @throws io.ariadne.error.EngineException INTERNAL when there is no such kernel
   */
  KernelFunction kernel(String name);

  /**
   * Runs a kernel over memory of {@link #tier()}.
   *
   * @param kernel from {@link #kernel} of this back end
   * @param shape how much work there is
   * @param arguments the argument struct, in host memory; copied before this returns
   */
  void launch(KernelFunction kernel, LaunchShape shape, ArgumentBlock arguments);

  /** Creates a zeroed status block, owned by the caller. */
  KernelStatus newStatus();

  /** Waits once for the launches that use some status blocks, and makes their results readable. */
  default void awaitAll(List<KernelStatus> statuses) {
    statuses.forEach(KernelStatus::await);
  }

  /**
   * Copies host memory into a buffer of {@link #tier()}, after earlier launches. The host memory
   * may be used for something else when this returns, also while the copy is still queued.
   */
  @Override
  void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes);

  /**
   * Copies ranges of host memory into a buffer as {@link #write} does, one behind the other from
   * its first byte on.
   */
  default void writeAll(List<HostRange> sources, MemoryBuffer target) {
    long at = 0;
    for (HostRange each : sources) {
      write(each.address(), target, at, each.lengthInBytes());
      at += each.lengthInBytes();
    }
  }

  /**
   * Copies from a buffer of {@link #tier()} into host memory, after earlier launches; returns when
   * the bytes are there.
   */
  @Override
  void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes);

  /**
   * Copies from several buffers into host memory as {@link #read} does; waits once for all of them
   * where they are short.
   */
  default void readAll(List<HostRead> reads) {
    for (HostRead each : reads) {
      read(each.source(), 0, each.target(), each.lengthInBytes());
    }
  }

  /**
   * Sets bytes of a buffer of {@link #tier()} to zero, ordered with launches.
   *
   * @param target a buffer of {@link #tier()}
   * @param targetOffset first byte
   * @param lengthInBytes bytes to clear
   */
  default void clear(MemoryBuffer target, long targetOffset, long lengthInBytes) {
    Objects.checkFromIndexSize(targetOffset, lengthInBytes, target.capacityInBytes());
    Memory.fill(target.address() + targetOffset, lengthInBytes, (byte) 0);
  }

  /**
   * Copies between two buffers of {@link #tier()}, ordered with launches.
   *
   * @param source a buffer of {@link #tier()}
   * @param target another buffer of {@link #tier()}
   * @param lengthInBytes bytes to copy, from the start of the source to the start of the target
   */
  default void copy(MemoryBuffer source, MemoryBuffer target, long lengthInBytes) {
    Objects.checkFromIndexSize(0, lengthInBytes, source.capacityInBytes());
    Objects.checkFromIndexSize(0, lengthInBytes, target.capacityInBytes());
    Memory.copy(source.address(), target.address(), lengthInBytes);
  }

  /**
   * Prepares the calling thread for a library that writes to memory of {@link #tier()} by itself,
   * such as cuFile: waits for the work that was queued before, and makes the device's context the
   * thread's current one. Work that is queued after the library's call has returned sees what it
   * has written.
   *
   * @throws io.ariadne.error.EngineException DEVICE_LOST when the device is lost
   */
  default void prepareThread() {}

  /** Frees everything that the back end owns; no kernel may be running. */
  @Override
  void close();
}
