package io.ariadne.io.s3;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict S3 server on the loopback address: GET and HEAD of objects by path, ranges, {@code
 * If-Match}, and faults that a test scripts. Sockets instead of an HTTP library, because the faults
 * are below HTTP. Refuses what no reader should send.
 */
final class StubS3 implements AutoCloseable {
  static final String BUCKET = "bucket";
  static final String ACCESS_KEY = "AKIDFORTESTS";
  static final String SECRET_KEY = "s3cretOfTests/DoNotPrint";

  private static final Pattern REQUEST = Pattern.compile("(GET|HEAD) /([^/ ]+)/([^ ?]+) HTTP/1.1");
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");
  private static final int LINE_LIMIT = 8192;
  private static final int WRITE_BYTES = 64 * 1024;

  private final ServerSocket server;
  private final Map<String, StoredObject> objects = new ConcurrentHashMap<>();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final List<Ask> asks = new CopyOnWriteArrayList<>();
  private final List<Throwable> errors = new CopyOnWriteArrayList<>();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger mostBusy = new AtomicInteger();
  private volatile Function<Ask, Answer> script = ask -> Answer.NORMAL;

  /**
   * An object.
   *
   * @param bytes its contents
   * @param etag its version, quoted; null for a store without versions
   */
  record StoredObject(byte[] bytes, String etag) {}

  /**
   * A request.
   *
   * @param method GET or HEAD
   * @param bucket bucket
   * @param key key, as it was sent
   * @param headers by lower-case name
   * @param first first byte asked for, -1 without a range
   * @param last last byte asked for
   * @param index how many requests came before
   */
  record Ask(
      String method,
      String bucket,
      String key,
      Map<String, String> headers,
      long first,
      long last,
      int index) {
    boolean isHead() {
      return method.equals("HEAD");
    }
  }

  /** How a request is answered. */
  interface Answer {
    /** As S3 would. */
    Answer NORMAL = StubS3::serve;

    /** Writes an answer; an exception closes the connection. */
    void write(StubS3 store, Ask ask, Connection out) throws IOException, InterruptedException;
  }

  /** A client's connection. */
  static final class Connection {
    private final Socket socket;
    private final OutputStream out;

    Connection(Socket socket) throws IOException {
      this.socket = socket;
      this.out = new BufferedOutputStream(socket.getOutputStream(), WRITE_BYTES);
    }

    void head(int status, Map<String, String> headers) throws IOException {
      StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Text\r\n");
      text.append("x-amz-request-id: REQ").append(System.nanoTime()).append("\r\n");
      headers.forEach((name, value) -> text.append(name + ": " + value + "\r\n"));
      out.write(text.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    }

    void body(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
    }

    void flush() throws IOException {
      out.flush();
    }

    /** Ends the connection: by a reset, or in order. */
    void end(boolean byReset) throws IOException {
      out.flush();
      socket.setSoLinger(byReset, 0);
      socket.close();
    }
  }

