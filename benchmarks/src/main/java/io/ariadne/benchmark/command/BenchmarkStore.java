package io.ariadne.benchmark.command;

import io.ariadne.benchmark.engine.EngineStorage;
import io.ariadne.benchmark.report.ProgressBar;
import io.ariadne.benchmark.store.LocalStore;
import io.ariadne.benchmark.store.StoreTraffic;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/**
 * The object store of a benchmark: one on this machine, which stays up for the run, or one that the
 * user's Hadoop configuration describes.
 */
final class BenchmarkStore implements AutoCloseable {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MEGA = 1e6;
  private static final int UPLOADS_AT_ONCE = 8;

  private final URI address;
  private final Path config;
  private final LocalStore local;

  /** What the server had used when the tables were complete. */
  private long serverNanosBefore;

  private long proxyNanosBefore;

  private BenchmarkStore(URI address, Path config, LocalStore local) {
    this.address = address;
    this.config = config;
    this.local = local;
  }

  /**
   * Starts the local store, if the options ask for it.
   *
   * @param options with an address
   * @param data folder of the local store, which keeps uploaded tables for later runs
   * @param work folder for its log
   */
  static BenchmarkStore open(StoreOptions options, Path data, Path work) throws IOException {
    String scheme = options.address.toString().replaceFirst("^s3:", "s3a:").replaceFirst("/$", "");
    URI address = URI.create(scheme);
    if (options.config != null) {
      return new BenchmarkStore(address, options.config.toAbsolutePath(), null);
    }
    LocalStore local = LocalStore.start(data.toAbsolutePath().resolve("store"), work);
    local.createBucket(address.getAuthority());
    local.proxy().shape(options.shape());
    local.proxy().faults(options.faults());
    return new BenchmarkStore(address, null, local);
  }

  /** Returns what engines need to read from the store. */
  EngineStorage storage() {
    return local == null
        ? EngineStorage.LOCAL
        : new EngineStorage(local.settings(), local.keyEnvironment());
  }

  /** Returns what precedes the class path of the engines: a folder with the configuration. */
  List<String> classPath() {
    return config == null ? List.of() : List.of(config.toString());
  }

  /** Returns the traffic until now; null when it is not counted. */
  StoreTraffic traffic() {
    return local == null ? null : local.proxy().traffic();
  }

  /** Returns a client that is neither shaped nor counted. */
  FileSystem client() throws IOException {
    return FileSystem.newInstance(address, configuration());
  }

  /** Returns the address of the folder of all tables. */
  URI address() {
    return address;
  }

  /** Returns the processor time that server and proxy have used; 0 for a store elsewhere. */
  long cpuNanos() {
    return local == null ? 0 : local.serverCpuNanos() + local.proxy().cpuNanos();
  }

  /**
   * Uploads the tables that the store does not have.
   *
   * @param tables name to folder
   * @return name to address
   */
  Map<String, String> upload(Map<String, Path> tables) throws IOException {
    Map<String, String> addresses = new LinkedHashMap<>();
    try (FileSystem store = client();
        ProgressBar progress = new ProgressBar("Uploading", tables.size())) {
      for (Map.Entry<String, Path> table : tables.entrySet()) {
        // Tables of several scale factors are beside each other.
        Path folder = table.getValue();
        String name = folder.getParent().getFileName() + "/" + folder.getFileName();
        org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(address + "/" + name);
        upload(store, folder, target);
        addresses.put(table.getKey(), target.toString());
        progress.step(table.getKey());
      }
    }
    if (local != null) {
      serverNanosBefore = local.serverCpuNanos();
      proxyNanosBefore = local.proxy().cpuNanos();
    }
    return addresses;
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    if (config != null) {
      configuration.addResource(new org.apache.hadoop.fs.Path(config.toUri() + "/core-site.xml"));
    }
    if (local != null) {
      local.directSettings().forEach(configuration::set);
      local.keySettings().forEach(configuration::set);
    }
    return configuration;
  }

  private static void upload(FileSystem store, Path folder, org.apache.hadoop.fs.Path target)
      throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.filter(f -> !f.getFileName().toString().startsWith(".")).sorted().toList();
    }
    Map<String, FileStatus> uploaded = new HashMap<>();
    if (store.exists(target)) {
      for (FileStatus status : store.listStatus(target)) {
        uploaded.put(status.getPath().getName(), status);
      }
    }
    List<Path> missing = new ArrayList<>();
    for (Path file : files) {
      FileStatus status = uploaded.remove(file.getFileName().toString());
      if (status == null || !isOf(file, status)) {
        missing.add(file);
      }
    }
    writeAll(store, missing, target);
    for (FileStatus stale : uploaded.values()) {
      store.delete(stale.getPath(), true);
    }
  }

  private static Thread daemon(Runnable upload) {
    Thread thread = new Thread(upload, "upload");
    thread.setDaemon(true);
    return thread;
  }

  /** Uploads files, several at a time: most of the time of a small one is that of its requests. */
  private static void writeAll(FileSystem store, List<Path> files, org.apache.hadoop.fs.Path target)
      throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(UPLOADS_AT_ONCE, BenchmarkStore::daemon);
    try {
      List<Future<Void>> writes = new ArrayList<>();
      for (Path file : files) {
        String name = file.getFileName().toString();
        writes.add(
            threads.submit(
                () -> {
                  write(store, file, new org.apache.hadoop.fs.Path(target, name));
                  return null;
                }));
      }
      for (Future<Void> write : writes) {
        write.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the upload to " + target + " failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted during the upload to " + target);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Uploads a file through a stream, which signs what it sends; {@code copyFromLocalFile} sends
   * unsigned bodies, which s3proxy refuses.
   */
  private static void write(FileSystem store, Path file, org.apache.hadoop.fs.Path target)
      throws IOException {
    try (OutputStream stream = store.create(target, true)) {
      Files.copy(file, stream);
    }
  }

  private static boolean isOf(Path file, FileStatus uploaded) throws IOException {
    return uploaded.getLen() == Files.size(file)
        && uploaded.getModificationTime() >= Files.getLastModifiedTime(file).toMillis();
  }

  /** Returns what the store itself used of the machine; empty when it is elsewhere. */
  String cost() {
    if (local == null || local.proxy().traffic().bytes() == 0) {
      return "";
    }
    double megabytes = local.proxy().traffic().bytes() / MEGA;
    return "store: %.2f ms of processor time per MB in the server, %.2f in the proxy%n"
        .formatted(
            (local.serverCpuNanos() - serverNanosBefore) / NANOS_PER_MILLI / megabytes,
            (local.proxy().cpuNanos() - proxyNanosBefore) / NANOS_PER_MILLI / megabytes);
  }

  @Override
  public void close() throws IOException {
    if (local != null) {
      local.close();
    }
  }
}
