package io.ariadne.parquet.prune;

import java.util.Arrays;

/** Strings and binaries that compare as unsigned bytes; a prefix is smaller than a longer value. */
@SuppressWarnings("ArrayRecordComponent")
record Bytes(byte[] value) implements Comparable<Bytes> {
  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return Arrays.toString(value);
  }
}
