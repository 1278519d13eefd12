package io.ariadne.plugin.config;

import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * Who moves the rows of exchanges, and whether map outputs stay in memory.
 *
 * @param isOurs whether Ariadne's shuffle manager does
 * @param reasonForFiles why all map outputs are in files, or empty when those of Ariadne's
 *     exchanges stay in the memory tiers
 */
public record ShuffleMode(boolean isOurs, Optional<String> reasonForFiles) {
  /** The class that users name. */
  static final String MANAGER_CLASS = "io.ariadne.shuffle.AriadneShuffleManager";

  private static final String MANAGER = "spark.shuffle.manager";

  /** Executors read the files of others on their host without asking these. */
  private static final String HOST_LOCAL = "spark.shuffle.readHostLocalDisk";

  private static final String FILES = "spark.shuffle.sort.io.plugin.class";
  private static final String SPARKS_FILES =
      "org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO";

  /** What has to be on for shuffle blocks to be handed on; the last one is unless it is set. */
  private static final List<Switch> MIGRATION =
      List.of(
          new Switch("spark.decommission.enabled", false),
          new Switch("spark.storage.decommission.enabled", false),
          new Switch("spark.storage.decommission.shuffleBlocks.enabled", true));

  /** A setting of Spark's and what it is when nobody has set it. */
  private record Switch(String key, boolean isOnByDefault) {
    boolean isOn(SparkConf conf) {
      return conf.getBoolean(key, isOnByDefault);
    }
  }

  /**
   * Makes an application ready for map outputs that are in no file, on the driver before executors
   * start: unless the user has decided otherwise, executors ask others of their host for blocks
   * instead of reading files of theirs. Does nothing when all outputs are in files.
   *
   * @param conf the application's settings
   */
  public static void prepare(SparkConf conf) {
    ShuffleMode mode = of(conf.clone().set(HOST_LOCAL, "false"));
    if (mode.keepsOutputs()) {
      conf.setIfMissing(HOST_LOCAL, "false");
    }
  }

  /**
   * Returns what an application's settings ask for.
   *
   * @param conf its settings, {@link #prepare prepared} on the driver
   */
  public static ShuffleMode of(SparkConf conf) {
    boolean isOurs = conf.get(MANAGER, "sort").equals(MANAGER_CLASS);
    return new ShuffleMode(
        isOurs, isOurs ? reasonForFiles(conf) : Optional.of("Spark's manager has no others"));
  }

  private static Optional<String> reasonForFiles(SparkConf conf) {
    if (conf.getBoolean("spark.shuffle.service.enabled", false)) {
      return Optional.of(
          "the external shuffle service (spark.shuffle.service.enabled) reads files");
    }
    if (MIGRATION.stream().allMatch(each -> each.isOn(conf))) {
      List<String> keys = MIGRATION.stream().map(Switch::key).toList();
      return Optional.of("executors that are decommissioned hand files on (" + keys + ")");
    }
    if (conf.getBoolean("spark.shuffle.useOldFetchProtocol", false)) {
      return Optional.of("spark.shuffle.useOldFetchProtocol does not tell attempts apart");
    }
    if (!conf.get(FILES, SPARKS_FILES).equals(SPARKS_FILES)) {
      return Optional.of(FILES + " is " + conf.get(FILES));
    }
    if (spillsNowhere(conf)) {
      return Optional.of(
          "with " + ConfigKeys.SPILL_DIRECTORIES.name() + "=none they could not leave memory");
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
    return reasonForFiles.isEmpty();
  }

  /** Returns the mode in part of a line. */
  public String description() {
    if (!isOurs) {
      return "shuffle through Spark's own manager";
    }
    return "shuffle through Ariadne's manager, map outputs "
        + reasonForFiles.map(reason -> "in files: " + reason).orElse("in memory");
  }
}
