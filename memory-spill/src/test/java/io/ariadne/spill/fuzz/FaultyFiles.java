package io.ariadne.spill.fuzz;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Files of the default file system whose opening, reading and writing fail as planned: paths made
 * by {@link #over} go through it, and so do the paths resolved against them.
 */
public final class FaultyFiles extends FileSystemProvider {
  private final FaultPlan faults;
  private final FileSystemProvider real;
  private final FaultySystem system;

  private FaultyFiles(FileSystem system, FaultPlan faults) {
    this.real = system.provider();
    this.faults = faults;
    this.system = new FaultySystem(system, this);
  }

  /**
   * Returns a path to the same file or folder, behind which calls fail.
   *
   * @param path of the default file system
   * @param faults which calls
   */
  public static Path over(Path path, FaultPlan faults) {
    return new FaultyFiles(path.getFileSystem(), faults).wrap(path);
  }

  /** What paths made here are besides being paths. */
  private interface Wrapped {
    /** Returns the path behind. */
    Path wrapped();
  }

  private Path wrap(Path path) {
    return (Path)
        Proxy.newProxyInstance(
            FaultyFiles.class.getClassLoader(),
            new Class<?>[] {Path.class, Wrapped.class},
            (proxy, method, arguments) -> call(path, method, arguments));
  }

  private Object call(Path path, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("wrapped")) {
      return path;
    }
    if (method.getName().equals("getFileSystem")) {
      return system;
    }
    Object[] unwrapped = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < unwrapped.length; i++) {
      unwrapped[i] = unwrapped[i] instanceof Wrapped other ? other.wrapped() : unwrapped[i];
    }
    try {
      Object result = method.invoke(path, unwrapped);
      return result instanceof Path other ? wrap(other) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Path unwrap(Path path) {
    return path instanceof Wrapped wrapped ? wrapped.wrapped() : path;
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (faults.strikes(Faults.Kind.OPEN)) {
      throw new IOException("injected: cannot make " + path);
    }
    return new FaultyChannel(real.newFileChannel(unwrap(path), options, attributes), faults);
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    real.createDirectory(unwrap(path), attributes);
  }

  @Override
  public void delete(Path path) throws IOException {
    real.delete(unwrap(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return real.getFileStore(unwrap(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    real.checkAccess(unwrap(path), modes);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return real.readAttributes(unwrap(path), type, options);
  }

  @Override
  public String getScheme() {
    return "faulty";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> entries = real.newDirectoryStream(unwrap(folder), filter);
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> each = entries.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return each.hasNext();
          }

          @Override
          public Path next() {
            return wrap(each.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        entries.close();
      }
    };
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    real.move(unwrap(source), unwrap(target), options);
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return real.isSameFile(unwrap(path), unwrap(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(unwrap(path));
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return real.getFileAttributeView(unwrap(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return real.readAttributes(unwrap(path), names, options);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    real.setAttribute(unwrap(path), name, value, options);
  }

  /** The default file system with another provider. */
  private static final class FaultySystem extends FileSystem {
    private final FileSystem real;
    private final FaultyFiles provider;

    FaultySystem(FileSystem real, FaultyFiles provider) {
      this.real = real;
      this.provider = provider;
    }

    @Override
    public FileSystemProvider provider() {
      return provider;
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return real.isOpen();
    }

    @Override
    public boolean isReadOnly() {
      return real.isReadOnly();
    }

    @Override
    public String getSeparator() {
      return real.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      return real.getRootDirectories();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return real.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return real.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
      return provider.wrap(real.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
      return real.getPathMatcher(syntaxAndPattern);
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      return real.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() {
      throw new UnsupportedOperationException();
    }
  }
}
