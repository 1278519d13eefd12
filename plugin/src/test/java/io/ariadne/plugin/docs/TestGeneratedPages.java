package io.ariadne.plugin.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The committed pages are what the declarations give; {@link GenerateDocs} writes them. */
class TestGeneratedPages {
  @Test
  void committedPagesAreCurrent() throws IOException {
    Path docs = Path.of("..", "docs");
    for (Map.Entry<String, String> page : GenerateDocs.pages().entrySet()) {
      String committed = Files.readString(docs.resolve(page.getKey()), StandardCharsets.UTF_8);
      assertEquals(
          page.getValue(),
          committed,
          "docs/" + page.getKey() + ": ./mvnw -pl plugin compile exec:java@docs writes it");
    }
  }
}
