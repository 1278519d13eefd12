package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.transport.AbstractTestFrameFuzz;
import io.ariadne.shuffle.transport.FrameMutator;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import io.ariadne.shuffle.transport.ucx.RawUcx.Message;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.openucx.jucx.ucp.UcpConstants;

/**
 * Damages introductions, requests with and without a key, and parts of replies, as far as the
 * machine has UCX. Runs only when {@code ariadne.fuzz.frames.seconds} asks for it, because libucx
 * 1.13.1 has crashed processes in several ways.
 */
abstract class AbstractTestUcxFrameFuzz extends AbstractTestFrameFuzz {
  private static final int MAX_PARTS = 5;
  private static final int SOME_ROUNDS = 20;
  private static final int[] KINDS = {
    0, UcxSessions.REPLY, UcxSessions.END, UcxSessions.BEGIN, 100
  };

  private final MemoryPool arrivals = MemoryPools.host("arrivals", poolBytes(), true);
  private final List<UcxTransport> transports = new ArrayList<>();

  /** Of the current round: an executor refuses a program that has connected without a request. */
  private RawUcx raw;

  /** Rounds in which {@link #raw} has sent requests, and requests that were answered. */
  private int rounds;

  private int answered;

  @BeforeAll
  static void checkForUcx() {
    Assumptions.assumeTrue(
        Long.getLong("ariadne.fuzz.frames.seconds", 0) > 0, "UCX may abort the process");
    UcxLibrary.reasonAgainst("127.0.0.1").ifPresent(reason -> Assumptions.abort(reason));
  }

  /** Returns what is done to messages. */
  abstract UcxSecurity security();

  @Override
  protected Transport start(String name, Transport.Handler handler) {
    UcxTransport transport = TestingUcx.start(name, host(), security(), arrivals, handler);
    transports.add(transport);
    return transport;
  }

  @Override
  protected void disconnect(Object connection) {
    transports.forEach(transport -> transport.disconnect(connection));
  }

  @Override
  protected boolean isOwn(Object connection) {
    return !(connection instanceof Channel);
  }

  @BeforeEach
  void openRaw() throws Exception {
    raw = new RawUcx(host());
  }

  @AfterEach
  void closeRaw() {
    raw.close();
    System.out.printf(
        "%s: %d requests were answered in %d rounds%n",
        getClass().getSimpleName(), answered, rounds);
    assertTrue(rounds < SOME_ROUNDS || answered > rounds / 4, "requests were not read");
  }

  @Override
  protected int attack(Peer peer, List<byte[]> requests) throws Exception {
    return switch (random.nextInt(8)) {
      case 0 -> askForIntroductions(peer);
      case 1, 2, 3 -> sendMessages(peer, requests);
      default -> answerAVictim();
    };
  }

