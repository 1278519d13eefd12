package io.ariadne.backend.cpu;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.HostKernelStatus;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs kernels on the calling thread through the native host library. A launch returns after the
 * kernel has run.
 *
 * <p>Owns nothing: the library stays loaded as long as the process lives.
 */
public final class HostBackend implements Backend {
  private final HostInstructionSet instructionSet;
  private final KernelTable kernels;

  private HostBackend(HostInstructionSet instructionSet, KernelTable kernels) {
    this.instructionSet = instructionSet;
    this.kernels = kernels;
  }

  /**
   * Loads the host library, unless it is loaded, and opens a back end over it.
   *
   * @throws EngineException UNSUPPORTED or CONFIGURATION, with a message of one line, when no
   *     library can be loaded
   */
  public static HostBackend open() {
    return new HostBackend(NativeLibrary.load(), KernelTable.ofHost());
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public String isa() {
    return instructionSet.displayName();
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.HOST;
  }

  @Override
  public Optional<String> lost() {
    return Optional.empty();
  }

  /** The processor is not lost. */
  @Override
  public void whenLost(Consumer<String> told) {}

  @Override
  public KernelFunction kernel(String name) {
    KernelTable.Entry entry =
        kernels
            .find(name)
            .orElseThrow(
                () -> new EngineException(ErrorCode.INTERNAL, "no host kernel is named " + name));
    return new KernelFunction(
        name,
        entry.address(),
        entry.blockSize(),
        entry.itemsPerThread(),
        entry.dynamicSharedInBytes(),
        entry.argumentsSizeInBytes());
  }

  @Override
  public void launch(KernelFunction kernel, LaunchShape shape, ArgumentBlock arguments) {
    if (arguments.sizeInBytes() != kernel.argumentBytes()) {
      throw new IllegalArgumentException(
          "kernel "
              + kernel.name()
              + " takes "
              + kernel.argumentBytes()
              + " bytes of arguments, not "
              + arguments.sizeInBytes());
    }
    NativeHost.launch(kernel.handle(), arguments.address());
  }

  @Override
  public KernelStatus newStatus() {
    return new HostKernelStatus();
  }

  @Override
  public void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes) {
    Objects.checkFromIndexSize(targetOffset, lengthInBytes, target.capacityInBytes());
    Memory.copy(source, target.address() + targetOffset, lengthInBytes);
  }

  @Override
  public void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes) {
    Objects.checkFromIndexSize(sourceOffset, lengthInBytes, source.capacityInBytes());
    Memory.copy(source.address() + sourceOffset, target, lengthInBytes);
  }

  /** Does nothing: the library stays loaded. */
  @Override
  public void close() {}
}
