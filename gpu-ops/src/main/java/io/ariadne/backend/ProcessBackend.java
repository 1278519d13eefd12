package io.ariadne.backend;

import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;

/**
 * The back end that a process computes with, for modules that are found by name and know no
 * runtime, such as readers of files, and what these keep while the back end is open. Thread-safe.
 *
 * <p>A runtime registers its back end when it starts, and closes the registration before it frees
 * its memory and closes the back end.
 */
public final class ProcessBackend implements AutoCloseable {
  private static final Deque<ProcessBackend> REGISTERED = new ConcurrentLinkedDeque<>();

  private final Backend backend;

  /** Guarded by this. */
  private final Map<Class<?>, AutoCloseable> services = new LinkedHashMap<>();

  /** Guarded by this. */
  private boolean closed;

  private ProcessBackend(Backend backend) {
    this.backend = backend;
  }

  /**
   * Makes a back end the process's, until the registration is closed.
   *
   * @param backend an open back end; stays owned by the caller
   * @return the registration, which the caller closes before the back end
   */
  public static ProcessBackend register(Backend backend) {
    ProcessBackend registered = new ProcessBackend(backend);
    REGISTERED.addFirst(registered);
    return registered;
  }

  /** Returns the latest registration that is open; of several runtimes, that of the youngest. */
  public static Optional<ProcessBackend> current() {
    return Optional.ofNullable(REGISTERED.peekFirst());
  }

  /** Returns the back end; it is open as long as this is. */
  public Backend backend() {
    return backend;
  }

  /**
   * Returns the service of a class, which the first call creates.
   *
   * @param type the service's class
   * @param create makes the service; does not call this object
   * @return the service, which this registration owns and closes
   * @throws IllegalStateException when there is no such service yet and this is closed
   */
  public synchronized <S extends AutoCloseable> S service(
      Class<S> type, Function<Backend, S> create) {
    if (!services.containsKey(type)) {
      if (closed) {
        throw new IllegalStateException("the runtime of this back end has stopped");
      }
      services.put(type, create.apply(backend));
    }
    return type.cast(services.get(type));
  }

  /** Ends the registration and closes the services, the latest first. Idempotent. */
  @Override
  public void close() {
    REGISTERED.remove(this);
    Deque<AutoCloseable> latestFirst = new ArrayDeque<>();
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      services.values().forEach(latestFirst::addFirst);
    }
    Closer closer = new Closer();
    latestFirst.forEach(closer::close);
    closer.rethrow();
  }
}
