package io.ariadne.parquet.scan;

import io.ariadne.io.LocalFileReader;
import io.ariadne.io.ReadAhead;
import java.nio.file.Path;

/** Where the files of a test are, and how they are read. */
interface ScanStorage extends AutoCloseable {
  /** Local files, read when they are needed. */
  ScanStorage DIRECT =
      new ScanStorage() {
        @Override
        public FileOpener opener() {
          return slice -> LocalFileReader.open(Path.of(slice.path()));
        }

        @Override
        public ReadAhead readAhead() {
          return null;
        }

        @Override
        public void close() {}
      };

  /** Returns what opens the files. */
  FileOpener opener();

  /** Returns what reads ahead, null for nothing. */
  ReadAhead readAhead();

  /** Checks that scans have used the storage as it is meant to be used. */
  default void checkUse(ScanRun run) {}

  /** Frees everything, and checks that nothing is left. */
  @Override
  void close();
}
