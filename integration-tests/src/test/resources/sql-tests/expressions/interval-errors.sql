-- Errors of intervals name the part of the query that raises them, also where Spark's code does not come from the driver.
--SET spark.ariadne.disable=TransitionCost
--CONFIG_DIM1 spark.sql.ansi.enabled=true
--CONFIG_DIM1 spark.sql.ansi.enabled=false

create table intervals using parquet as
select id as k, make_ym_interval(cast(id as int), 3) as ym, make_dt_interval(cast(id as int)) as dt, cast(id as int) as i from range(0, 9, 1, 1);

--BRIDGED DivideYMInterval
select k, ym / (i - 4) from intervals;
select k, ym / 0 from intervals;
select try_sum(ym / 0) from intervals;
--BRIDGED DivideDTInterval
select k, dt / (4.0 - i) from intervals;
--BRIDGED MakeYMInterval
select k, make_ym_interval(178956970 + i, 8) from intervals;
--BRIDGED MakeDTInterval
select k, make_dt_interval(2147483647 - i, 2147483647) from intervals;
select k, make_dt_interval(106751991 + i, 4, 0, 54.775807) as a, dt / (i - 4) as b from intervals;
