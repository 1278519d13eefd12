package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.io.AbstractTestByteRangeReader;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider;
import io.ariadne.io.ByteRangeReaderProvider.Support;
import io.ariadne.io.ByteRangeReaders;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.ReadCounters;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestS3ReaderProvider extends AbstractTestByteRangeReader {
  private static S3Fixture s3;

  private final S3ReaderProvider provider = new S3ReaderProvider();

  @BeforeAll
  static void start() throws IOException {
    s3 = new S3Fixture();
  }

  @AfterAll
  static void stop() throws Exception {
    s3.assertIdle();
    s3.close();
  }

  @Override
  protected ByteRangeReaderProvider provider() {
    return provider;
  }

  @Override
  protected URI store(String name, byte[] bytes) {
    s3.store.put(name, bytes, "\"" + name + "\"");
    return S3Fixture.address(name);
  }

  @Override
  protected URI missing() {
    return S3Fixture.address("nothing");
  }

  @Override
  protected OpenRequest request(URI file, ReadCounters counters) {
    return new OpenRequest(
        file, OpenRequest.UNKNOWN, OpenRequest.UNKNOWN, null, s3.files, counters);
  }

  @Override
  protected boolean counts() {
    return true;
  }

  private Support support(Object storage) {
    return provider.support(request(storage));
  }

  private static OpenRequest request(Object storage) {
    return new OpenRequest(S3Fixture.address("a"), 1, 1, null, storage, ReadCounters.create());
  }

  private static void assertRefused(Support support, String reason) {
    assertEquals(Support.Kind.REFUSED, support.kind());
    assertTrue(support.detail().contains(reason), support.detail());
  }

  @Test
  void isInstalled() throws IOException {
    URI file = store("installed", new byte[5]);
    OpenRequest request = request(file, ReadCounters.create());
    try (ByteRangeReader reader = ByteRangeReaders.installed().open(request)) {
      assertInstanceOf(S3ObjectReader.class, reader);
      assertEquals(5, reader.lengthInBytes());
      assertEquals(1_795_168_800_000L, reader.modificationTimeMillis());
      assertEquals("\"installed\"", reader.version());
    }
  }

  @Test
  void saysHowManyConnectionsItUses() {
    assertTrue(support(s3.files).detail().startsWith("6 connections"), support(s3.files).detail());
  }

  @Test
  void leavesOtherStoragesToOthers() {
    assertEquals(Support.OTHER, support(null));
    URI hdfs = URI.create("hdfs://a/b");
    OpenRequest request = new OpenRequest(hdfs, 1, 1, null, s3.files, ReadCounters.create());
    assertEquals(Support.OTHER, provider.support(request));
  }

  @Test
  void refusesOtherFileSystems() {
    assertRefused(support(new RawLocalFileSystem()), "RawLocalFileSystem");
    assertRefused(support(new Subclass()), "Subclass");
  }

  /** May change what is read. */
  private static final class Subclass extends S3AFileSystem {}

  @Test
  void refusesEncryptionOnTheClient() {
    S3AFileSystem files = new EncryptingFiles();
    files.setConf(new Configuration(false));
    assertRefused(S3AClients.support(files), "CSE");
  }

  /** As S3A is when CSE is configured; without the library for it, which is the user's too. */
  private static final class EncryptingFiles extends S3AFileSystem {
    @Override
    public boolean isCSEEnabled() {
      return true;
    }
  }

  @Test
  void refusesHadoopWithoutClient(@TempDir Path folder) throws Exception {
    assertRefused(support(oldFiles(folder)), "older than 3.4");
  }

  /** Returns an object of a class with the name of S3A's, beside which there are no internals. */
  private static Object oldFiles(Path folder) throws Exception {
    Path source = folder.resolve("S3AFileSystem.java");
    Files.writeString(source, "package org.apache.hadoop.fs.s3a; public class S3AFileSystem {}");
    String[] options = {"-d", folder.toString(), source.toString()};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, options));
    ClassLoader loader = new FolderLoader(folder, ClassLoader.getPlatformClassLoader());
    return loader
        .loadClass("org.apache.hadoop.fs.s3a.S3AFileSystem")
        .getDeclaredConstructor()
        .newInstance();
  }

  @Test
  void refusesWhatItsClassLoaderDoesNotSee() throws Exception {
    for (String hidden : Set.of("org.apache.hadoop.", "software.amazon.")) {
      ClassLoader loader = new OwnLoader(hidden);
      ByteRangeReaderProvider own =
          (ByteRangeReaderProvider)
              loader
                  .loadClass(S3ReaderProvider.class.getName())
                  .getDeclaredConstructor()
                  .newInstance();
      assertEquals(loader, own.getClass().getClassLoader());
      Support support = own.support(request(s3.files));
      assertRefused(support, "not visible to Ariadne's class loader");
      assertTrue(support.detail().contains(hidden.replace('.', '/')), support.detail());
    }
  }

  @Test
  void refusesS3aOfAnotherClassLoader(@TempDir Path folder) throws Exception {
    Path internals = folder.resolve("S3AInternals.java");
    Files.writeString(internals, "package org.apache.hadoop.fs.s3a; interface S3AInternals {}");
    String[] options = {"-d", folder.toString(), internals.toString()};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, options));
    assertRefused(support(oldFiles(folder)), "another class loader");
  }

  /** Loads classes of a folder. */
  private static class FolderLoader extends ClassLoader {
    private final Path folder;

    FolderLoader(Path folder, ClassLoader parent) {
      super(parent);
      this.folder = folder;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try {
        byte[] bytes = Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class"));
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Loads this module's classes itself and hides a library from them. */
  private static final class OwnLoader extends FolderLoader {
    private static final String OWN = "io.ariadne.io.s3.";

    private final String hidden;

    OwnLoader(String hidden) throws Exception {
      super(
          Path.of(
              S3ReaderProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI()),
          TestS3ReaderProvider.class.getClassLoader());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (name.startsWith(hidden)) {
          throw new ClassNotFoundException(name);
        }
        if (!name.startsWith(OWN)) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }

  @Test
  void sendsWhatS3aIsConfiguredToSend() throws Exception {
    String customerKey = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    Map<String, String> settings =
        Map.of(
            "fs.s3a.requester.pays.enabled", "true",
            "fs.s3a.encryption.algorithm", "SSE-C",
            "fs.s3a.bucket.bucket.encryption.key", customerKey,
            "fs.s3a.connection.ssl.enabled", "false",
            "fs.s3a.audit.reject.out.of.span.operations", "true");
    try (S3Fixture own = new S3Fixture(settings)) {
      own.store.put("a b", new byte[100], "\"1\"");
      URI file = new URI("s3a", StubS3.BUCKET, "/a b", null);
      OpenRequest request =
          new OpenRequest(file, OpenRequest.UNKNOWN, -1, null, own.files, own.counters);
      try (ByteRangeReader reader = provider.open(request);
          var target = memory.allocator().allocate(10)) {
        reader.read(10, target, 0, 10);
      }
      assertEquals(2, own.store.asks().size());
      for (StubS3.Ask ask : own.store.asks()) {
        assertEquals("a%20b", ask.key());
        assertEquals("requester", ask.headers().get("x-amz-request-payer"));
        assertEquals(customerKey, ask.headers().get("x-amz-server-side-encryption-customer-key"));
        assertTrue(ask.headers().get("referer").contains("op_open"), "audit header");
      }
      own.assertIdle();
    }
  }
}
