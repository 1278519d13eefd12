package io.ariadne.benchmark.command;

import io.ariadne.benchmark.store.StoreFaults;
import io.ariadne.benchmark.store.StoreShape;
import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of comparisons that read their tables from an object store. */
final class StoreOptions {
  private static final long MEGA = 1_000_000;

  @Option(
      names = "--store",
      paramLabel = "s3://BUCKET/PREFIX",
      description =
          "engines read the tables through s3a:// from a store on this machine with the latency and"
              + " rates below (default: local files)")
  URI address;

  @Option(
      names = "--store-config",
      paramLabel = "FOLDER",
      description =
          "with --store: the store of the core-site.xml in this folder instead; without shape,"
              + " faults and counts")
  Path config;

  @Option(
      names = "--store-latency-ms",
      description = "milliseconds to the first byte of a response (default: ${DEFAULT-VALUE})")
  int latencyMillis = 20;

  @Option(
      names = "--store-connection-rate",
      description = "MB per second of one connection, 0 for no limit (default: ${DEFAULT-VALUE})")
  int connectionRate = 8;

  @Option(
      names = "--store-total-rate",
      description = "MB per second of all connections, 0 for no limit (default: ${DEFAULT-VALUE})")
  int totalRate = 120;

  @Option(
      names = "--store-faults",
      description =
          "none (default), or shares of reads that fail, such as throttle=0.02,slow=0.01; also"
              + " error, reset, short, stall")
  String faults = "none";

  @Option(
      names = "--store-seed",
      description = "chooses which reads fail (default: ${DEFAULT-VALUE})")
  long seed = 1;

  /** Returns whether tables are in a store. */
  boolean isUsed() {
    return address != null;
  }

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException when they are not valid
   */
  void check() {
    if (!isUsed()) {
      if (config != null) {
        throw new IllegalArgumentException("--store-config needs --store s3://BUCKET/PREFIX");
      }
      return;
    }
    boolean isS3 = "s3".equals(address.getScheme()) || "s3a".equals(address.getScheme());
    if (!isS3 || address.getAuthority() == null || address.getPath().length() < 2) {
      throw new IllegalArgumentException(
          "--store " + address + " is not an address such as s3://bucket/prefix");
    }
    shape();
    faults();
  }

  StoreShape shape() {
    return new StoreShape(latencyMillis, connectionRate * MEGA, totalRate * MEGA);
  }

  StoreFaults faults() {
    return StoreFaults.parse(faults, seed);
  }

  /** Returns the options as part of a command line, with a space before; empty without a store. */
  String text() {
    if (!isUsed()) {
      return "";
    }
    if (config != null) {
      return " --store " + address + " --store-config " + config;
    }
    String text =
        " --store %s --store-latency-ms %d --store-connection-rate %d --store-total-rate %d"
            .formatted(address, latencyMillis, connectionRate, totalRate);
    boolean isFaulty = !faults().shares().isEmpty();
    return isFaulty ? text + " --store-faults " + faults + " --store-seed " + seed : text;
  }
}
