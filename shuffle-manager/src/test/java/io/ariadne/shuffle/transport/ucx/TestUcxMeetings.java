package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.testing.Await;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Reachability;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.netty.TcpSettings;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How executors find each other over UCX, and again, as far as the machine has it. */
@Timeout(120)
class TestUcxMeetings {
  private static final String HOST = "127.0.0.1";

  private static final Duration LONG = Duration.ofMinutes(5);

  /** The time that executors have to answer. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  private final Random random = RandomBatches.create().random();
  private final MemoryPool arrivals = MemoryPools.host("arrivals", 64L << 20, true);
  private final List<Executor> executors = new ArrayList<>();

  @BeforeAll
  static void checkForUcx() {
    UcxLibrary.reasonAgainst("127.0.0.1").ifPresent(reason -> Assumptions.abort(reason));
  }

  @AfterEach
  void close() {
    executors.forEach(Executor::close);
    Await.until(() -> arrivals.allocatedBytes() == 0);
    arrivals.close();
  }

  /** Answers requests by their own bytes. */
  private final class Executor implements Transport.Handler {
    final UcxTransport transport;

    /** The connection of the last request. */
    volatile Object last;

    Executor(int port) {
      TcpSettings any = TestingUcx.settings(HOST);
      TcpSettings settings = new TcpSettings(any.conf(), HOST, port, 0, List.of(), List.of());
      transport =
          UcxTransport.start(
              "executor",
              HOST,
              new UcxSecurity(true, true),
              arrivals,
              meeting -> TcpTransport.start("executor", settings, meeting),
              this);
      executors.add(this);
    }

    @Override
    public void handle(ByteBuffer request, Transport.Responder responder) {
      last = responder.connection();
      ByteBuffer copy = ByteBuffer.allocate(request.remaining()).put(request.duplicate()).flip();
      responder.reply(List.of(copy), () -> {});
    }

    @Override
    public void disconnected(Object connection) {}

    Peer peer() {
      return new Peer("executor", HOST, transport.port());
    }

    void close() {
      transport.close();
    }
  }

  /** Asks a peer; returns what it has answered. */
  private CompletableFuture<ByteBuffer> ask(Executor client, Peer peer, ByteBuffer request) {
    CompletableFuture<ByteBuffer> outcome = new CompletableFuture<>();
    client.transport.request(
        peer,
        request,
        request.remaining(),
        new Transport.Listener() {
          @Override
          public void received(ReplyBytes bytes) {
            outcome.complete(bytes.take(request.remaining()));
          }

          @Override
          public void failed(Throwable cause) {
            outcome.completeExceptionally(cause);
          }
        });
    return outcome;
  }

