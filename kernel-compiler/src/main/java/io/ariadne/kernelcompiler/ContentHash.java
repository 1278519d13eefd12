package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * SHA-256 of files and texts. Caches the hashes of files for the life of the object, so use it only
 * for files that the build does not change while it runs. Thread-safe.
 */
final class ContentHash {

  private static final String ABSENT = "absent";

  private final Map<Path, String> files = new ConcurrentHashMap<>();

  /** Returns the hash of the file's content, or {@code "absent"} when there is no such file. */
  String ofFile(Path file) {
    return files.computeIfAbsent(file.toAbsolutePath().normalize(), ContentHash::readHash);
  }

  /** Forgets the hash of a file that a step has just written. */
  void forget(Path file) {
    files.remove(file.toAbsolutePath().normalize());
  }

  /** Returns the hash of a text in UTF-8. */
  static String ofText(String text) {
    return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the hash of the class file of a class. */
  static String ofClass(Class<?> type) throws IOException {
    try (InputStream content = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      return HexFormat.of().formatHex(sha256().digest(content.readAllBytes()));
    }
  }

  private static String readHash(Path file) {
    if (!Files.isRegularFile(file)) {
      return ABSENT;
    }
    try {
      return HexFormat.of().formatHex(sha256().digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
