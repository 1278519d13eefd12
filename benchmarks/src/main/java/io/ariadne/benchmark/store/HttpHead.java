package io.ariadne.benchmark.store;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The head of an HTTP/1.1 request or response: the first line and the headers.
 *
 * @param text the head as it was received, with the empty line at its end, which a body may follow;
 *     one character per byte
 */
record HttpHead(String text) {
  private static final int FIRST_DIGIT = 9; // of the status in "HTTP/1.1 200"
  private static final int STATUS_DIGITS = 3;
  private static final int INFORMATIONAL = 100;
  private static final int SUCCESS = 200;

  /**
   * Takes a head from a buffer.
   *
   * @param buffer between position and limit the bytes received; a complete head is consumed
   * @return null while the head is not complete
   * @throws IOException when the head fills the whole buffer
   */
  static HttpHead take(ByteBuffer buffer) throws IOException {
    for (int i = buffer.position() + 3; i < buffer.limit(); i++) {
      if (buffer.get(i) == '\n'
          && buffer.get(i - 1) == '\r'
          && buffer.get(i - 2) == '\n'
          && buffer.get(i - 3) == '\r') {
        byte[] bytes = new byte[i + 1 - buffer.position()];
        buffer.get(bytes);
        return new HttpHead(new String(bytes, StandardCharsets.ISO_8859_1));
      }
    }
    if (buffer.remaining() == buffer.capacity()) {
      throw new IOException("an HTTP head of more than " + buffer.capacity() + " bytes");
    }
    return null;
  }

  ByteBuffer bytes() {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns the value of a header; null when there is none. */
  String header(String name) {
    int start = text.indexOf("\r\n") + 2;
    for (int end = text.indexOf("\r\n", start); end > start; end = text.indexOf("\r\n", start)) {
      boolean isNamed =
          end - start > name.length()
              && text.charAt(start + name.length()) == ':'
              && text.regionMatches(true, start, name, 0, name.length());
      if (isNamed) {
        return text.substring(start + name.length() + 1, end).trim();
      }
      start = end + 2;
    }
    return null;
  }

  boolean hasHeader(String name, String value) {
    return value.equalsIgnoreCase(header(name));
  }

  /** Returns the method of a request. */
  String method() {
    return text.substring(0, Math.max(0, text.indexOf(' ')));
  }

  /** Returns the path and query of a request. */
  String target() {
    int start = text.indexOf(' ') + 1;
    int end = text.indexOf(' ', start);
    return end < 0 ? "" : text.substring(start, end);
  }

  /** Returns bucket and key of a path-style request as {@code bucket/key}, or the bucket only. */
  String objectName() {
    String target = target();
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    String decoded =
        URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8).replaceFirst("^/", "");
    int slash = decoded.indexOf('/');
    return slash == decoded.length() - 1 && slash >= 0 ? decoded.substring(0, slash) : decoded;
  }

  /** Returns the status of a response. */
  int status() throws IOException {
    try {
      return Integer.parseInt(text.substring(FIRST_DIGIT, FIRST_DIGIT + STATUS_DIGITS));
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw new IOException("not a response: " + text.lines().findFirst().orElse(""), e);
    }
  }

  boolean isInformational() throws IOException {
    return status() / INFORMATIONAL == 1;
  }

  boolean isSuccess() throws IOException {
    return status() / INFORMATIONAL == SUCCESS / INFORMATIONAL;
  }

  /** Returns the content length; -1 when there is none. */
  long contentLength() throws IOException {
    String value = header("Content-Length");
    try {
      return value == null ? -1 : Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IOException("content length " + value, e);
    }
  }

  /** Returns this response with the ETag of another object. */
  HttpHead withOtherEtag() {
    String etag = header("ETag");
    return etag == null
        ? this
        : new HttpHead(text.replace(etag, "\"00000000000000000000000000000000\""));
  }
}
