package io.ariadne.benchmark.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An S3 store on this machine: a server over a folder, and a proxy that shapes what clients get.
 * Thread-safe.
 */
public final class LocalStore implements AutoCloseable {
  /** System property with the file that has the class path of the server. */
  public static final String CLASS_PATH_FILE = "ariadne.s3proxy.classpath";

  /** The region that clients name in signatures. */
  public static final String REGION = "us-east-1";

  private final Path folder;
  private final StoreKeys keys;
  private final S3Server server;
  private final ShapingProxy proxy;

  private LocalStore(Path folder, StoreKeys keys, S3Server server, ShapingProxy proxy) {
    this.folder = folder;
    this.keys = keys;
    this.server = server;
    this.proxy = proxy;
  }

  /**
   * Starts a store without limits and faults, with new keys.
   *
   * @param folder where the buckets are; what it has is served
   * @param work folder for logs
   */
  public static LocalStore start(Path folder, Path work) throws IOException {
    StoreKeys keys = StoreKeys.random();
    S3Server server = S3Server.start(classPath(), folder, keys, work);
    try {
      return new LocalStore(folder, keys, server, ShapingProxy.start(server.endpoint()));
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  private static String classPath() throws IOException {
    String file = System.getProperty(CLASS_PATH_FILE);
    if (file == null || !Files.exists(Path.of(file))) {
      throw new IOException(
          "no class path of the S3 server: -D%s=%s; run ./mvnw -pl benchmarks/s3proxy install"
              .formatted(CLASS_PATH_FILE, file));
    }
    return Files.readString(Path.of(file)).trim();
  }

  /** Creates a bucket if there is none of this name, which has at least three characters. */
  public void createBucket(String name) throws IOException {
    Files.createDirectories(folder.resolve(name));
  }

  /** Returns the proxy, whose behaviour the caller may change. */
  public ShapingProxy proxy() {
    return proxy;
  }

  /** Returns the keys. */
  public StoreKeys keys() {
    return keys;
  }

  /** Returns the processor time that the server has used, in nanoseconds. */
  public long serverCpuNanos() {
    return server.cpuNanos();
  }

  /** Returns S3A's settings for clients, without the keys. */
  public Map<String, String> settings() {
    return settings(proxy.endpoint());
  }

  /** Returns S3A's settings for a client that is neither shaped nor counted, without the keys. */
  public Map<String, String> directSettings() {
    return settings(server.endpoint());
  }

  private static Map<String, String> settings(URI endpoint) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("fs.s3a.endpoint", endpoint.toString());
    settings.put("fs.s3a.endpoint.region", REGION);
    settings.put("fs.s3a.path.style.access", "true");
    settings.put("fs.s3a.connection.ssl.enabled", "false");
    return settings;
  }

  /** Returns S3A's settings for the keys: for settings in memory, not for command lines. */
  public Map<String, String> keySettings() {
    return Map.of(
        "fs.s3a.aws.credentials.provider",
        "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
        "fs.s3a.access.key",
        keys.accessKey(),
        "fs.s3a.secret.key",
        keys.secretKey());
  }

  /** Returns the environment variables from which S3A takes the keys. */
  public Map<String, String> keyEnvironment() {
    return Map.of("AWS_ACCESS_KEY_ID", keys.accessKey(), "AWS_SECRET_ACCESS_KEY", keys.secretKey());
  }

  @Override
  public void close() throws IOException {
    try (server) {
      proxy.close();
    }
  }
}
