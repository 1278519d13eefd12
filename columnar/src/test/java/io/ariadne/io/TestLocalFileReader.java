package io.ariadne.io;

import java.io.IOException;
import java.nio.file.Path;

class TestLocalFileReader extends AbstractTestLocalFileReader {
  @Override
  protected ByteRangeReader open(Path file) throws IOException {
    return LocalFileReader.open(file);
  }
}
