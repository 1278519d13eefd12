package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.type.Field;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A damaged copy of a file and what is read from it, determined by its seed alone.
 *
 * @param seed the seed
 * @param file the intact file
 * @param copy the damaged bytes
 * @param fields the columns to read
 * @param predicate which rows are read, null for all
 */
record FuzzCase(
    long seed, SoundFile file, byte[] copy, List<Field> fields, FuzzPredicate predicate) {
  /** Returns the case of a seed. */
  static FuzzCase of(long seed, List<SoundFile> files) {
    SplittableRandom random = new SplittableRandom(seed);
    SoundFile file = files.get(random.nextInt(files.size()));
    byte[] copy = new Damage(file, random).make();
    List<Field> fields = FuzzCheck.some(file, random);
    FuzzPredicate predicate =
        random.nextInt(4) == 0 ? FuzzPredicate.of(file, fields, random) : null;
    return new FuzzCase(seed, file, copy, fields, predicate);
  }

  /** Returns the case with other bytes. */
  FuzzCase with(byte[] bytes) {
    return new FuzzCase(seed, file, bytes, fields, predicate);
  }

  /** Returns the file name that errors must contain. */
  String name() {
    return "case-" + seed + ".parquet";
  }
}
