package io.ariadne.spill.fuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file whose reads and writes fail as planned; of writes a part may be done. */
final class FaultyChannel extends FileChannel {
  private static final int BLOCK_BYTES = 4096;

  private final FileChannel file;
  private final FaultPlan faults;

  FaultyChannel(FileChannel file, FaultPlan faults) {
    this.file = file;
    this.faults = faults;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (faults.strikes(Faults.Kind.READ)) {
      throw new IOException("injected: read of " + target.remaining() + " at " + position);
    }
    faults.transfers(Faults.Kind.READ, target.remaining());
    return file.read(target, position);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    if (!faults.strikes(Faults.Kind.WRITE)) {
      faults.transfers(Faults.Kind.WRITE, source.remaining());
      return file.write(source, position);
    }
    int half = source.remaining() / 2 / BLOCK_BYTES * BLOCK_BYTES;
    ByteBuffer part = source.duplicate();
    part.limit(part.position() + half);
    if (half > 0) {
      source.position(source.position() + file.write(part, position));
    }
    throw new IOException("injected: no space left after " + half + " bytes at " + position);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public void force(boolean metaData) throws IOException {
    file.force(metaData);
  }

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel position(long newPosition) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
