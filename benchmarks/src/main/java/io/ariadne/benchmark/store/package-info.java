/**
 * An S3 store on this machine for benchmarks and tests: a server over files, and a proxy that gives
 * it the latency, the rates and the faults of a distant one.
 *
 * <p>{@link io.ariadne.benchmark.store.LocalStore} starts both. The server is s3proxy in a JVM of
 * its own ({@link io.ariadne.benchmark.store.S3Server}); it checks signatures. {@link
 * io.ariadne.benchmark.store.ShapingProxy} forwards requests without a change of what is signed,
 * counts them ({@link io.ariadne.benchmark.store.StoreTraffic}), holds responses to a {@link
 * io.ariadne.benchmark.store.StoreShape} and fails some of them: {@link
 * io.ariadne.benchmark.store.StoreFaults} draws which, {@link io.ariadne.benchmark.store.StoreRule}
 * fails those of one object.
 *
 * <p>The package is here because both its users can depend on this module: the commands of {@code
 * bin/ariadne bench}, and the tests of {@code integration-tests}. It uses the Java library only: no
 * class of Spark, Hadoop, Ariadne or another package of this module. The unit tests of {@code
 * s3-reader}, a module below this one, have a server of their own.
 */
package io.ariadne.benchmark.store;
