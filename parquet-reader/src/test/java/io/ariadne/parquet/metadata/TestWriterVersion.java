package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TestWriterVersion {
  /** The pattern of parquet-mr's {@code VersionParser}. */
  private static final Pattern THEIRS =
      Pattern.compile("(.*?)\\s+version\\s*(?:([^(]*?)\\s*(?:\\(\\s*build\\s*([^)]*?)\\s*\\))?)?");

  private static final String[] PARTS = {
    "version", "version", " ", " ", "\t", "\n", "(", "build", ")", "1.2.3", "mr", "\u2028", "vers"
  };

  @Test
  void parsesLikeParquetMr() {
    Random random = new Random(5);
    int known = 0;
    for (int i = 0; i < 300_000; i++) {
      StringBuilder text = new StringBuilder(i % 2 == 0 ? "" : "mr version");
      for (int part = random.nextInt(12); part > 0; part--) {
        text.append(PARTS[random.nextInt(PARTS.length)]);
      }
      Matcher theirs = THEIRS.matcher(text);
      WriterVersion expected =
          theirs.matches()
              ? new WriterVersion(theirs.group(1), theirs.group(2) == null ? "" : theirs.group(2))
              : null;
      assertEquals(expected, WriterVersion.of(text.toString()), () -> "<" + text + ">");
      known += expected == null ? 0 : 1;
    }
    assertEquals(true, known > 10_000, known + " known");
  }

  @Test
  void parsesHostileTextFast() {
    String blanks = " ".repeat(1_000_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          for (String text :
              new String[] {blanks, "a version 1" + blanks, "a version (" + blanks}) {
            assertNull(WriterVersion.of(text));
            assertEquals(false, new StatisticsTrust(text).nanIsBound());
          }
          assertNull(WriterVersion.of("a version " + " ".repeat(1000) + "(x"));
        });
    assertNotNull(WriterVersion.of("parquet-mr version 1.17.0 (build x)"));
    assertNull(WriterVersion.of(null));
  }
}
