package io.ariadne.event;

import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes events as JSON that trace viewers open (Perfetto, {@code chrome://tracing}): the "JSON
 * Array Format" of Google's document "Trace Event Format", complete events ({@code ph=X}) with
 * times in microseconds; events that {@link EventKind#overlaps overlap} others as asynchronous ones
 * ({@code ph=b} and {@code ph=e}).
 */
public final class ChromeTrace {
  private ChromeTrace() {}

  /**
   * Writes a trace; times count from the first event.
   *
   * @param events in the order in which they began
   * @param process number of the process in the trace
   * @param out stays open
   * @throws IOException when it cannot be written
   */
  public static void write(List<Event> events, long process, Writer out) throws IOException {
    Map<String, Integer> threads = new LinkedHashMap<>();
    long origin = events.isEmpty() ? 0 : events.get(0).startNanos();
    out.write("[");
    String separator = "\n";
    int overlapping = 0;
    for (Event event : events) {
      Integer thread = threads.get(event.thread());
      if (thread == null) {
        thread = threads.size() + 1;
        threads.put(event.thread(), thread);
        out.write(separator);
        writeThread(event.thread(), thread, process, out);
        separator = ",\n";
      }
      out.write(separator);
      if (event.kind().overlaps()) {
        overlapping++;
        String place = "\"pid\":" + process + ",\"tid\":" + thread;
        writeOverlapping(event, origin, overlapping, place, out);
      } else {
        write(event, origin, thread, process, out);
      }
    }
    out.write("\n]\n");
  }

  private static void writeThread(String name, int thread, long process, Writer out)
      throws IOException {
    out.write("{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" + process + ",\"tid\":" + thread);
    out.write(",\"args\":{\"name\":\"" + escaped(name) + "\"}}");
  }

  private static void write(Event event, long origin, int thread, long process, Writer out)
      throws IOException {
    double start = (event.startNanos() - origin) / 1000.0;
    String times =
        String.format(Locale.ROOT, ",\"ts\":%.3f,\"dur\":%.3f", start, event.nanos() / 1000.0);
    out.write("{\"ph\":\"X\",\"name\":\"" + event.kind() + "\",\"pid\":" + process);
    out.write(",\"tid\":" + thread + times + ",\"args\":{\"node\":" + event.node());
    out.write(",\"bytes\":" + event.bytes());
    if (event.from() != null) {
      out.write(",\"from\":\"" + event.from() + "\"");
    }
    if (event.to() != null) {
      out.write(",\"to\":\"" + event.to() + "\"");
    }
    out.write("}}");
  }

  private static void writeOverlapping(Event event, long origin, int id, String place, Writer out)
      throws IOException {
    double start = (event.startNanos() - origin) / 1000.0;
    String common =
        String.format(
            Locale.ROOT,
            "\"cat\":\"%1$s\",\"name\":\"%1$s\",\"id\":%2$d,%3$s",
            event.kind(),
            id,
            place);
    out.write(String.format(Locale.ROOT, "{\"ph\":\"b\",%s,\"ts\":%.3f", common, start));
    out.write(",\"args\":{\"bytes\":" + event.bytes() + "}},\n");
    double end = start + event.nanos() / 1000.0;
    out.write(String.format(Locale.ROOT, "{\"ph\":\"e\",%s,\"ts\":%.3f}", common, end));
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else {
        escaped.append(c < ' ' ? ' ' : c);
      }
    }
    return escaped.toString();
  }
}
