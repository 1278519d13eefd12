package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecords;
import org.junit.jupiter.api.Test;

/** The contract in one process, with deliveries in random order. */
class TestInProcessTransport extends AbstractTestTransport {
  private final TestingNetwork network = new TestingNetwork(random.nextLong());

  @Override
  protected Transport start(String name, Transport.Handler handler) {
    return network.start(handler);
  }

  @Override
  protected void disconnect(Object connection) {
    network.disconnect((TestingNetwork.Connection) connection);
  }

  @Test
  void recordsEventsAndStatistics() throws InterruptedException {
    Sender peer = sender();
    Wanted wanted = new Wanted();
    for (int i = 0; i < 20; i++) {
      wanted.add(peer, 1 + random.nextInt(50), 3000);
    }
    long fetchedBefore = ThreadRecords.totals(EventKind.FETCH).bytes();
    long servedBefore = ThreadRecords.totals(EventKind.SERVE).bytes();
    TransportCounters counters = readAll(limits(), wanted);
    long plain = wanted.expected.stream().mapToLong(bytes -> bytes.length).sum();
    assertEquals(plain, statistics().readBackBytes());
    assertTrue(statistics().openNanos() > 0);
    long sent = counters.receivedBytes().sum();
    assertEquals(sent, ThreadRecords.totals(EventKind.FETCH).bytes() - fetchedBefore);
    assertEquals(sent, ThreadRecords.totals(EventKind.SERVE).bytes() - servedBefore);
  }

  @Override
  protected void afterClose() {
    network.close();
  }
}
