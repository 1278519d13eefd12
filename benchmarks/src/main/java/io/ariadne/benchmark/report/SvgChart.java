package io.ariadne.benchmark.report;

import java.util.List;

/** Draws horizontal bars, a group per query and a bar per engine, as a self-contained SVG. */
final class SvgChart {
  private static final int MIN_LEFT = 70;
  private static final int LABEL_CHARACTER = 7;
  private static final int BAR_AREA = 560;
  private static final int RIGHT = 130;
  private static final int BAR = 16;
  private static final int GAP = 14;
  private static final int TOP = 64;
  private static final int MARGIN = 10;
  private static final List<String> COLOURS = List.of("#8a94a6", "#c2402b", "#3b7d9c", "#d9a23b");

  private final List<String> engines;
  private final List<Measurement> measurements;
  private final int left;

  SvgChart(List<String> engines, List<Measurement> measurements) {
    this.engines = engines;
    this.measurements = measurements.stream().filter(m -> !m.failed()).toList();
    int longest = measurements.stream().mapToInt(m -> m.query.length()).max().orElse(0);
    left = Math.max(MIN_LEFT, 2 * MARGIN + longest * LABEL_CHARACTER);
  }

  String render(String title) {
    double longest =
        measurements.stream().mapToDouble(Measurement::getMedianSeconds).max().orElse(1);
    StringBuilder bars = new StringBuilder();
    int y = TOP;
    String lastQuery = null;
    for (Measurement m : measurements) {
      if (!m.query.equals(lastQuery)) {
        y += lastQuery == null ? 0 : GAP;
        bars.append(text(left - MARGIN, y + BAR - 3, "end", m.query));
        lastQuery = m.query;
      }
      bars.append(bar(m, y, longest));
      y += BAR + 2;
    }
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" \
    font-family="sans-serif" font-size="12">
    <rect width="100%%" height="100%%" fill="white"/>
    <text x="%d" y="22" font-size="15" font-weight="bold">%s</text>
    %s%s</svg>
    """
        .formatted(left + BAR_AREA + RIGHT, y + GAP, MARGIN, title, legend(), bars);
  }

  private String bar(Measurement m, int y, double longest) {
    double seconds = m.getMedianSeconds();
    double width = Math.max(1, BAR_AREA * seconds / longest);
    return """
    <rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>
    %s\
    """
        .formatted(
            left,
            y,
            width,
            BAR,
            colour(m.engine),
            text(left + width + 5, y + BAR - 4, "start", "%.2f s".formatted(seconds)));
  }

  private String legend() {
    StringBuilder legend = new StringBuilder();
    int x = left;
    for (String engine : engines) {
      legend.append(
          "<rect x=\"%d\" y=\"36\" width=\"12\" height=\"12\" fill=\"%s\"/>\n"
              .formatted(x, colour(engine)));
      legend.append(text(x + 17, 46, "start", engine));
      x += 100;
    }
    return legend.toString();
  }

  private String colour(String engine) {
    return COLOURS.get(engines.indexOf(engine) % COLOURS.size());
  }

  private static String text(double x, double y, String anchor, String text) {
    return "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n"
        .formatted(x, y, anchor, text);
  }
}
