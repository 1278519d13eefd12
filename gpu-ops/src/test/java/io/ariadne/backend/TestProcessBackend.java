package io.ariadne.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.backend.cpu.HostBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestProcessBackend {
  private final List<String> closed = new ArrayList<>();

  /** A service; records its end. */
  private class First implements AutoCloseable {
    @Override
    public void close() {
      closed.add("first");
    }
  }

  /** Another service, whose end fails. */
  private class Second implements AutoCloseable {
    @Override
    public void close() {
      closed.add("second");
      throw new IllegalStateException("second");
    }
  }

  @Test
  void closesServicesLatestFirst() {
    ProcessBackend registered = ProcessBackend.register(HostBackend.open());
    First first = registered.service(First.class, backend -> new First());
    assertSame(first, registered.service(First.class, backend -> new First()));
    registered.service(Second.class, backend -> new Second());
    assertEquals(
        "second", assertThrows(IllegalStateException.class, registered::close).getMessage());
    assertEquals(List.of("second", "first"), closed);
    registered.close();
    assertEquals(2, closed.size());
    assertSame(first, registered.service(First.class, backend -> new First()));
    try (ProcessBackend other = ProcessBackend.register(HostBackend.open())) {
      assertSame(other, ProcessBackend.current().orElseThrow());
    }
  }

  @Test
  void refusesNewServicesAfterItsEnd() {
    ProcessBackend registered = ProcessBackend.register(HostBackend.open());
    registered.close();
    assertThrows(
        IllegalStateException.class, () -> registered.service(First.class, backend -> new First()));
  }

  @Test
  void theLatestOpenRegistrationIsCurrent() {
    Optional<ProcessBackend> before = ProcessBackend.current();
    ProcessBackend older = ProcessBackend.register(HostBackend.open());
    ProcessBackend younger = ProcessBackend.register(HostBackend.open());
    assertSame(younger, ProcessBackend.current().orElseThrow());
    older.close();
    assertSame(younger, ProcessBackend.current().orElseThrow());
    younger.close();
    assertEquals(before, ProcessBackend.current());
  }
}
