package io.ariadne.io;

import java.util.Objects;

/**
 * A reader in front of another reader of the same file. Answers every question about the file as
 * the other reader does; subclasses read, close, and override the answers that differ. Subclasses
 * say whether they own the other reader.
 */
public abstract class ForwardingReader implements ByteRangeReader {
  private final ByteRangeReader delegate;

  /**
   * Creates a reader.
   *
   * @param delegate the other reader
   */
  protected ForwardingReader(ByteRangeReader delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate is null");
  }

  /** Returns the other reader. */
  protected final ByteRangeReader delegate() {
    return delegate;
  }

  @Override
  public long lengthInBytes() {
    return delegate.lengthInBytes();
  }

  @Override
  public long modificationTimeMillis() {
    return delegate.modificationTimeMillis();
  }

  @Override
  public String version() {
    return delegate.version();
  }

  @Override
  public void expectVersion(String version) {
    delegate.expectVersion(version);
  }

  @Override
  public boolean isFasterTogether() {
    return delegate.isFasterTogether();
  }

  @Override
  public boolean waits(long position, long length) {
    return delegate.waits(position, length);
  }

  @Override
  public long firstByteNanos() {
    return delegate.firstByteNanos();
  }

  @Override
  public String storage() {
    return delegate.storage();
  }

  @Override
  public int alignmentInBytes() {
    return delegate.alignmentInBytes();
  }

  @Override
  public String toString() {
    return delegate.toString();
  }
}
