package io.ariadne.rules.scan;

/** How the files of a scan become partitions, one task each. */
public enum PartitionLayout {
  /** As Spark has planned them: results or the number of output files may depend on them. */
  SPARK("Spark's partitions"),

  /** Neighbouring partitions of Spark's merged until there are about as many as task slots. */
  PER_SLOT("coarse partitions"),

  /** One partition with all files, which exists even without a file. */
  SINGLE("one partition");

  private final String text;

  PartitionLayout(String text) {
    this.text = text;
  }

  /** Returns the text that a plan shows. */
  @Override
  public String toString() {
    return text;
  }
}
