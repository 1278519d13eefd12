package io.ariadne.benchmark.engine;

import java.io.Serial;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** Asks every executor of a Spark application for its state. */
final class ExecutorInspection {
  private ExecutorInspection() {}

  /** The task that tells the state of its executor. */
  private static final class Probe
      extends AbstractFunction1<Iterator<Integer>, Iterator<Tuple2<String, EngineState>>>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    @Override
    public Iterator<Tuple2<String, EngineState>> apply(Iterator<Integer> ignored) {
      return Iterator$.MODULE$.single(
          new Tuple2<>(SparkEnv.get().executorId(), AriadneInspection.ofProcess()));
    }
  }

  /** Returns the sum of the states of all executors. */
  static EngineState state(SparkContext context) {
    int slots =
        context.maxNumConcurrentTasks(context.resourceProfileManager().defaultResourceProfile());
    List<Integer> tasks = IntStream.range(0, slots).boxed().toList();
    ClassTag<Tuple2<String, EngineState>> tag = ClassTag$.MODULE$.apply(Tuple2.class);
    // A barrier stage starts all tasks at the same time, so that every slot gets one.
    var asked =
        new JavaSparkContext(context)
            .parallelize(tasks, slots)
            .rdd()
            .barrier()
            .mapPartitions(new Probe(), false, tag);
    Map<String, EngineState> states = new HashMap<>();
    new JavaRDD<>(asked, tag).collect().forEach(state -> states.put(state._1, state._2));
    return EngineState.sum(states.values());
  }
}
