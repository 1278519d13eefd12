package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What peers say to each other over UCX is read as it was written, and nothing else is. */
class TestUcxMessages {
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
    Introduction introduction = new Introduction(1234, session, SessionKey.fresh());
    ByteBuffer encoded = introduction.encoded();
    Introduction read = Introduction.decode(new ReplyBytes(List.of(encoded.duplicate()))).get();
    assertEquals(introduction.port(), read.port());
    assertEquals(introduction.session(), read.session());
    assertArrayEquals(introduction.key(), read.key());
    for (int length = 0; length < encoded.limit(); length++) {
      ReplyBytes cut = new ReplyBytes(List.of(encoded.slice(0, length)));
      assertTrue(Introduction.decode(cut).isEmpty(), "length " + length);
    }
    ByteBuffer other = ByteBuffer.wrap(bytes(encoded.limit()));
    assertTrue(Introduction.decode(new ReplyBytes(List.of(other))).isEmpty());
    assertTrue(Introduction.isRequest(Introduction.request()));
    assertFalse(Introduction.isRequest(ByteBuffer.wrap(bytes(3))));
    assertFalse(Introduction.isRequest(ByteBuffer.wrap(new byte[4])));
  }

  @Test
  void repliesAreNotSealedWithoutRequests() {
    assertThrows(IllegalArgumentException.class, () -> new UcxSecurity(false, true));
  }
}
