package io.ariadne.it.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** What Ariadne logs at level info and above, and all others at the level of the session. */
final class CapturedLog extends AbstractAppender implements AutoCloseable {
  private static final String ARIADNE = "io.ariadne";

  @GuardedBy("this")
  private final StringBuilder text = new StringBuilder();

  private final Logger root = (Logger) LogManager.getRootLogger();
  private final Level before = LogManager.getLogger(ARIADNE).getLevel();

  private CapturedLog() {
    super("captured", null, null, false, Property.EMPTY_ARRAY);
  }

  /** Begins to capture. */
  static CapturedLog ofThisProcess() {
    CapturedLog log = new CapturedLog();
    log.capture();
    return log;
  }

  private void capture() {
    start();
    root.addAppender(this);
    Configurator.setLevel(ARIADNE, Level.INFO);
  }

  @Override
  public synchronized void append(LogEvent event) {
    text.append(event.getMessage().getFormattedMessage()).append('\n');
    for (Throwable t = event.getThrown(); t != null; t = t.getCause()) {
      text.append(t).append('\n');
    }
  }

  /** Returns what has been logged until now. */
  synchronized String text() {
    return text.toString();
  }

  @Override
  public void close() {
    root.removeAppender(this);
    Configurator.setLevel(ARIADNE, before);
    super.stop();
  }
}
