package io.ariadne.bridge.node

import java.util.{List => JavaList}

import io.ariadne.bridge.node.AriadneExec.{JavaFunction, JavaPlan}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.{
  BinaryExecNode,
  ColumnarToRowTransition,
  LeafExecNode,
  SparkPlan,
  UnaryExecNode
}
import org.apache.spark.sql.execution.metric.SQLMetric

/**
 * Common behaviour of all Ariadne plan nodes: columnar output, equality by arguments, declared
 * metrics. A node is a Java class with exactly one public constructor. Its parameters are the
 * node's arguments in order, then its children in order, or all children as one `Seq`. The node
 * passes both to the base class, unchanged. Arguments are immutable and of types that Catalyst
 * traverses: expressions, attributes, Scala `Seq`, `Option` and `Map` of those, and plain values
 * with equality. They are never null, arrays or Java collections. With these rules `makeCopy`,
 * `transformExpressions`, `withNewChildren`, `canonicalized`, `sameResult` and with it the reuse
 * of exchanges work as for Spark's case classes, and copies keep tags and with them the logical
 * link.
 */
trait AriadneExec extends AriadneNode {
  final override def supportsColumnar: Boolean = true

  final override def supportsRowBased: Boolean = false

  /**
   * Fails. Spark inserts a transition above this node to get rows, so asking the node itself is
   * a planning error.
   */
  override protected def doExecute(): RDD[InternalRow] =
    throw new IllegalStateException(
      s"$nodeName yields columns only: its parent misses a transition to rows")
}

/**
 * [[AriadneExec]] without the columnar output; also the base of nodes that convert columns to
 * rows.
 */
trait AriadneNode extends SparkPlan {

  /** The constructor's arguments except the children, in order. Must not be changed. */
  protected def nodeArguments: Array[AnyRef]

  /** The constructor's remaining arguments: the children, in order or as one `Seq`. */
  protected def childArguments: Seq[AnyRef] = children

  /** The metrics of this node; called once, on Spark's driver. */
  protected def declaredMetrics: JavaList[NodeMetric] =
    JavaList.of(NodeMetric.outputRows, NodeMetric.outputBatches)

  @transient override lazy val metrics: Map[String, SQLMetric] =
    NodeMetric.create(declaredMetrics, sparkContext)

  /**
   * Makes this node the successor of the node it was converted from. It gets that node's tags
   * and with them the logical link, which adaptive execution needs to plan again. Returns this
   * node.
   */
  final def takeTagsFrom(original: SparkPlan): SparkPlan = {
    copyTagsFrom(original)
    this
  }

  final override def productArity: Int = nodeArguments.length + childArguments.length

  final override def productElement(index: Int): Any = {
    val count = nodeArguments.length
    if (index < count) nodeArguments(index) else childArguments(index - count)
  }

  final override def productPrefix: String = getClass.getSimpleName

  final override def canEqual(other: Any): Boolean = other.getClass == getClass

  final override def equals(other: Any): Boolean = other match {
    case same: AnyRef if same eq this => true
    case node: AriadneNode =>
      canEqual(node) && productArity == node.productArity &&
      productIterator.sameElements(node.productIterator)
    case _ => false
  }

  // TreeNode caches the hash of a product; overridden here because equals is.
  final override def hashCode(): Int = super.hashCode()

  final protected def copyWith(newChildren: Seq[SparkPlan]): SparkPlan =
    makeCopy(nodeArguments ++ newChildren)
}

private[node] object AriadneExec {

  /**
   * A type that is `SparkPlan` in a Java signature but a different type in Scala. `LeafLike` and
   * its siblings implement `withNewChildrenInternal` and `mapChildren` as final methods. scalac
   * forwards to them with methods without generic signature that return `TreeNode`, which javac
   * does not accept as the implementation in a Java subclass. An overload with this type
   * satisfies javac, has another descriptor for the JVM, and is never called by Spark.
   */
  type JavaPlan = SparkPlan with Runnable

  /** The same for the argument of `mapChildren`. */
  type JavaFunction = (SparkPlan => SparkPlan) with Runnable
}

