package io.ariadne.io;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class TestLocalReaderProvider extends AbstractTestByteRangeReader {
  @TempDir Path folder;

  @Override
  protected ByteRangeReaderProvider provider() {
    return new LocalReaderProvider();
  }

  @Override
  protected URI store(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes).toUri();
  }

  @Override
  protected URI missing() {
    return folder.resolve("nothing").toUri();
  }

  @Override
  protected OpenRequest request(URI file, ReadCounters counters) {
    return new OpenRequest(
        file, OpenRequest.UNKNOWN, OpenRequest.UNKNOWN, Path.of(file), null, counters);
  }

  @Override
  protected boolean counts() {
    return false;
  }
}
