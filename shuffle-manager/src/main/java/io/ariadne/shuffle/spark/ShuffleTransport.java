package io.ariadne.shuffle.spark;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.task.ConnectionSettings;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeService;
import io.ariadne.memory.MemoryPool;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.codec.CompressionPolicy;
import io.ariadne.shuffle.transport.BlockFetcher;
import io.ariadne.shuffle.transport.BlockServer;
import io.ariadne.shuffle.transport.FetchLimits;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.PeerRegistry;
import io.ariadne.shuffle.transport.ProbeSource;
import io.ariadne.shuffle.transport.Reachability;
import io.ariadne.shuffle.transport.ReceivedBlock;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.TransportCounters;
import io.ariadne.shuffle.transport.WantedRange;
import io.ariadne.shuffle.transport.netty.TcpSettings;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import io.ariadne.shuffle.transport.ucx.UcxOrTcp;
import io.ariadne.shuffle.transport.ucx.UcxSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.util.TransportConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the blocks of map outputs in memory between the executors of an application, instead of
 * Spark's block transfer. One per process; a runtime that has not {@link #start started} it leaves
 * all blocks to Spark. Thread-safe.
 */
public final class ShuffleTransport implements RuntimeService {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleTransport.class);
  private static final String NAME = "ariadne-shuffle";
  private static final long REQUEST_BYTES = 1L << 20;
  private static final int REQUESTS_PER_PEER = 3;
  private static final int PROBED_REQUESTS = 21;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MAX_SERVING_THREADS = 4;
  private static final int MIN_SERVING_THREADS = 2;

  /** The part of memory that all tasks together may take for blocks in flight. */
  private static final int IN_FLIGHT_SHARE = 8;

  private static final String MAX_IN_FLIGHT = "spark.reducer.maxSizeInFlight";
  private static final String DEFAULT_IN_FLIGHT = "48m";

  /** How long an executor may take to answer before Spark's block transfer is used for it. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  /** How long Spark's block transfer is used before an executor is asked again. */
  private static final Duration AVOIDED = Duration.ofMinutes(5);

  private static final String TIMEOUT = "spark.network.timeout";
  private static final String DEFAULT_TIMEOUT = "120s";

  private final MemoryPool parent;
  private final TransportCounters counters = new TransportCounters();

  /** What {@link #start} has made; null before. */
  private volatile Parts parts;

  private record Parts(
      MemoryPool pool,
      BlockServer server,
      Transport transport,
      BlockFetcher fetcher,
      PeerRegistry registry,
      Reachability reachability,
      Map<String, Peer> peers,

      /** Executors that are avoided, and since when. */
      Map<String, Long> avoided) {
    boolean avoids(String executor) {
      Long since = avoided.get(executor);
      return since != null && System.nanoTime() - since < AVOIDED.toNanos();
    }
  }

  /**
   * Ports to listen on.
   *
   * @param first the first one to try; 0 for any free one
   * @param retries how many ports after that are tried
   */
  public record Ports(int first, int retries) {}

  /**
   * A transport that has started.
   *
   * @param port where it listens
   * @param description what it moves blocks over, for people
   */
  public record Started(int port, String description) {}

  private ShuffleTransport(MemoryPool parent) {
    this.parent = parent;
  }

  /**
   * Returns the transport of a runtime.
   *
   * @param runtime its owner
   */
  public static ShuffleTransport of(ExecutorRuntime runtime) {
    return runtime.service(ShuffleTransport.class, (pool, spill) -> new ShuffleTransport(pool));
  }

  /**
   * Begins to serve the map outputs of a runtime. Called once.
   *
   * @param runtime the owner of the map outputs
   * @param host the name or address by which other executors know this machine
   * @param ports where to listen
   * @param policy decides which blocks are compressed
   * @param registry knows the executors
   * @param ucx what is done to messages over UCX; empty to use TCP only
   * @param takesNotices whether other executors may have rows copied
   * @return where and how executors reach this one
   * @throws io.ariadne.error.EngineException CONFIGURATION when no port is free
   */
  public Started start(
      ExecutorRuntime runtime,
      String host,
      Ports ports,
      CompressionPolicy policy,
      PeerRegistry registry,
      Optional<UcxSecurity> ucx,
      boolean takesNotices) {
    int cores = runtime.computeThreads();
    TcpSettings settings = settings(host, ports, cores);
    FetchLimits limits = limits(settings.conf(), cores);
    MemoryPool pool = parent.newChild("shuffle-transport", Long.MAX_VALUE);
    BlockServer server = server(runtime, pool, policy);
    Transport.Handler handler =
        takesNotices ? new MessageHandler(server, OutputMerging.of(runtime)) : server;
    Transport transport = null;
    try {
      UcxOrTcp.Started chosen = listen(host, settings, ucx, pool, handler);
      transport = chosen.transport();
      parts =
          new Parts(
              pool,
              server,
              transport,
              new BlockFetcher(NAME, transport, pool, limits, registry, counters),
              registry,
              new Reachability(transport, ANSWER_LIMIT, AVOIDED),
              new ConcurrentHashMap<>(),
              new ConcurrentHashMap<>());
      return new Started(
          transport.port(),
          transport.name().toUpperCase(Locale.ROOT)
              + chosen.reason().map(text -> " (" + text + ")").orElse(""));
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(transport);
      closer.close(server);
      closer.close(pool);
      closer.suppressIn(e);
      throw e;
    }
  }

  private BlockServer server(ExecutorRuntime runtime, MemoryPool pool, CompressionPolicy policy) {
    int threads = runtime.computeThreads() / 2;
    return new BlockServer(
        NAME,
        new ProbeSource(new MapOutputSource(MapOutputs.of(runtime), pool), pool),
        pool,
        policy,
        counters,
        timeout(),
        Math.max(MIN_SERVING_THREADS, Math.min(MAX_SERVING_THREADS, threads)));
  }

  /** Listens for other executors. */
  private static UcxOrTcp.Started listen(
      String host,
      TcpSettings settings,
      Optional<UcxSecurity> ucx,
      MemoryPool pool,
      Transport.Handler handler) {
    if (ucx.isEmpty()) {
      return new UcxOrTcp.Started(TcpTransport.start(NAME, settings, handler), Optional.empty());
    }
    return UcxOrTcp.start(
        NAME,
        host,
        ucx.get(),
        pool,
        meeting -> TcpTransport.start(NAME, settings, meeting),
        handler);
  }

  private static TcpSettings settings(String host, Ports ports, int cores) {
    SparkEnv env = SparkEnv.get();
    SparkConf conf = env.conf();
    SecurityManager security = env.securityManager();
    TransportConf connections = ConnectionSettings.of(conf, security, cores);
    boolean authenticates = security.isAuthenticationEnabled();
    return new TcpSettings(
        connections,
        bindAddress(host),
        ports.first(),
        ports.retries(),
        authenticates
            ? List.of(new AuthClientBootstrap(connections, conf.getAppId(), security))
            : List.of(),
        authenticates ? List.of(new AuthServerBootstrap(connections, security)) : List.of());
  }

  /**
   * Returns the address of this machine to listen on; null for all, behind translated addresses.
   */
  private static String bindAddress(String host) {
    try {
      return NetworkInterface.getByInetAddress(InetAddress.getByName(host)) == null ? null : host;
    } catch (IOException e) {
      return null;
    }
  }

  private FetchLimits limits(TransportConf connections, int tasks) {
    SparkConf conf = SparkEnv.get().conf();
    long share = parent.limitInBytes() / IN_FLIGHT_SHARE / Math.max(1, tasks);
    long wanted = conf.getSizeAsMb(MAX_IN_FLIGHT, DEFAULT_IN_FLIGHT) << 20;
    long inFlight = Math.max(REQUEST_BYTES, Math.min(wanted, share));
    return new FetchLimits(
        inFlight,
        // Of at least two requests, so that one peer does not hold up all others.
        Math.min(REQUEST_BYTES, inFlight / 2),
        REQUESTS_PER_PEER,
        connections.maxIORetries(),
        Duration.ofMillis(connections.ioRetryWaitTimeMs()),
        timeout());
  }

  /** Returns how long peers may take for a reply, or to take one. */
  private static Duration timeout() {
    return Duration.ofSeconds(SparkEnv.get().conf().getTimeAsSeconds(TIMEOUT, DEFAULT_TIMEOUT));
  }

  /**
   * Returns where executors serve their blocks, without those that Spark's block transfer has to
   * fetch. Waits until executors have answered that have not been asked before.
   *
   * @param executors Spark's ids of the executors
   * @param again whether all are asked, such as by a task whose former attempt has failed
   */
  Map<String, Peer> meet(List<String> executors, boolean again) {
    Map<String, Peer> known = new HashMap<>();
    executors.forEach(id -> peer(id).ifPresent(peer -> known.put(id, peer)));
    Parts started = parts;
    if (started == null || known.isEmpty()) {
      return known;
    }
    if (again) {
      started.reachability.askAgain();
    }
    try {
      started.reachability.unreachable(known.values()).forEach(this::avoidIfAlive);
    } catch (InterruptedException e) {
      throw UndeclaredExceptions.raise(e);
    }
    known.keySet().removeIf(started::avoids);
    return known;
  }

  /**
   * Makes Spark's block transfer fetch the blocks of a peer that could not be reached, for some
   * minutes: its port may be closed, while Spark's is open. The fetch from an executor that has
   * ended has to fail, so that its tasks run again. May ask Spark's driver.
   *
   * @return whether the peer is avoided now
   */
  boolean avoidIfAlive(Peer peer, Throwable cause) {
    Parts started = parts;
    if (started == null || !started.registry.isAlive(peer.executor())) {
      return false;
    }
    if (started.avoids(peer.executor())) {
      return true;
    }
    started.avoided.put(peer.executor(), System.nanoTime());
    LOG.warn(
        "{} cannot be reached ({}): Spark's block transfer fetches its map outputs for {} min;"
            + " firewalls have to let executors reach this port",
        peer,
        cause.toString(),
        AVOIDED.toMinutes());
    return true;
  }

  /**
   * Returns where an executor serves its blocks; empty when Spark's block transfer has to fetch
   * them.
   *
   * @param executor Spark's id of the executor
   */
  Optional<Peer> peer(String executor) {
    Parts started = parts;
    if (started == null || started.avoids(executor)) {
      return Optional.empty();
    }
    Peer known = started.peers.get(executor);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Peer> found = started.registry.find(executor);
    found.ifPresent(peer -> started.peers.put(executor, peer));
    return found;
  }

  /**
   * The way from an executor to this one.
   *
   * @param latencyNanos median time of a request without blocks
   * @param bytesPerSecond how fast blocks arrive
   * @param transport the name of what has carried the blocks, such as {@code tcp}
   */
  public record Probe(long latencyNanos, double bytesPerSecond, String transport) {}

  /**
   * Measures the way from an executor to this one.
   *
   * @param executor Spark's id of the executor
   * @param bytes how many are moved for it
   * @return empty when Spark's block transfer has to fetch the blocks of that executor
   * @throws io.ariadne.shuffle.transport.FetchFailure when the executor does not answer
   */
  public Optional<Probe> probe(String executor, long bytes) throws InterruptedException {
    Optional<Peer> peer = peer(executor);
    if (peer.isEmpty()) {
      return Optional.empty();
    }
    long[] latencies = new long[PROBED_REQUESTS];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = probe(peer.get(), 0);
    }
    Arrays.sort(latencies);
    long rows = Math.max(1, bytes / ProbeSource.ROW_BYTES);
    long nanos = probe(peer.get(), rows);
    double seconds = nanos / NANOS_PER_SECOND;
    return Optional.of(
        new Probe(
            latencies[latencies.length / 2],
            rows * ProbeSource.ROW_BYTES / seconds,
            parts.transport.nameFor(peer.get())));
  }

  /** Returns the time in which rows of noise arrive, with as many requests as a task makes. */
  private long probe(Peer peer, long rows) throws InterruptedException {
    long count = Math.max(1, Math.min(rows, REQUESTS_PER_PEER));
    List<WantedRange> ranges = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      long part = rows * (i + 1) / count - rows * i / count;
      ranges.add(new WantedRange(peer, ProbeSource.range(part), part * ProbeSource.ROW_BYTES));
    }
    long start = System.nanoTime();
    try (RemoteBlocks blocks = open(ranges)) {
      for (ReceivedBlock block = blocks.next(() -> {});
          block != null;
          block = blocks.next(() -> {})) {
        block.close();
      }
    }
    return System.nanoTime() - start;
  }

  /** Returns what was moved since the start. */
  public TransportCounters counters() {
    return counters;
  }

  /**
   * Begins to fetch blocks from peers.
   *
   * @param wanted ranges of executors that {@link #peer} has found
   * @return the blocks, closed by the caller
   */
  RemoteBlocks open(List<WantedRange> wanted) {
    return parts.fetcher.open(wanted);
  }

  /** Sends a message that needs no answer. Never blocks; a failure is only logged. */
  void tell(Peer peer, ByteBuffer message) {
    parts.transport.request(peer, message, MessageHandler.MAX_ANSWER_BYTES, new Unanswered(peer));
  }

  /**
   * Ignores the answer to a message.
   *
   * @param peer the receiver
   */
  private record Unanswered(Peer peer) implements Transport.Listener {
    @Override
    public void received(ReplyBytes bytes) {}

    @Override
    public void failed(Throwable cause) {
      LOG.debug("{} does not get a message", peer, cause);
    }
  }

  @Override
  public void stop() {
    Parts started = parts;
    if (started != null) {
      Closer closer = new Closer();
      closer.close(started.fetcher);
      closer.close(started.transport);
      closer.close(started.server);
      closer.rethrow();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::stop);
    Parts started = parts;
    if (started != null) {
      closer.close(started.pool);
    }
    closer.rethrow();
  }
}
