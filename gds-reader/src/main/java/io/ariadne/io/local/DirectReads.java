package io.ariadne.io.local;

/** Whether files are read around the page cache of the operating system. */
public enum DirectReads {
  /** Files that are larger than a share of the machine's memory. */
  AUTO,
  /** All files whose file system supports it. */
  ON,
  /** None. */
  OFF
}
