package io.ariadne.io;

import io.ariadne.io.ByteRangeReaderProvider.Support;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens files with the provider of the highest priority that supports their storage. Logs once per
 * storage which provider it is, and why better ones refuse. Thread-safe.
 */
public final class ByteRangeReaders {
  private static final Logger LOG = LoggerFactory.getLogger(ByteRangeReaders.class);

  private final List<ByteRangeReaderProvider> providers;

  /** Choices by the storage's client: two clients of one class may be set up differently. */
  private final Map<Object, ConcurrentMap<Storage, Optional<ByteRangeReaderProvider>>> choices =
      Collections.synchronizedMap(new WeakHashMap<>());

  private volatile RemoteWrapper wrapper = (reader, file) -> reader;

  /** Puts a reader in front of the reader of a file of a remote storage. */
  @FunctionalInterface
  public interface RemoteWrapper {
    /**
     * Wraps a reader.
     *
     * @param reader the reader, which the returned one owns
     * @param file address of the file
     * @return a reader of the same file, or the given one
     */
    ByteRangeReader wrap(ByteRangeReader reader, URI file);
  }

  /**
   * What one choice holds for.
   *
   * @param scheme scheme of the address
   * @param authority authority of the address, such as a bucket; may be null
   */
  private record Storage(String scheme, String authority) {
    static Storage of(OpenRequest request) {
      return new Storage(request.file().getScheme(), request.file().getAuthority());
    }

    @Override
    public String toString() {
      return scheme + "://" + (authority == null ? "" : authority);
    }
  }

  /** Creates a registry of the given providers. */
  public ByteRangeReaders(List<ByteRangeReaderProvider> providers) {
    List<ByteRangeReaderProvider> sorted = new ArrayList<>(providers);
    sorted.sort(Comparator.comparingInt(ByteRangeReaderProvider::priority).reversed());
    this.providers = List.copyOf(sorted);
  }

  /** Returns the registry of the providers that the engine's class loader finds. */
  public static ByteRangeReaders installed() {
    return Installed.READERS;
  }

  /** Returns the providers, the one with the highest priority first. */
  public List<ByteRangeReaderProvider> providers() {
    return providers;
  }

  /** Loads the providers on first use. */
  private static final class Installed {
    private static final ByteRangeReaders READERS = new ByteRangeReaders(load());

    private static List<ByteRangeReaderProvider> load() {
      List<ByteRangeReaderProvider> found = new ArrayList<>();
      ServiceLoader.load(
              ByteRangeReaderProvider.class, ByteRangeReaderProvider.class.getClassLoader())
          .stream()
          .forEach(provider -> add(provider, found));
      return found;
    }

    /** Adds a provider, unless its class cannot be used in this process: others can do its work. */
    private static void add(
        ServiceLoader.Provider<ByteRangeReaderProvider> provider,
        List<ByteRangeReaderProvider> found) {
      try {
        found.add(provider.get());
      } catch (ServiceConfigurationError | LinkageError e) {
        LOG.warn("the provider {} of readers cannot be used", provider.type().getName(), e);
      }
    }
  }

  /**
   * Sets what wraps the reader of each remote file that is opened later, such as a cache.
   *
   * @param next the wrapper, or null for none
   */
  public void wrapRemote(RemoteWrapper next) {
    wrapper = next == null ? (reader, file) -> reader : next;
  }

  /**
   * Opens a file.
   *
   * @return a reader, which the caller closes
   * @throws java.io.FileNotFoundException when the file does not exist
   * @throws IOException when it cannot be opened, or no provider supports it; the message names the
   *     file
   */
  public ByteRangeReader open(OpenRequest request) throws IOException {
    Object client = request.storage() == null ? this : request.storage();
    Optional<ByteRangeReaderProvider> provider =
        choices
            .computeIfAbsent(client, key -> new ConcurrentHashMap<>())
            .computeIfAbsent(Storage.of(request), key -> choose(key, request));
    if (provider.isEmpty()) {
      throw new IOException("no reader supports " + request.file());
    }
    ByteRangeReader reader = provider.get().open(request);
    return request.localPath() == null ? wrapper.wrap(reader, request.file()) : reader;
  }

  private Optional<ByteRangeReaderProvider> choose(Storage storage, OpenRequest request) {
    StringBuilder refusals = new StringBuilder();
    for (ByteRangeReaderProvider provider : providers) {
      Support support = provider.support(request);
      if (support.kind() == Support.Kind.SUPPORTED) {
        LOG.info("reads {} by {}: {}{}", storage, provider.name(), support.detail(), refusals);
        return Optional.of(provider);
      }
      if (support.kind() == Support.Kind.REFUSED) {
        String name = provider.name();
        refusals.append("; not by ").append(name).append(": ").append(support.detail());
      }
    }
    return Optional.empty();
  }
}