  private ByteBuffer anyRequest() {
    byte[] bytes = new byte[1 + random.nextInt(20_000)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Asks until there is an answer: connections may be lost. */
  private void askUntilAnswered(Executor client, Peer peer) throws Exception {
    ByteBuffer request = anyRequest();
    for (int attempt = 0; ; attempt++) {
      try {
        assertEquals(request, ask(client, peer, request).get(20, TimeUnit.SECONDS));
        return;
      } catch (ExecutionException e) {
        assertTrue(attempt < 1000 && e.getCause() instanceof IOException, e.toString());
        Thread.sleep(1);
      }
    }
  }

  private static void assertUsesUcx(Executor server) {
    assertFalse(server.last instanceof Channel, "the last request came over TCP");
  }

  @Test
  void executorsMeetEachOtherAtOnce() throws Exception {
    for (int run = 0; run < 5; run++) {
      Executor one = new Executor(0);
      Executor other = new Executor(0);
      List<CompletableFuture<ByteBuffer>> answers = new ArrayList<>();
      List<ByteBuffer> requests = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        requests.add(anyRequest());
        answers.add(ask(one, other.peer(), requests.get(i).duplicate()));
        answers.add(ask(other, one.peer(), requests.get(i).duplicate()));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertEquals(requests.get(i / 2), answers.get(i).get(20, TimeUnit.SECONDS));
      }
      assertUsesUcx(one);
      assertUsesUcx(other);
      // The client learns of the end of its session, and no other session ends with it.
      Object kept = other.last;
      Object ended = one.last;
      one.transport.disconnect(ended);
      Await.until(() -> hasNewSession(other, one, ended));
      assertUsesUcx(one);
      askUntilAnswered(one, other.peer());
      assertSame(kept, other.last);
    }
  }

  private boolean hasNewSession(Executor client, Executor server, Object former) {
    try {
      askUntilAnswered(client, server.peer());
      return server.last != former;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void meetsAPeerAgainThatHasStartedAgain() throws Exception {
    Executor client = new Executor(0);
    Executor server = new Executor(0);
    for (int run = 0; run < 5; run++) {
      askUntilAnswered(client, server.peer());
      assertUsesUcx(server);
      server.close();
      server = new Executor(server.transport.port());
    }
  }

  /** Other machines may not reach its other interfaces, such as a container bridge. */
  @Test
  void listensOnTheInterfaceOfItsHostAlone() throws Exception {
    List<InetSocketAddress> before = ListeningPorts.ofThisProcess();
    Executor executor = new Executor(0);
    List<InetSocketAddress> ports = ListeningPorts.ofThisProcess();
    ports.removeAll(before);
    assertTrue(ports.size() > 1, "UCX's ports are not found");
    ports.forEach(port -> assertTrue(port.getAddress().isLoopbackAddress(), port.toString()));
    assertTrue(executor.transport.port() > 0);
  }

  /** Children of this process, which begin as copies of it, share no connection with it. */
  @Test
  void processesAreStartedMeanwhile() throws Exception {
    Executor client = new Executor(0);
    Executor server = new Executor(0);
    askUntilAnswered(client, server.peer());
    for (int run = 0; run < 20; run++) {
      Process child = new ProcessBuilder("sleep", "0.05").start();
      List<CompletableFuture<ByteBuffer>> answers = new ArrayList<>();
      ByteBuffer request = anyRequest();
      for (int i = 0; i < 10; i++) {
        answers.add(ask(client, server.peer(), request.duplicate()));
      }
      for (CompletableFuture<ByteBuffer> answer : answers) {
        assertEquals(request, answer.get(20, TimeUnit.SECONDS));
      }
      assertTrue(child.waitFor(20, TimeUnit.SECONDS));
      assertEquals(0, child.exitValue());
    }
    assertUsesUcx(server);
  }

  /** Compiled code of the JVM reads through null, and its handler of the signal throws. */
  @Test
  void signalsOfTheJvmRemainItsOwn() throws Exception {
    Executor client = new Executor(0);
    askUntilAnswered(client, new Executor(0).peer());
    String[] words = new String[1];
    int thrown = 0;
    for (int i = 0; i < 300_000; i++) {
      words[0] = i < 299_990 ? "word" : null;
      try {
        if (words[0].length() == 0) {
          throw new AssertionError();
        }
      } catch (NullPointerException e) {
        thrown++;
      }
    }
    assertEquals(10, thrown);
  }

  /** A firewall that lets only the TCP transport through: the address of the worker is silent. */
  @Test
  void asksOverTcpWhereUcxDoesNotReach() throws Exception {
    Executor client = new Executor(0);
    Executor reached = new Executor(0);
    ByteBuffer request = anyRequest();
    List<InetSocketAddress> before = ListeningPorts.ofThisProcess();
    List<Socket> waiting = new ArrayList<>();
    try (RawUcx raw = new RawUcx(HOST);
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
      fill(silent, waiting);
      List<InetSocketAddress> ports = ListeningPorts.ofThisProcess();
      ports.removeAll(before);
      WorkerAddress unreachable = moved(raw.address(), ports, silent.getLocalPort());
      SessionId session = new SessionId(random.nextLong(), random.nextLong());
      Introduction introduction = new Introduction(session, SessionKey.fresh(), 0, unreachable);
      raw.set(introduction.encoded(), (asked, answer) -> {});
      raw.setReply(request);
      CompletableFuture<ByteBuffer> answer = ask(client, raw.peer(HOST), request.duplicate());
      askUntilAnswered(client, reached.peer()); // while the other connection is still being made
      assertUsesUcx(reached);
      assertFalse(answer.isDone());
      assertEquals(request, answer.get(20, TimeUnit.SECONDS));
      assertEquals("tcp", client.transport.nameFor(raw.peer(HOST)));
      assertEquals("ucx", client.transport.nameFor(reached.peer()));
      // Nor is such a peer read through Spark's block transfer.
      Reachability reachability = new Reachability(new Executor(0).transport, ANSWER_LIMIT, LONG);
      assertEquals(Map.of(), reachability.unreachable(List.of(raw.peer(HOST))));
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  /** Connects until the system answers no further attempts to connect. */
  private static void fill(ServerSocket server, List<Socket> waiting) throws IOException {
    for (int i = 0; i < 10; i++) {
      Socket socket = new Socket();
      waiting.add(socket);
      try {
        socket.connect(new InetSocketAddress(HOST, server.getLocalPort()), 500);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
    throw new AssertionError("the port still takes connections");
  }

  /** Returns an address of a worker with another port instead of any of some. */
  private static WorkerAddress moved(
      WorkerAddress address, List<InetSocketAddress> ports, int port) {
    ByteBuffer bytes = ByteBuffer.allocate(address.bytes().remaining());
    bytes.put(address.bytes().duplicate()).flip();
    int moved = 0;
    for (int i = 0; i + Short.BYTES <= bytes.limit(); i++) {
      int found = Short.toUnsignedInt(bytes.getShort(i));
      if (ports.stream().anyMatch(each -> each.getPort() == found)) {
        bytes.putShort(i, (short) port);
        moved++;
      }
    }
    assertTrue(moved > 0, "the address names none of " + ports);
    return new WorkerAddress(bytes);
  }
}
