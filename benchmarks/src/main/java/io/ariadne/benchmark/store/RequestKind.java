package io.ariadne.benchmark.store;

/** Kinds of requests to a store. */
enum RequestKind {
  /** A GET of an object. */
  GET,
  /** A HEAD of an object or bucket. */
  HEAD,
  /** A GET of a bucket. */
  LIST,
  /** Anything that changes the store. */
  WRITE;

  /** Returns the kind of a request. */
  static RequestKind of(HttpHead request) {
    return switch (request.method()) {
      case "HEAD" -> HEAD;
      case "GET" -> request.objectName().indexOf('/') < 0 ? LIST : GET;
      default -> WRITE;
    };
  }
}
