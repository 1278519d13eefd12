package io.ariadne.io.local;

import io.ariadne.columnar.buffer.Memory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A path as the kernel takes it: bytes that end with a zero. Closed by its owner. */
final class NativePath implements AutoCloseable {
  private static final int HEX = 16;
  private static final int ESCAPE_LENGTH = 3;

  private final long address;

  private NativePath(long address) {
    this.address = address;
  }

  /** Copies the bytes of a path. */
  static NativePath of(Path path) {
    byte[] bytes = bytes(path);
    long address = Memory.allocate(bytes.length + 1L);
    Memory.copy(bytes, 0, address, bytes.length);
    Memory.putByte(address + bytes.length, (byte) 0);
    return new NativePath(address);
  }

  /**
   * Returns the bytes that the file system has. Names with other characters than those of ASCII are
   * taken from the path's address, which escapes the bytes themselves: text may have lost some,
   * depending on the locale.
   */
  static byte[] bytes(Path path) {
    String text = path.toAbsolutePath().toString();
    boolean isPlain = text.chars().allMatch(c -> c > 0 && c < 0x7F);
    return isPlain
        ? text.getBytes(StandardCharsets.US_ASCII)
        : unescaped(path.toUri().getRawPath());
  }

  private static byte[] unescaped(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); ) {
      if (text.charAt(i) == '%') {
        bytes.write(Integer.parseInt(text.substring(i + 1, i + ESCAPE_LENGTH), HEX));
        i += ESCAPE_LENGTH;
      } else {
        bytes.write(text.charAt(i++));
      }
    }
    return bytes.toByteArray();
  }

  /** Returns the address of the first byte. */
  long address() {
    return address;
  }

  @Override
  public void close() {
    Memory.free(address);
  }
}
