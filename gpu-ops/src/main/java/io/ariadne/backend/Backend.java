package io.ariadne.backend;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.MemorySource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A place where kernels run. Thread-safe; opened once per process.
 *
 * <p>Kernels see memory of one tier, {@link #tier()}. A launch may return before the kernel has
 * run: {@link KernelStatus#await()}, {@link #read} and {@link #write} wait for the launches made
 * before them. Work runs in the order of the calls; a buffer may be handed from thread to thread,
 * or closed, while work with it is pending.
 */
public interface Backend extends CopyEngine, AutoCloseable {
  /** Returns the name people configure and read: {@code cpu} or {@code cuda}. */
  String name();

  /** Returns the instruction set level in use, for example {@code x86-64-v3} or {@code sm_90}. */
  String isa();

  /** Returns the tier of every buffer that kernels of this back end read or write. */
  MemoryTier tier();

  /**
   * Returns the back end for what stays in host memory, such as offsets of nested columns: this one
   * if its kernels see host memory. Need not be closed.
   */
  default Backend host() {
    return this;
  }

  /**
   * Returns whether kernels run as blocks of threads (a GPU, or its emulation): they then want
   * zeroed workspaces and dynamic shared memory. Otherwise a kernel is a plain function of the
   * calling thread.
   */
  default boolean isBlockParallel() {
    return false;
  }

  /**
   * Returns where memory of a tier comes from that only this back end can give: device memory, and
   * host memory its copies are fast with. Empty when kernels see pageable host memory.
   *
   * @param tier DEVICE or PINNED
   * @return the source, valid until this back end is closed; all its memory is given back before
   */
  default Optional<MemorySource> memory(MemoryTier tier) {
    return Optional.empty();
  }

  /** Returns bytes that {@link #memory} of {@link #tier()} could give now; 0 when there is none. */
  default long freeMemoryInBytes() {
    return 0;
  }

  /** Returns what the processes of the machine share of the device; by default that is one. */
  default DeviceSharing sharing() {
    return new DeviceSharing(freeMemoryInBytes(), 1, false);
  }

  /**
   * Returns why the device runs nothing any more, in one line; empty while it does. Once it is lost
   * it stays so: every call that needs the device throws DEVICE_LOST, memory of it can still be
   * given back, and {@link #host()} goes on.
   */
  Optional<String> lost();

  /**
   * Sets who is told when the device is lost: once, by the thread that meets the error, or at once
   * when that has happened.
   *
   * @param told takes what {@link #lost} returns; must not wait
   */
  void whenLost(Consumer<String> told);

  /** Describes what the device works on, in one line, for people; empty where calls return done. */
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

  /** Creates a status block, zeroed, owned by the caller. */
  KernelStatus newStatus();

  /** Copies host memory into a buffer of {@link #tier()}, which kernels see. */
  @Override
  void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes);

  /**
   * Copies from a buffer of {@link #tier()} into host memory, after waiting for earlier launches.
   */
  @Override
  void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes);

  /**
   * Sets bytes of a buffer of {@link #tier()} to zero, ordered with launches.
   *
   * @param target a buffer kernels see
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
   * @param source a buffer kernels see
   * @param target another one
   * @param lengthInBytes bytes to copy from the start of one to the start of the other
   */
  default void copy(MemoryBuffer source, MemoryBuffer target, long lengthInBytes) {
    Objects.checkFromIndexSize(0, lengthInBytes, source.capacityInBytes());
    Objects.checkFromIndexSize(0, lengthInBytes, target.capacityInBytes());
    Memory.copy(source.address(), target.address(), lengthInBytes);
  }

  /** Gives back everything the back end holds; no kernel may be running. */
  @Override
  void close();
}
