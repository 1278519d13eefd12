package io.ariadne.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryTier;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestByteRangeReaders {
  @TempDir Path folder;

  /** Opens one local file, whatever is asked for. */
  private record OneFile(Path file) implements ByteRangeReaderProvider {
    @Override
    public String name() {
      return "one";
    }

    @Override
    public int priority() {
      return 1;
    }

    @Override
    public Support support(OpenRequest request) {
      return request.localPath() == null ? Support.by("one file") : Support.OTHER;
    }

    @Override
    public Set<MemoryTier> tiers() {
      return Set.of(MemoryTier.HOST);
    }

    @Override
    public ByteRangeReader open(OpenRequest request) throws IOException {
      return LocalFileReader.open(file);
    }
  }

  private static OpenRequest remote(String address) {
    return new OpenRequest(
        URI.create(address),
        OpenRequest.UNKNOWN,
        OpenRequest.UNKNOWN,
        null,
        null,
        ReadCounters.create());
  }

  @Test
  void wrapsReadersOfRemoteFilesOnly() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[3]);
    ByteRangeReaders readers =
        new ByteRangeReaders(List.of(new LocalReaderProvider(), new OneFile(file)));
    List<URI> wrapped = new ArrayList<>();
    readers.wrapRemote(
        (reader, address) -> {
          wrapped.add(address);
          return reader;
        });
    readers.open(remote("far://away/file")).close();
    readers.open(OpenRequest.ofLocal(file)).close();
    assertEquals(List.of(URI.create("far://away/file")), wrapped);
    readers.wrapRemote(null);
    try (ByteRangeReader reader = readers.open(remote("far://away/file"))) {
      assertInstanceOf(LocalFileReader.class, reader);
    }
    assertEquals(1, wrapped.size());
  }

  @Test
  void namesFilesThatNoProviderSupports() {
    ByteRangeReaders readers = new ByteRangeReaders(List.of(new LocalReaderProvider()));
    IOException none =
        assertThrows(IOException.class, () -> readers.open(remote("far://away/file")));
    assertEquals("no reader supports far://away/file", none.getMessage());
  }
}
