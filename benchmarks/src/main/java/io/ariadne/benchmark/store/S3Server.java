package io.ariadne.benchmark.store;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * s3proxy over a folder, in a JVM of its own on a free port of the loopback interface. A bucket is
 * a folder in it, an object a file with its ETag in an extended attribute. It serves requests that
 * the keys have signed and refuses others. Its JVM ends with this one.
 */
public final class S3Server implements AutoCloseable {
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int STOP_SECONDS = 10;
  private static final int POLL_MILLIS = 100;
  private static final int POLL_TIMEOUT_MILLIS = 5000;
  private static final long MAX_SIGNED_BYTES = 1L << 30;

  private final Process process;
  private final Path settings;
  private final URI endpoint;

  private S3Server(Process process, Path settings, URI endpoint) {
    this.process = process;
    this.settings = settings;
    this.endpoint = endpoint;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param classPath jars of s3proxy, as the module {@code benchmarks/s3proxy} writes them
   * @param folder where the buckets are; created when it is missing
   * @param keys sign requests
   * @param work folder for its log and settings
   */
  public static S3Server start(String classPath, Path folder, StoreKeys keys, Path work)
      throws IOException {
    Files.createDirectories(folder);
    Files.createDirectories(work);
    URI endpoint = URI.create("http://127.0.0.1:" + freePort());
    Path settings = writeSettings(folder, keys, work, endpoint);
    Path log = work.resolve("s3proxy.log");
    Process process =
        new ProcessBuilder(command(classPath, settings, writeLogging(work)))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    S3Server server = new S3Server(process, settings, endpoint);
    try {
      server.awaitAnswer(log);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Path writeSettings(Path folder, StoreKeys keys, Path work, URI endpoint)
      throws IOException {
    Path file = work.resolve("s3proxy-" + endpoint.getPort() + ".properties");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(
        file,
        List.of(
            "s3proxy.endpoint=" + endpoint,
            "s3proxy.authorization=aws-v2-or-v4",
            "s3proxy.identity=" + keys.accessKey(),
            "s3proxy.credential=" + keys.secretKey(),
            // The hash of a signed body is checked in memory.
            "s3proxy.v4-max-non-chunked-request-size=" + MAX_SIGNED_BYTES,
            "jclouds.provider=filesystem-nio2",
            "jclouds.identity=local",
            "jclouds.credential=local",
            "jclouds.filesystem.basedir=" + folder.toAbsolutePath()));
    return file;
  }

  private static Path writeLogging(Path work) throws IOException {
    return Files.writeString(
        work.resolve("s3proxy-logback.xml"),
        """
        <configuration>
          <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%d %-5level %logger{1}: %msg%n</pattern></encoder>
          </appender>
          <root level="warn"><appender-ref ref="console"/></root>
        </configuration>
        """,
        StandardCharsets.UTF_8);
  }

  private static List<String> command(String classPath, Path settings, Path logging)
      throws IOException {
    Path classes;
    try {
      classes =
          Path.of(S3ServerMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("cannot find the classes of the benchmarks", e);
    }
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", // less processor time in all, in runs of minutes
        "-Dlogback.configurationFile=" + logging,
        "-cp",
        classes + File.pathSeparator + classPath,
        S3ServerMain.class.getName(),
        "--properties",
        settings.toString());
  }

  private void awaitAnswer(Path log) throws IOException {
    long start = System.nanoTime();
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - start > START_NANOS) {
        throw new IOException("the S3 server did not start; its log is " + log);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while the S3 server started", e);
      }
    }
  }

  /** Returns whether the server answers a request, which it refuses for its missing signature. */
  private boolean answers() {
    try {
      HttpURLConnection connection = (HttpURLConnection) endpoint.toURL().openConnection();
      connection.setReadTimeout(POLL_TIMEOUT_MILLIS);
      int status = connection.getResponseCode();
      connection.disconnect();
      return status == HttpURLConnection.HTTP_FORBIDDEN;
    } catch (IOException e) {
      return false; // not yet
    }
  }

  /** Returns the address. */
  public URI endpoint() {
    return endpoint;
  }

  /** Returns the processor time that the server has used, in nanoseconds; 0 where it is unknown. */
  public long cpuNanos() {
    return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(settings);
  }
}
