package io.ariadne.parquet.scan;

import io.ariadne.expression.Literal;
import java.util.List;
import java.util.Objects;

/**
 * A range of bytes of one file, with the constants of all its rows. A row group belongs to the
 * slice that contains its midpoint, so that slices that cover a file read every row group once.
 *
 * @param path name of the file for the {@link FileOpener} and error messages
 * @param start first byte
 * @param lengthInBytes number of bytes
 * @param constants values of the constant columns (partition values, file metadata)
 */
public record FileSlice(String path, long start, long lengthInBytes, List<Literal> constants) {
  /** Checks the range and copies the list. */
  public FileSlice {
    Objects.requireNonNull(path, "path is null");
    if (start < 0 || lengthInBytes < 0) {
      throw new IllegalArgumentException(path + ": start=" + start + " length=" + lengthInBytes);
    }
    constants = List.copyOf(constants);
  }
}
