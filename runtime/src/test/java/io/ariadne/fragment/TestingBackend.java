package io.ariadne.fragment;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.Optional;
import java.util.function.Consumer;

/** A back end without kernels, for operators that compute in Java. */
public final class TestingBackend implements Backend {
  private final String work;
  private final BatchSize batchSize;
  private boolean closed;

  /** Creates one that never has anything to do. */
  public TestingBackend() {
    this("");
  }

  /** Creates one that says it works on something. */
  public TestingBackend(String work) {
    this(work, BatchSize.HOST);
  }

  private TestingBackend(String work, BatchSize batchSize) {
    this.work = work;
    this.batchSize = batchSize;
  }

  /** Creates one that batches of a size suit. */
  static TestingBackend of(BatchSize batchSize) {
    return new TestingBackend("", batchSize);
  }

  @Override
  public BatchSize batchSize() {
    return batchSize;
  }

  @Override
  public String work() {
    return work;
  }

  /** Returns whether it was closed. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public String name() {
    return "none";
  }

  @Override
  public String isa() {
    return "java";
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
    throw new UnsupportedOperationException(name);
  }

  @Override
  public void launch(KernelFunction kernel, LaunchShape shape, ArgumentBlock arguments) {
    throw new UnsupportedOperationException(kernel.name());
  }

  @Override
  public KernelStatus newStatus() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    closed = true;
  }
}
