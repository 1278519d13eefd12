package io.ariadne.it.scalaapi

import java.sql.Date

import org.apache.spark.sql.{DataFrame, Dataset, SparkSession}
import org.apache.spark.sql.functions._
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

case class Sale(id: Long, shop: String, day: Date, price: BigDecimal, amount: Option[Int])

case class ShopTotal(shop: String, total: BigDecimal)

/** What Scala users write (typed datasets, closures, column functions) with the plugin off and on. */
class DatasetSuite extends AnyFunSuite with BeforeAndAfterAll {
  private var session: SparkSession = _

  override def beforeAll(): Unit = {
    session = SparkSession
      .builder()
      .appName("ariadne-scala-suite")
      .master("local[2]")
      .config("spark.plugins", "io.ariadne.AriadnePlugin")
      .config("spark.ariadne.test.rethrowPlanningErrors", "true")
      .config("spark.ui.enabled", "false")
      .config("spark.driver.host", "127.0.0.1")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "3")
      .getOrCreate()
    session.sparkContext.setLogLevel("WARN")
  }

  override def afterAll(): Unit = session.stop()

  private lazy val sales: Dataset[Sale] = {
    val spark = session
    import spark.implicits._
    (0 until 1000)
      .map { i =>
        val amount = if (i % 7 == 0) None else Some(i % 50)
        Sale(i.toLong, s"shop ${i % 5}", new Date(i * 86400000L), BigDecimal(i * 3, 2), amount)
      }
      .toDS()
  }

  /** Collects with Ariadne off and on, asserts equal rows, returns the plan that ran with it on. */
  private def compare(query: => DataFrame): String = {
    session.conf.set("spark.ariadne.enabled", "false")
    val expected = query.collect().map(_.toString).sorted.toSeq
    session.conf.set("spark.ariadne.enabled", "true")
    val dataset = query
    val actual = dataset.collect().map(_.toString).sorted.toSeq
    assert(actual == expected)
    dataset.queryExecution.executedPlan.toString
  }

  test("typed filters and maps keep their closures") {
    val spark = session
    import spark.implicits._
    compare(sales.filter(_.amount.exists(_ > 10)).map(s => (s.shop, s.price * 2)).toDF())
  }

  test("column functions run on Ariadne") {
    val plan = compare(
      sales
        .where(col("amount") > 5 && col("day") < Date.valueOf("1972-01-01"))
        .groupBy("shop")
        .agg(sum(col("price").cast("decimal(12,2)")), count(lit(1)), max("amount"))
        .toDF()
    )
    assert(plan.contains("AriadneHashAggregate"), plan)
  }

  test("user functions stay in the pipeline") {
    val label = udf((shop: String, amount: Int) => s"$shop/$amount")
    compare(sales.where("amount is not null").select(label(col("shop"), col("amount"))).toDF())
  }

  test("results come back as case classes") {
    val spark = session
    import spark.implicits._
    session.conf.set("spark.ariadne.enabled", "true")
    val totals = sales.groupBy("shop").agg(sum("price").as("total")).as[ShopTotal].collect()
    assert(totals.map(_.total).sum == sales.collect().map(_.price).sum)
  }
}
