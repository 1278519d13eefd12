package io.ariadne.it.suites;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.scalatest.DoNotDiscover;
import org.scalatest.Suite;

/**
 * Finds the suites that ScalaTest would find among Spark's classes: concrete, with a constructor
 * without parameters.
 */
final class SuiteDiscovery {
  /** Names the folder of Spark's test classes. */
  static final String FOLDER = "ariadne.suites.classes";

  private static final String CLASS = ".class";

  private SuiteDiscovery() {}

  static List<String> names() throws IOException {
    Path root = Path.of(System.getProperty(FOLDER)).toRealPath();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(name -> name.endsWith(CLASS) && name.indexOf('$') < 0)
          .map(name -> name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
          .filter(SuiteDiscovery::isSuite)
          .sorted()
          .toList();
    }
  }

  private static boolean isSuite(String name) {
    try {
      Class<?> type = Class.forName(name, false, SuiteDiscovery.class.getClassLoader());
      return Suite.class.isAssignableFrom(type)
          && !Modifier.isAbstract(type.getModifiers())
          && !type.isAnnotationPresent(DoNotDiscover.class)
          && Stream.of(type.getConstructors()).anyMatch(SuiteDiscovery::isWithoutParameters);
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      // A class whose library is missing. If it is a suite, it is reported like the suites that
      // were found.
      System.err.println("not loaded: " + name + ": " + e);
      return name.endsWith("Suite");
    }
  }

  private static boolean isWithoutParameters(Constructor<?> constructor) {
    return constructor.getParameterCount() == 0;
  }
}