  /** Asks for introductions with damaged addresses of workers, among others. */
  private int askForIntroductions(Peer peer) throws Exception {
    FrameMutator mutator = new FrameMutator(random);
    byte[] valid = bytes(Introduction.request(raw.address()));
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      var unused = raw.ask(peer, ByteBuffer.wrap(mutator.mutate(valid, valid)));
    }
    return count;
  }

  /** Sends requests over a connection that is not an executor's. */
  private int sendMessages(Peer peer, List<byte[]> requests) throws Exception {
    Introduction introduction = raw.meet(peer);
    SessionKey key =
        new SessionKey(random.nextInt(8) == 0 ? SessionKey.fresh() : introduction.key());
    FrameMutator mutator = new FrameMutator(random);
    List<Message> messages = new ArrayList<>();
    long number = 0;
    for (int i = random.nextInt(8); i >= 0; i--) {
      byte[] header = header(introduction.session(), number);
      byte[] request = any(requests);
      boolean isEarly = random.nextBoolean();
      byte[] payload = isEarly ? mutator.mutate(request, any(requests)) : request;
      if (security().sealsRequests() && random.nextInt(8) > 0) {
        payload =
            bytes(key.seal(SessionKey.Direction.REQUEST, number, 0, ByteBuffer.wrap(payload)));
      }
      messages.add(
          new Message(
              kind(UcxSessions.REQUEST),
              random.nextInt(3) == 0 ? mutator.mutate(header, payload) : header,
              isEarly || random.nextInt(3) == 0 ? payload : mutator.mutate(payload, request),
              flags(random)));
      number = random.nextInt(4) == 0 ? number : number + 1;
      number = random.nextInt(16) == 0 ? random.nextLong() : number;
    }
    raw.send(introduction.server(), messages);
    rounds++;
    return messages.size();
  }

  private static byte[] header(SessionId session, long number) {
    ByteBuffer bytes = ByteBuffer.allocate(UcxSessions.REQUEST_HEADER_BYTES);
    session.write(bytes);
    return bytes.putLong(number).array();
  }

  private int kind(int usual) {
    return random.nextInt(8) == 0 ? KINDS[random.nextInt(KINDS.length)] : usual;
  }

  private static long flags(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> UcpConstants.UCP_AM_SEND_FLAG_REPLY;
      default -> UcpConstants.UCP_AM_SEND_FLAG_REPLY | UcpConstants.UCP_AM_SEND_FLAG_EAGER;
    };
  }

  /** Has a new executor ask a program that answers with damaged parts of replies. */
  private int answerAVictim() throws Exception {
    SessionId session = new SessionId(random.nextLong(), random.nextLong());
    byte[] key = SessionKey.fresh();
    byte[] introduction = bytes(new Introduction(session, key, 0, raw.address()).encoded());
    if (random.nextInt(8) == 0) {
      introduction = new FrameMutator(random).mutate(introduction, introduction);
    }
    Answers answers = new Answers(new SessionKey(key), new Random(random.nextLong()));
    raw.set(ByteBuffer.wrap(introduction), answers::answer);
    UcxTransport victim = TestingUcx.start("victim", host(), security(), arrivals, server());
    try (victim) {
      readThrough(victim, raw.peer(host()));
      assertHasNotFailed(victim);
    }
    assertTrue(victim.asking().isFreed() && victim.serving().isFreed());
    return answers.count.get();
  }

  /** Makes replies by a real server, and damages their parts. */
  private final class Answers {
    final AtomicInteger count = new AtomicInteger();
    private final SessionKey key;
    private final Random random;

    Answers(SessionKey key, Random random) {
      this.key = key;
      this.random = random;
    }

    void answer(RawUcx.Request request, RawUcx.Answer answer) {
      ByteBuffer sealed = ByteBuffer.wrap(request.sealed());
      ByteBuffer plain =
          security().sealsRequests()
              ? key.open(SessionKey.Direction.REQUEST, request.number(), 0, sealed)
              : sealed;
      if (plain == null) {
        return; // the key of its introduction was damaged
      }
      server()
          .handle(
              plain,
              new Transport.Responder() {
                @Override
                public Object connection() {
                  return Answers.this;
                }

                @Override
                public String remoteAddress() {
                  return "victim";
                }

                @Override
                public void disconnect() {}

                @Override
                public void reply(List<ByteBuffer> parts, Runnable whenSent) {
                  List<Message> messages = messages(request, joined(parts));
                  whenSent.run();
                  answer.send(messages);
                }
              });
    }

    private byte[] joined(List<ByteBuffer> parts) {
      int length = parts.stream().mapToInt(ByteBuffer::remaining).sum();
      ByteBuffer joined = ByteBuffer.allocate(length);
      parts.forEach(part -> joined.put(part.duplicate()));
      return joined.array();
    }

    /** Divides a reply into parts, and damages headers, content, number and order of some. */
    private synchronized List<Message> messages(RawUcx.Request request, byte[] reply) {
      FrameMutator mutator = new FrameMutator(random);
      List<Message> messages = new ArrayList<>();
      int parts = 1 + random.nextInt(MAX_PARTS);
      byte[] content = random.nextInt(3) == 0 ? mutator.mutate(reply, reply) : reply;
      for (int i = 0; i < parts; i++) {
        int begin = content.length * i / parts;
        int end = content.length * (i + 1) / parts;
        byte[] payload = sealed(request, i, Arrays.copyOfRange(content, begin, end));
        byte[] header =
            bytes(new ReplyPart(request.session(), request.number(), i, parts).encoded());
        messages.add(
            new Message(
                UcxSessions.REPLY,
                random.nextInt(3) == 0 ? mutator.mutate(header, payload) : header,
                random.nextInt(4) == 0 ? mutator.mutate(payload, content) : payload,
                random.nextBoolean() ? 0 : UcpConstants.UCP_AM_SEND_FLAG_EAGER));
        count.incrementAndGet();
      }
      if (random.nextInt(4) == 0) {
        messages.add(messages.get(random.nextInt(messages.size())));
      }
      if (random.nextInt(4) == 0) {
        messages.remove(random.nextInt(messages.size()));
      }
      Collections.shuffle(messages, random);
      return messages;
    }

    private byte[] sealed(RawUcx.Request request, int part, byte[] plain) {
      return security().sealsReplies()
          ? bytes(
              key.seal(SessionKey.Direction.REPLY, request.number(), part, ByteBuffer.wrap(plain)))
          : plain;
    }
  }

  @Override
  protected void afterRound() throws Exception {
    answered += raw.answered();
    raw.close();
    raw = new RawUcx(host());
    transports.forEach(AbstractTestUcxFrameFuzz::assertHasNotFailed);
    while (arrivals.allocatedBytes() > 0) {
      Thread.onSpinWait();
    }
  }

  private static void assertHasNotFailed(UcxTransport transport) {
    assertNull(transport.asking().failure());
    assertNull(transport.serving().failure());
  }

  @Override
  protected void afterClose() {
    assertNothingIsLeft(arrivals);
  }
}