/**
 * A node without children.
 *
 * @param arguments the constructor's arguments; see [[AriadneExec]]
 */
abstract class AriadneLeafExec(arguments: Array[AnyRef]) extends LeafExecNode with AriadneExec {
  final override protected def nodeArguments: Array[AnyRef] = arguments

  final override def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): SparkPlan = this

  /** Only for javac; see [[AriadneExec.JavaPlan]]. */
  final def mapChildren(f: JavaFunction): SparkPlan = this
}

/**
 * A node with one child.
 *
 * @param child the input, last parameter of the node's constructor
 * @param arguments the other arguments; see [[AriadneExec]]
 */
abstract class AriadneUnaryExec(final override val child: SparkPlan, arguments: Array[AnyRef])
    extends UnaryExecNode
    with AriadneExec {
  final override protected def nodeArguments: Array[AnyRef] = arguments

  final override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copyWith(Seq(newChild))

  /** Only for javac; see [[AriadneExec.JavaPlan]]. */
  final def withNewChildrenInternal(newChildren: IndexedSeq[JavaPlan]): SparkPlan =
    copyWith(newChildren)

  /** Only for javac; see [[AriadneExec.JavaPlan]]. */
  final def mapChildren(f: JavaFunction): SparkPlan = super.mapChildren(f: SparkPlan => SparkPlan)
}

/**
 * A node with any number of children.
 *
 * @param children the inputs, last parameters of the node's constructor
 * @param arguments the other arguments; see [[AriadneExec]]
 */
abstract class AriadneTreeExec(
    final override val children: Seq[SparkPlan],
    arguments: Array[AnyRef])
    extends SparkPlan
    with AriadneExec {
  final override protected def nodeArguments: Array[AnyRef] = arguments

  final override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): SparkPlan =
    copyWith(newChildren)
}

/**
 * A node that converts its child's columns to rows.
 *
 * @param child the input, the only parameter of the node's constructor
 */
abstract class AriadneRowTransitionExec(final override val child: SparkPlan)
    extends ColumnarToRowTransition
    with AriadneNode {
  final override protected def nodeArguments: Array[AnyRef] = Array.empty

  final override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copyWith(Seq(newChild))

  /** Only for javac; see [[AriadneExec.JavaPlan]]. */
  final def withNewChildrenInternal(newChildren: IndexedSeq[JavaPlan]): SparkPlan =
    copyWith(newChildren)

  /** Only for javac; see [[AriadneExec.JavaPlan]]. */
  final def mapChildren(f: JavaFunction): SparkPlan = super.mapChildren(f: SparkPlan => SparkPlan)
}

/**
 * A node with two children.
 *
 * @param left the first input, last but one parameter of the node's constructor
 * @param right the second input, last parameter
 * @param arguments the other arguments; see [[AriadneExec]]
 */
abstract class AriadneBinaryExec(
    final override val left: SparkPlan,
    final override val right: SparkPlan,
    arguments: Array[AnyRef])
    extends BinaryExecNode
    with AriadneExec {
  final override protected def nodeArguments: Array[AnyRef] = arguments

  final override protected def withNewChildrenInternal(
      newLeft: SparkPlan,
      newRight: SparkPlan): SparkPlan =
    copyWith(Seq(newLeft, newRight))

  /** Only for javac; see [[AriadneExec.JavaPlan]]. */
  final def withNewChildrenInternal(newChildren: IndexedSeq[JavaPlan]): SparkPlan =
    copyWith(newChildren)

  /** Only for javac; see [[AriadneExec.JavaPlan]]. */
  final def mapChildren(f: JavaFunction): SparkPlan = super.mapChildren(f: SparkPlan => SparkPlan)
}
