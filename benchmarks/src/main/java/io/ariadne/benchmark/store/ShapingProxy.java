package io.ariadne.benchmark.store;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP/1.1 proxy in front of a store with path-style addresses, which gives its responses the
 * latency and rates of a {@link StoreShape}, fails some requests and counts all of them.
 *
 * <p>Requests reach the store byte by byte as the client sent them, {@code Host} included, so that
 * signatures stay valid; a request that the proxy fails may not reach it. Only responses are
 * shaped, and only reads fail. One thread serves all connections; a connection of a client has its
 * own connection to the store.
 *
 * <p>Thread-safe. Changes of shape, faults and rules apply to requests that arrive after them.
 */
public final class ShapingProxy implements AutoCloseable {
  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(10);

  /** What the proxy does to requests. */
  record Behaviour(StoreShape shape, StoreFaults faults, Map<String, StoreRule> rules) {}

  /** Something to do at a time. */
  private record Timer(long dueNanos, long number, Runnable action) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      long difference = dueNanos - other.dueNanos;
      return difference == 0 ? Long.compare(number, other.number) : Long.signum(difference);
    }
  }

  private final InetSocketAddress server;
  private final ServerSocketChannel listener;
  private final Selector selector;
  private final TrafficCounter traffic = new TrafficCounter();
  private final Thread thread;
  private volatile Behaviour behaviour =
      new Behaviour(StoreShape.UNLIMITED, StoreFaults.NONE, Map.of());
  private volatile boolean stopped;
  private volatile Throwable failure;

  // Used by the thread of the proxy only.
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final Pace total = new Pace();
  private long timerNumber;

  /** Repetitions of requests, from which the faults are drawn. */
  private final Map<String, Integer> repetitions = new HashMap<>();

  private ShapingProxy(InetSocketAddress server, ServerSocketChannel listener, Selector selector) {
    this.server = server;
    this.listener = listener;
    this.selector = selector;
    thread = new Thread(this::run, "store proxy");
    thread.setDaemon(true);
  }

  /**
   * Starts a proxy on a free port of the loopback interface.
   *
   * @param server address of the store, {@code http} only
   */
  public static ShapingProxy start(URI server) throws IOException {
    if (!"http".equals(server.getScheme())) {
      throw new IllegalArgumentException("the proxy speaks http only, not " + server);
    }
    InetSocketAddress address = new InetSocketAddress(server.getHost(), server.getPort());
    Selector selector = Selector.open();
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
      listener.configureBlocking(false);
      listener.register(selector, SelectionKey.OP_ACCEPT);
    } catch (IOException e) {
      listener.close();
      selector.close();
      throw e;
    }
    ShapingProxy proxy = new ShapingProxy(address, listener, selector);
    proxy.thread.start();
    return proxy;
  }

  /** Returns the address for clients. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.socket().getLocalPort());
  }

  /** Sets latency and rates. */
  public synchronized void shape(StoreShape shape) {
    behaviour = new Behaviour(shape, behaviour.faults, behaviour.rules);
  }

  /** Sets which share of the reads fails, and how. */
  public synchronized void faults(StoreFaults faults) {
    behaviour = new Behaviour(behaviour.shape, faults, behaviour.rules);
  }

  /**
   * Fails all reads of one object.
   *
   * @param bucket its bucket
   * @param key its key, not encoded
   * @param rule what happens; null for nothing any more
   */
  public synchronized void rule(String bucket, String key, StoreRule rule) {
    Map<String, StoreRule> rules = new TreeMap<>(behaviour.rules);
    if (rule == null) {
      rules.remove(bucket + "/" + key);
    } else {
      rules.put(bucket + "/" + key, rule);
    }
    behaviour = new Behaviour(behaviour.shape, behaviour.faults, Map.copyOf(rules));
  }

  /** Returns what clients have asked for and got until now. */
  public StoreTraffic traffic() {
    return traffic.snapshot();
  }

  /** Returns the processor time that the proxy has used, in nanoseconds. */
  public long cpuNanos() {
    return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
  }

  /**
   * Closes all connections.
   *
   * @throws IllegalStateException when the proxy has failed, with the cause
   */
  @Override
  public void close() throws IOException {
    stopped = true;
    selector.wakeup();
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw new IllegalStateException("the proxy of the store has failed", failure);
    }
  }

  private void run() {
    try (selector;
        listener) {
      serve();
    } catch (IOException | RuntimeException | Error e) {
      failure = e; // close() throws it
    }
  }

  private void serve() throws IOException {
    try {
      while (!stopped) {
        runTimers();
        selectOnce();
      }
    } finally {
      selector.keys().forEach(ShapingProxy::closeOf);
    }
  }

  private static void closeOf(SelectionKey key) {
    if (key.attachment() instanceof ProxyConnection connection) {
      connection.close();
    }
  }

  private void selectOnce() throws IOException {
    Timer next = timers.peek();
    long wait = next == null ? Long.MAX_VALUE : next.dueNanos - System.nanoTime();
    if (wait <= 0) {
      selector.selectNow(this::ready);
    } else if (next == null) {
      selector.select(this::ready);
    } else {
      selector.select(this::ready, (wait + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }
  }

  private void runTimers() {
    while (!timers.isEmpty() && timers.peek().dueNanos - System.nanoTime() <= 0) {
      timers.poll().action.run();
    }
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof ProxyConnection connection) {
      connection.ready(key);
      return;
    }
    try {
      for (SocketChannel client = listener.accept(); client != null; client = listener.accept()) {
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        traffic.connection();
        ProxyConnection connection = new ProxyConnection(this, client);
        connection.start(client.register(selector, SelectionKey.OP_READ, connection));
      }
    } catch (IOException | CancelledKeyException e) {
      throw new IllegalStateException("cannot accept a connection", e);
    }
  }

  // The rest is called by connections, on the thread of the proxy.

  TrafficCounter counter() {
    return traffic;
  }

  Behaviour behaviour() {
    return behaviour;
  }

  Pace total() {
    return total;
  }

  /** Runs an action on the thread of the proxy at a time of {@link System#nanoTime}. */
  void at(long dueNanos, Runnable action) {
    timers.add(new Timer(dueNanos, timerNumber++, action));
  }

  /** Counts a request and returns how often the same one came before. */
  int repetition(String request) {
    return repetitions.merge(request, 1, Integer::sum) - 1;
  }

  /** Connects to the store. */
  SelectionKey connect(ProxyConnection connection) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(server); // loopback: at once, or refused
      channel.configureBlocking(false);
      return channel.register(selector, SelectionKey.OP_READ, connection);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }
}
