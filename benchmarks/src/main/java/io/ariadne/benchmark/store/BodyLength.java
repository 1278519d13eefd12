package io.ariadne.benchmark.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds the end of the body of an HTTP/1.1 message. The bytes are not changed: those of a chunked
 * body include its chunk headers.
 */
final class BodyLength {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int MAX_LINE = 4096;

  private enum Part {
    COUNTED,
    CHUNK_HEADER,
    CHUNK,
    TRAILER,
    UNTIL_CLOSED
  }

  private Part part;
  private long left;
  private final StringBuilder line = new StringBuilder();

  private BodyLength(Part part, long left) {
    this.part = part;
    this.left = left;
  }

  static BodyLength none() {
    return new BodyLength(Part.COUNTED, 0);
  }

  static BodyLength ofRequest(HttpHead head) throws IOException {
    return isChunked(head)
        ? new BodyLength(Part.CHUNK_HEADER, 0)
        : new BodyLength(Part.COUNTED, Math.max(0, head.contentLength()));
  }

  static BodyLength ofResponse(HttpHead head, boolean isHead) throws IOException {
    int status = head.status();
    if (isHead || status == NO_CONTENT || status == NOT_MODIFIED) {
      return new BodyLength(Part.COUNTED, 0);
    }
    if (isChunked(head)) {
      return new BodyLength(Part.CHUNK_HEADER, 0);
    }
    return head.contentLength() < 0
        ? new BodyLength(Part.UNTIL_CLOSED, 0)
        : new BodyLength(Part.COUNTED, head.contentLength());
  }

  private static boolean isChunked(HttpHead head) {
    return head.hasHeader("Transfer-Encoding", "chunked");
  }

  boolean hasEnded() {
    return part == Part.COUNTED && left == 0;
  }

  boolean endsWithConnection() {
    return part == Part.UNTIL_CLOSED;
  }

  /**
   * Counts the bytes of a buffer that belong to the body.
   *
   * @param bytes from position; the position does not change
   * @param most bytes to count at most
   */
  int count(ByteBuffer bytes, int most) throws IOException {
    int length = Math.min(bytes.remaining(), most);
    if (part == Part.UNTIL_CLOSED) {
      return length;
    }
    int at = 0;
    while (at < length && !hasEnded()) {
      if (part == Part.COUNTED || part == Part.CHUNK) {
        int taken = (int) Math.min(left, length - at);
        at += taken;
        left -= taken;
        if (part == Part.CHUNK && left == 0) {
          part = Part.CHUNK_HEADER;
        }
      } else {
        acceptOfLine((char) bytes.get(bytes.position() + at));
        at++;
      }
    }
    return at;
  }

  private void acceptOfLine(char next) throws IOException {
    if (next != '\n') {
      line.append(next);
      if (line.length() > MAX_LINE) {
        throw new IOException("a chunk header of more than " + MAX_LINE + " bytes");
      }
      return;
    }
    String complete = line.toString().trim();
    line.setLength(0);
    if (part == Part.TRAILER) {
      if (complete.isEmpty()) {
        part = Part.COUNTED;
        left = 0;
      }
    } else if (!complete.isEmpty()) { // empty: the end of the line after a chunk
      startChunk(complete);
    }
  }

  private void startChunk(String header) throws IOException {
    int semicolon = header.indexOf(';');
    String size = semicolon < 0 ? header : header.substring(0, semicolon);
    try {
      left = Long.parseLong(size.trim(), 16);
    } catch (NumberFormatException e) {
      throw new IOException("a chunk of length " + size, e);
    }
    part = left == 0 ? Part.TRAILER : Part.CHUNK;
  }
}