  StubS3() throws IOException {
    server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Thread acceptor = new Thread(this::accept, "stub-s3");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  int port() {
    return server.getLocalPort();
  }

  void put(String key, byte[] bytes, String etag) {
    objects.put(key.replace(" ", "%20"), new StoredObject(bytes, etag));
  }

  void delete(String key) {
    objects.remove(key);
  }

  /** Chooses the answers to later requests. Called by the threads of connections. */
  void script(Function<Ask, Answer> answers) {
    script = answers;
  }

  List<Ask> asks() {
    return List.copyOf(asks);
  }

  List<Ask> gets() {
    List<Ask> gets = new ArrayList<>(asks);
    gets.removeIf(Ask::isHead);
    return gets;
  }

  /** Returns how many requests are being answered. */
  int busy() {
    return busy.get();
  }

  int mostBusy() {
    return mostBusy.get();
  }

  int openConnections() {
    return connections.size();
  }

  /** Returns what the server could not do: for example requests that it does not accept. */
  List<Throwable> errors() {
    return errors;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        connections.add(socket);
        Thread thread = new Thread(() -> serve(socket), "stub-s3-connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        if (!server.isClosed()) {
          errors.add(e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Connection out = new Connection(socket);
      for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
        Ask ask = ask(line, in);
        asks.add(ask);
        mostBusy.accumulateAndGet(busy.incrementAndGet(), Math::max);
        try {
          script.apply(ask).write(this, ask, out);
          out.flush();
        } finally {
          busy.decrementAndGet();
        }
      }
    } catch (IOException e) {
      // The client, or the script, has ended the connection.
      if (e instanceof BadRequestException) {
        errors.add(e);
      }
    } catch (InterruptedException | RuntimeException e) {
      errors.add(e);
    } finally {
      connections.remove(socket);
    }
  }

  private Ask ask(String line, InputStream in) throws IOException {
    Matcher request = REQUEST.matcher(line);
    if (!request.matches()) {
      throw new BadRequestException(line);
    }
    Map<String, String> headers = new TreeMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).trim());
    }
    if (!headers.getOrDefault("authorization", "").contains("Credential=" + ACCESS_KEY + "/")) {
      throw new BadRequestException("not signed: " + line);
    }
    long first = -1;
    long last = -1;
    if (headers.containsKey("range")) {
      Matcher range = RANGE.matcher(headers.get("range"));
      if (!range.matches()) {
        throw new BadRequestException(headers.get("range"));
      }
      first = Long.parseLong(range.group(1));
      last = Long.parseLong(range.group(2));
    }
    return new Ask(
        request.group(1), request.group(2), request.group(3), headers, first, last, asks.size());
  }

  /** Returns a line without its end, null at the end of the connection. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        return null;
      }
      if (line.length() > LINE_LIMIT) {
        throw new BadRequestException("line too long");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private static void serve(StubS3 store, Ask ask, Connection out)
      throws IOException, InterruptedException {
    StoredObject object = store.objects.get(ask.key());
    if (object == null) {
      error(404, "NoSuchKey").write(store, ask, out);
      return;
    }
    String known = ask.headers().get("if-match");
    if (known != null && !known.equals(object.etag())) {
      error(412, "PreconditionFailed").write(store, ask, out);
      return;
    }
    int length = object.bytes().length;
    if (ask.first() >= length) {
      error(416, "InvalidRange").write(store, ask, out);
      return;
    }
    int first = (int) Math.max(0, ask.first());
    int last = (int) (ask.first() < 0 ? length - 1 : Math.min(ask.last(), length - 1));
    Map<String, String> headers = headers(object, first, last);
    if (ask.first() < 0) {
      headers.remove("Content-Range");
    }
    out.head(ask.first() < 0 ? 200 : 206, headers);
    if (!ask.isHead()) {
      out.body(object.bytes(), first, last - first + 1);
    }
  }

  private static Map<String, String> headers(StoredObject object, int first, int last) {
    Map<String, String> headers = new TreeMap<>();
    headers.put("Content-Length", Integer.toString(last - first + 1));
    headers.put("Content-Range", "bytes " + first + "-" + last + "/" + object.bytes().length);
    headers.put("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT");
    if (object.etag() != null) {
      headers.put("ETag", object.etag());
    }
    return headers;
  }

  /** Refuses with a status and an error code of S3. */
  static Answer error(int status, String code, String... headers) {
    return (store, ask, out) -> {
      String xml = "<Error><Code>" + code + "</Code><Message>scripted</Message></Error>";
      byte[] body = ask.isHead() ? new byte[0] : xml.getBytes(StandardCharsets.US_ASCII);
      Map<String, String> all = new TreeMap<>();
      all.put("Content-Length", Integer.toString(body.length));
      all.put("Content-Type", "application/xml");
      for (int i = 0; i < headers.length; i += 2) {
        all.put(headers[i], headers[i + 1]);
      }
      out.head(status, all);
      out.body(body, 0, body.length);
    };
  }

  /** Sends the headers and some bytes, then ends the connection. */
  static Answer cut(int bytes, boolean byReset) {
    return (store, ask, out) -> {
      begin(store, ask, out, bytes);
      out.end(byReset);
      throw new IOException("cut");
    };
  }

  /** Sends the headers and some bytes, then ends the connection in order after an action. */
  static Answer cutAfter(int bytes, Pause pause) {
    return (store, ask, out) -> {
      begin(store, ask, out, bytes);
      out.flush();
      pause.run(store);
      out.end(false);
      throw new IOException("cut");
    };
  }

  /** Sends the headers and some bytes, then nothing until a latch opens, then ends. */
  static Answer stall(int bytes, CountDownLatch until) {
    return (store, ask, out) -> {
      begin(store, ask, out, bytes);
      out.flush();
      until.await();
      throw new IOException("stalled");
    };
  }

  /** Sends the headers and some bytes, then the rest after an action. */
  static Answer paused(int bytes, Pause pause) {
    return (store, ask, out) -> {
      begin(store, ask, out, bytes);
      out.flush();
      pause.run(store);
      byte[] all = store.objects.get(ask.key()).bytes();
      int from = (int) ask.first() + bytes;
      out.body(all, from, (int) ask.last() + 1 - from);
    };
  }

  /** What happens within an answer. */
  interface Pause {
    /** Returns when the answer goes on. */
    void run(StubS3 store) throws InterruptedException;
  }

  /** Answers when a latch opens. */
  static Answer late(CountDownLatch when) {
    return (store, ask, out) -> {
      when.await();
      Answer.NORMAL.write(store, ask, out);
    };
  }

  /** Ends the connection without an answer. */
  static Answer noAnswer(boolean byReset) {
    return (store, ask, out) -> {
      out.end(byReset);
      throw new IOException("cut");
    };
  }

  /** Answers as if the object had other headers. */
  static Answer withHeader(String name, String value) {
    return (store, ask, out) -> {
      StoredObject object = store.objects.get(ask.key());
      Map<String, String> headers = headers(object, (int) ask.first(), (int) ask.last());
      headers.put(name, value);
      out.head(206, headers);
      out.body(object.bytes(), (int) ask.first(), (int) (ask.last() - ask.first() + 1));
    };
  }

  private static void begin(StubS3 store, Ask ask, Connection out, int bytes) throws IOException {
    StoredObject object = store.objects.get(ask.key());
    int first = (int) ask.first();
    int last = (int) ask.last();
    out.head(206, headers(object, first, last));
    out.body(object.bytes(), first, Math.min(bytes, last - first));
  }

  /** A request that no reader should send. */
  private static final class BadRequestException extends IOException {
    BadRequestException(String message) {
      super(message);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : connections) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
