package io.ariadne.shuffle.spark;

import java.util.Optional;
import org.apache.spark.SparkConf;

/** Keeps map outputs in memory, whatever the settings are. Spark creates it by its name. */
public final class TestingShuffleManager extends InMemoryShuffleManager {
  /** Creates the manager as Spark asks for it. */
  public TestingShuffleManager(SparkConf conf, boolean isDriver) {
    super(conf, true, Optional.empty(), Optional::empty);
  }
}
