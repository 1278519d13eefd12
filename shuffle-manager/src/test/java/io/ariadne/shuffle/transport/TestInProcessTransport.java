package io.ariadne.shuffle.transport;

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

  @Override
  protected void afterClose() {
    network.close();
  }
}
