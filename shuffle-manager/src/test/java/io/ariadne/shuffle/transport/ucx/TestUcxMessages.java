package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What peers say to each other over UCX is read as it was written, and nothing else is. */
class TestUcxMessages {
  private static final int[] WRONG_LENGTHS = {
    Integer.MIN_VALUE,
    -1,
    0,
    WorkerAddress.MAX_BYTES + 1,
    Transport.MAX_REQUEST_BYTES,
    Integer.MAX_VALUE
  };

  private final Random random = RandomBatches.create().random();
  private final SessionKey key = new SessionKey(SessionKey.fresh());

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void sealedMessagesAreOpenedOnlyUnderTheirNumbers() {
    SessionKey.Direction request = SessionKey.Direction.REQUEST;
    SessionKey.Direction reply = SessionKey.Direction.REPLY;
    byte[] plain = bytes(1000);
    ByteBuffer sealed = key.seal(reply, 7, 3, ByteBuffer.wrap(plain));
    assertEquals(plain.length + SessionKey.TAG_BYTES, sealed.remaining());
    assertEquals(ByteBuffer.wrap(plain), key.open(reply, 7, 3, sealed));
    assertNull(key.open(reply, 8, 3, sealed));
    assertNull(key.open(reply, 7, 2, sealed));
    assertNull(key.open(request, 7, 3, sealed));
    assertNull(new SessionKey(SessionKey.fresh()).open(reply, 7, 3, sealed));
    for (int length = 0; length < sealed.limit(); length += 37) {
      assertNull(key.open(reply, 7, 3, sealed.slice(0, length)), "length " + length);
    }
    sealed.put(500, (byte) ~sealed.get(500));
    assertNull(key.open(reply, 7, 3, sealed));
  }

  @Test
  void eachNumberIsTakenOnce() {
    ReplayWindow window = new ReplayWindow();
    Set<Long> taken = new HashSet<>();
    long highest = 0;
    for (int i = 0; i < 100_000; i++) {
      long number = Math.max(0, highest + random.nextInt(20) - 10);
      highest = Math.max(highest, number);
      assertEquals(taken.add(number), window.isNew(number), "number " + number);
    }
    assertFalse(window.isNew(-1));
    assertFalse(window.isNew(highest - ReplayWindow.SIZE));
    assertTrue(window.isNew(Long.MAX_VALUE - 1));
    assertFalse(window.isNew(highest));
  }

  @Test
  void headersComeBackAndOthersAreRefused() {
    SessionId session = new SessionId(random.nextLong(), random.nextLong());
    ReplyPart part = new ReplyPart(session, random.nextLong(), 2, 3);
    assertEquals(part, ReplyPart.decode(part.encoded()));
    assertNull(ReplyPart.decode(ByteBuffer.allocate(ReplyPart.BYTES - 1)));
    assertNull(ReplyPart.decode(new ReplyPart(session, 1, 3, 3).encoded()));
    assertNull(ReplyPart.decode(new ReplyPart(session, 1, -1, 3).encoded()));
    assertNull(ReplyPart.decode(new ReplyPart(session, 1, 0, 0).encoded()));
    assertNull(ReplyPart.decode(new ReplyPart(session, 1, 0, ReplyPart.MAX_COUNT + 1).encoded()));
  }

  @Test
  void introductionsComeBackAndOthersAreRefused() {
    SessionId session = new SessionId(random.nextLong(), random.nextLong());
    WorkerAddress server = address(1 + random.nextInt(1000));
    Introduction introduction =
        new Introduction(session, SessionKey.fresh(), random.nextInt(), server);
    ByteBuffer encoded = introduction.encoded();
    Introduction read = decode(encoded).introduction().orElseThrow();
    assertEquals(introduction.server(), read.server());
    assertEquals(introduction.session(), read.session());
    assertEquals(introduction.connections(), read.connections());
    assertArrayEquals(introduction.key(), read.key());
    for (int length = 0; length < encoded.limit(); length++) {
      assertTrue(decode(encoded.slice(0, length)).introduction().isEmpty(), "length " + length);
    }
    ByteBuffer other = ByteBuffer.wrap(bytes(encoded.limit()));
    assertEquals("it does not use UCX", decode(other).reason());
    for (int length : WRONG_LENGTHS) {
      ByteBuffer wrong = ByteBuffer.allocate(encoded.limit()).put(encoded.duplicate());
      wrong.putInt(encoded.limit() - server.encodedBytes(), length).flip();
      assertTrue(decode(wrong).introduction().isEmpty(), "length " + length);
    }
  }

  private static Introduction.Reply decode(ByteBuffer bytes) {
    return Introduction.decode(new ReplyBytes(List.of(bytes.duplicate())));
  }

  private WorkerAddress address(int length) {
    return new WorkerAddress(ByteBuffer.wrap(bytes(length)));
  }

  @Test
  void refusalsComeBackAsOneLine() {
    assertEquals("no way", decode(Introduction.refusal("no way")).reason());
    assertEquals("a  b", decode(Introduction.refusal("a\r\nb")).reason());
    assertEquals(500, decode(Introduction.refusal("x".repeat(10_000))).reason().length());
    ByteBuffer tooLong = Introduction.refusal("x".repeat(10)).putInt(5, 501);
    assertEquals("its introduction is damaged", decode(tooLong).reason());
  }

  @Test
  void clientsOfIntroductionsComeBackAndOthersAreRefused() {
    for (int length : new int[] {1, 1 + random.nextInt(1000), WorkerAddress.MAX_BYTES}) {
      WorkerAddress client = address(length);
      ByteBuffer request = Introduction.request(client);
      assertTrue(request.remaining() < Transport.MAX_REQUEST_BYTES);
      assertTrue(Introduction.isRequest(request));
      assertEquals(Optional.of(client), Introduction.client(request));
      int cut = random.nextInt(length);
      assertEquals(Optional.empty(), Introduction.client(request.slice(0, 12 + cut)));
      ByteBuffer longer = ByteBuffer.allocate(request.limit() + 1).put(request.duplicate()).clear();
      assertEquals(Optional.empty(), Introduction.client(longer));
      ByteBuffer damaged = ByteBuffer.allocate(request.limit()).put(request.duplicate()).flip();
      damaged.put(12 + cut, (byte) ~damaged.get(12 + cut));
      assertEquals(Optional.empty(), Introduction.client(damaged));
      for (int wrong : WRONG_LENGTHS) {
        ByteBuffer bytes = ByteBuffer.allocate(request.limit()).put(request.duplicate()).flip();
        bytes.putInt(4, wrong);
        assertEquals(Optional.empty(), Introduction.client(bytes), "length " + wrong);
      }
    }
    assertFalse(Introduction.isRequest(ByteBuffer.wrap(bytes(3))));
    assertFalse(Introduction.isRequest(ByteBuffer.wrap(new byte[4])));
    int tooLong = WorkerAddress.MAX_BYTES + 1;
    assertThrows(IllegalArgumentException.class, () -> address(tooLong));
    assertThrows(IllegalArgumentException.class, () -> address(0));
  }

  @Test
  void repliesAreNotSealedWithoutRequests() {
    assertThrows(IllegalArgumentException.class, () -> new UcxSecurity(false, true));
  }
}
