package io.ariadne.plugin.config;

import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * The shuffle manager of an application, and whether map outputs stay in memory.
 *
 * @param isOurs whether the shuffle manager is Ariadne's
 * @param reasonForFiles why all map outputs are in files though Ariadne's manager is there or would
 *     be set; empty when map outputs of Ariadne's exchanges stay in the memory tiers, or the user
 *     has Spark's manager
 */
public record ShuffleMode(boolean isOurs, Optional<String> reasonForFiles) {
  /** The class that users configure. */
  static final String MANAGER_CLASS = "io.ariadne.shuffle.AriadneShuffleManager";

  private static final String MANAGER = "spark.shuffle.manager";

  /** When true, executors read the files of other executors on their host directly. */
  private static final String HOST_LOCAL = "spark.shuffle.readHostLocalDisk";

  private static final String FILES = "spark.shuffle.sort.io.plugin.class";
  private static final String SPARKS_FILES =
      "org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO";

  /**
   * Spark migrates shuffle blocks when all of these are true. Only the last one is true by default.
   */
  private static final List<Switch> MIGRATION =
      List.of(
          new Switch("spark.decommission.enabled", false),
          new Switch("spark.storage.decommission.enabled", false),
          new Switch("spark.storage.decommission.shuffleBlocks.enabled", true));

  /** A setting of Spark and its default. */
  private record Switch(String key, boolean isOnByDefault) {
    boolean isOn(SparkConf conf) {
      return conf.getBoolean(key, isOnByDefault);
    }
  }

  /**
   * Makes Ariadne's shuffle manager that of an application whose user has named none, if map
   * outputs stay in memory then. Spark's driver calls this before Spark creates the manager.
   *
   * @param conf the application's settings
   */
  public static void setManager(SparkConf conf) {
    if (reasonForFiles(requestingBlocks(conf)).isEmpty()) {
      conf.setIfMissing(MANAGER, MANAGER_CLASS);
    }
  }

  /**
   * Prepares an application for map outputs in memory. Spark's driver calls this before executors
   * start. An executor then requests blocks from other executors on its host instead of reading
   * their files, unless the user has set {@code spark.shuffle.readHostLocalDisk}. Has no effect
   * when all map outputs are in files.
   *
   * @param conf the application's settings
   */
  public static void prepare(SparkConf conf) {
    if (isOurs(conf) && reasonForFiles(requestingBlocks(conf)).isEmpty()) {
      conf.setIfMissing(HOST_LOCAL, "false");
    }
  }

  /** Returns settings with which executors request blocks of their host, unless users object. */
  private static SparkConf requestingBlocks(SparkConf conf) {
    return conf.clone().setIfMissing(HOST_LOCAL, "false");
  }

  private static boolean isOurs(SparkConf conf) {
    return conf.get(MANAGER, "sort").equals(MANAGER_CLASS);
  }

  /**
   * Returns the mode that an application's settings select.
   *
   * @param conf its settings, after {@link #prepare} on Spark's driver
   */
  public static ShuffleMode of(SparkConf conf) {
    if (isOurs(conf)) {
      return new ShuffleMode(true, reasonForFiles(conf));
    }
    return new ShuffleMode(
        false, conf.contains(MANAGER) ? Optional.empty() : reasonForFiles(requestingBlocks(conf)));
  }

  private static Optional<String> reasonForFiles(SparkConf conf) {
    if (conf.getBoolean("spark.shuffle.service.enabled", false)) {
      return Optional.of(
          "the external shuffle service (spark.shuffle.service.enabled) reads files");
    }
    if (MIGRATION.stream().allMatch(each -> each.isOn(conf))) {
      List<String> keys = MIGRATION.stream().map(Switch::key).toList();
      return Optional.of("decommissioned executors migrate their files (" + keys + ")");
    }
    if (conf.getBoolean("spark.shuffle.useOldFetchProtocol", false)) {
      return Optional.of("spark.shuffle.useOldFetchProtocol does not distinguish attempts");
    }
    if (!conf.get(FILES, SPARKS_FILES).equals(SPARKS_FILES)) {
      return Optional.of(FILES + " is " + conf.get(FILES));
    }
    if (spillsNowhere(conf)) {
      return Optional.of(
          "with " + ConfigKeys.SPILL_DIRECTORIES.name() + "=none they could not spill to disk");
    }
    if (conf.getBoolean(HOST_LOCAL, true)) {
      return Optional.of(HOST_LOCAL + " makes executors of one host read each other's files");
    }
    return Optional.empty();
  }

  private static boolean spillsNowhere(SparkConf conf) {
    return conf.get(ConfigKeys.SPILL_DIRECTORIES.name(), "").equals(ConfigKeys.NO_DIRECTORIES);
  }

  /** Returns whether map outputs of Ariadne's exchanges stay in the memory tiers. */
  public boolean keepsOutputs() {
    return isOurs && reasonForFiles.isEmpty();
  }

  /** Returns whether map outputs are in files because the shuffle manager is Spark's. */
  boolean needsOurs() {
    return !isOurs && reasonForFiles.isEmpty();
  }

  /** Returns the mode as part of the start-up line. */
  public String description() {
    if (!isOurs) {
      return "shuffle through Spark's own manager"
          + reasonForFiles.map(reason -> ", map outputs in files: " + reason).orElse("");
    }
    return "shuffle through Ariadne's manager, map outputs "
        + reasonForFiles.map(reason -> "in files: " + reason).orElse("in memory");
  }
}
