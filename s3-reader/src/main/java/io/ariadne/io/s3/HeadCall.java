package io.ariadne.io.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** Asks for the description of an object, as often as necessary; the calling thread waits. */
final class HeadCall {
  private static final String RANGE = "HEAD";

  private final S3Object object;

  HeadCall(S3Object object) {
    this.object = object;
  }

  /**
   * Returns the description.
   *
   * @throws IOException as {@link S3Failures} describes, and when the thread is interrupted
   */
  HeadObjectResponse call() throws IOException {
    long start = System.nanoTime();
    Repetitions repetitions = new Repetitions(object.store().timing());
    for (int attempt = 1; ; attempt++) {
      Attempt request = new Attempt(repetitions.firstByte());
      object.store().gate().submit(request);
      Throwable failure;
      try {
        return request.answer.get();
      } catch (ExecutionException e) {
        failure = e.getCause();
      } catch (InterruptedException e) {
        request.isWanted = false;
        throw interrupted();
      }
      boolean isRetried = S3Failures.kind(failure).isRetried();
      OptionalLong wait = isRetried ? repetitions.afterNanos(failure) : OptionalLong.empty();
      if (wait.isEmpty()) {
        long nanos = System.nanoTime() - start;
        throw raised(S3Failures.translate(object, RANGE, failure, isRetried ? attempt : 0, nanos));
      }
      pause(wait.getAsLong());
      object.counters().retries().increment();
    }
  }

  private static IOException raised(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (IOException) failure;
  }

  private void pause(long nanos) throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private IOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while opening " + object);
  }

  /** One request. */
  private final class Attempt implements RequestGate.Request {
    private final CompletableFuture<HeadObjectResponse> answer = new CompletableFuture<>();
    private final Duration wait;
    private volatile boolean isWanted = true;

    Attempt(Duration wait) {
      this.wait = wait;
    }

    @Override
    public boolean isWanted() {
      return isWanted;
    }

    @Override
    public Runnable send() {
      object.counters().requests().increment();
      long sent = System.nanoTime();
      try {
        HeadObjectResponse description = object.head(wait);
        object.store().gate().answered();
        return () -> answer.complete(description);
      } catch (RuntimeException | Error e) {
        S3Failures.report(object.store().gate(), object.counters(), sent, e);
        return () -> answer.completeExceptionally(e);
      } finally {
        object.counters().nanos().add(System.nanoTime() - sent);
      }
    }

    @Override
    public void cannotStart(Throwable cause) {
      answer.completeExceptionally(cause);
    }
  }
}
