package io.ariadne.parquet.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Cases that every build reads: those that once failed, and one for each kind of error. A damaged
 * file is named {@code SOUND+SEED.damaged.parquet}, the intact file that it is a copy of {@code
 * SOUND.sound.parquet}. All columns are read.
 */
final class Corpus {
  private static final String DAMAGED = ".damaged.parquet";
  private static final String SOUND = ".sound.parquet";

  private Corpus() {}

  /** A damaged file and its intact original. */
  record Entry(String name, Path sound, byte[] damaged) {}

  /** Writes a case; returns the damaged file. */
  static Path write(Path folder, FuzzCase kept) throws IOException {
    Files.createDirectories(folder);
    String sound = kept.file().name().replace(SOUND, "").replace(".parquet", "");
    Files.write(folder.resolve(sound + SOUND), kept.file().bytes());
    return Files.write(folder.resolve(sound + "+" + kept.seed() + DAMAGED), kept.copy());
  }

  /** Returns the cases of a folder, by name. */
  static List<Entry> read(Path folder) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(DAMAGED)).sorted().toList()) {
        String name = file.getFileName().toString();
        Path sound = file.resolveSibling(name.substring(0, name.lastIndexOf('+')) + SOUND);
        entries.add(new Entry(name, sound, Files.readAllBytes(file)));
      }
    }
    return entries;
  }
}
