package io.ariadne.plugin;

import io.ariadne.AriadnePlugin;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** Identifies this build, and checks that it fits the process and is on the class path once. */
final class BuildInfo {
  private static final String RESOURCE = "ariadne-build.properties";

  private BuildInfo() {}

  /** Returns the version and the Spark line of the jar as text. */
  static String describe() {
    Properties properties = properties();
    return "Ariadne " + properties.getProperty("version") + " for Spark " + line();
  }

  /** Returns the Spark line of the jar, for example {@code 4.1}. */
  static String line() {
    return properties().getProperty("spark.line");
  }

  /**
   * Returns whether Spark creates its shuffle manager after the plugin has started on the driver,
   * and after executors have the plugin's jar: since Spark 4.0 (SPARK-45762).
   */
  static boolean createsShuffleManagerAfterPlugins() {
    return !line().startsWith("3.");
  }

  private static Properties properties() {
    Properties properties = new Properties();
    try (InputStream in = AriadnePlugin.class.getResourceAsStream("/" + RESOURCE)) {
      if (in == null) {
        throw new EngineException(ErrorCode.INTERNAL, RESOURCE + " is missing from the jar");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new EngineException(ErrorCode.INTERNAL, RESOURCE + " cannot be read", e);
    }
    return properties;
  }

  /**
   * Checks that the process runs the Spark line of the jar.
   *
   * @param sparkVersion for example {@code 4.1.3}
   * @throws EngineException CONFIGURATION otherwise
   */
  static void checkSpark(String sparkVersion) {
    if (!sparkVersion.startsWith(line() + ".")) {
      throw new EngineException(
          ErrorCode.CONFIGURATION,
          describe() + " does not run with Spark " + sparkVersion + "; take the jar for that line");
    }
  }

  /**
   * Checks that no second copy of the plugin is on the class path.
   *
   * @param loader the class loader with which Spark loads plugins
   * @throws EngineException CONFIGURATION, naming the copies
   */
  static void checkSingle(ClassLoader loader) {
    Set<String> places = new TreeSet<>();
    String name = AriadnePlugin.class.getName().replace('.', '/') + ".class";
    try {
      for (URL url : Collections.list(loader.getResources(name))) {
        places.add(url.toString().replaceFirst("!?/" + name + "$", "").replaceFirst("^jar:", ""));
      }
    } catch (IOException e) {
      throw new EngineException(ErrorCode.CONFIGURATION, "the class path cannot be searched", e);
    }
    if (places.size() > 1) {
      throw new EngineException(
          ErrorCode.CONFIGURATION,
          "more than one copy of Ariadne is on the class path, keep one: " + places);
    }
  }
}
