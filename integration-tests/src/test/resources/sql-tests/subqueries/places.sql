-- The value of a query in every place that an operator of ours has for an expression.
--SET spark.sql.ansi.enabled=false,spark.ariadne.disable=OnePartitionExec
--CONFIG_DIM1 spark.sql.adaptive.enabled=true
--CONFIG_DIM1 spark.sql.adaptive.enabled=false

create table t1 using parquet as select id as a, id * 3 % 7 as b, 'v' || id as s from range(0, 6, 1, 2);

create table t2 using parquet as
select id % 11 as c, if(id % 13 = 0, null, id % 17 - 4) as d, 'v' || (id % 9) as s, cast(id % 5 as double) / 3 as f
from range(0, 300, 1, 3);

--RAN AriadneExpand,AriadneHashAggregate
select avg(distinct d), sum(distinct if(c > (select max(a) from t1), d, 0)) from t2 group by c;
select c, count(distinct d) filter (where c > (select max(a) from t1)), count(distinct s) from t2 group by c;
select c, count(distinct s), count(distinct d + (select max(b) from t1)) from t2 group by c;
select c, s, grouping_id(), count(*) from t2 group by grouping sets ((c + (select min(a) + 1 from t1), c, s), (c, s), (s), ());
select k, s, count(d) from (select c - (select max(a) from t1) as k, s, d from t2) group by cube (k, s);
--RAN AriadneTopN
select c, d from t2 order by abs(d - (select max(a) from t1)), c, d limit 10;
select s, d from t2 order by concat(s, (select max(s) from t1)) desc, d nulls last, c limit 7;
--BRIDGED
select c, d from t2 order by (select max(a) from t1 where a > 100), c, d, s, f limit 10;
--RAN AriadneSort
select c, d, s, row_number() over (partition by c order by abs(d - (select max(a) from t1)), d, s, f) as r from t2;
select c, d, s, row_number() over (partition by c % (select max(a) from t1) order by d, s, f, c) as r from t2;
--RAN AriadneProject
select c + (select max(a) from t1), coalesce(d, (select min(b) from t1)), s = (select max(s) from t1) from t2;
select case when d > (select avg(a) from t1) then s else (select min(s) from t1) end from t2;
--BRIDGED In
select c, d in ((select max(a) from t1), 3, (select min(a) - 1 from t1)) from t2;
--BRIDGED
select substring(s, (select cast(min(a) + 1 as int) from t1)) from t2;
--RAN AriadneFilter
select c from t2 where s > (select max(s) from t1 where a < 4) or d is null;
select c from t2 where c = (select max(a) from t1 where a > 100);
select c, d from t2 where d between (select min(b) from t1) and (select max(b) from t1) and startswith(s, (select 'v'));
--RAN AriadneHashAggregate
select c % (select max(a) from t1), sum(d) from t2 group by c % (select max(a) from t1);
select c, max(s || (select max(s) from t1)) from t2 group by c;
--BRIDGED
select c, sum(d) filter (where f < (select avg(a) / 3 from t1)), max(d + (select max(a) from t1)) from t2 group by c;
select c, sum(d) + (select max(a) from t1) from t2 group by c having max(d) > (select max(a) from t1);
select sum(d * (select max(b) from t1)), min(f - (select max(a) from t1)) from t2;
-- Spark itself fails on a subquery in the key of a broadcast: it does not await it.
--RAN AriadneHashJoin
select /*+ merge(y) */ x.c, x.d, y.a from t2 x join t1 y on x.c = y.a + (select min(a) + 2 from t1) and x.d > (select min(b) from t1);
select /*+ shuffle_hash(y) */ x.c, y.a from t2 x left join t1 y on x.c + (select max(a) from t1) = y.a + 6 and x.s <> (select max(s) from t1);
select /*+ merge(x) */ x.c from t2 x where x.c + (select max(a) from t1) in (select a + 4 from t1);
select x.c, y.a from t2 x, t1 y where x.d + y.a < (select max(a) - 3 from t1);
--RAN AriadneShuffleExchange
select count(*), min(c) from (select /*+ repartition_by_range(4, k) */ c, d - (select max(a) from t1) as k from t2);
select c, d from t2 distribute by c % (select max(a) from t1);
select c, d from t2 distribute by c % (select max(a) from t1) sort by d - (select max(a) from t1);
--RAN
select c, sort_array(collect_set(d + (select max(a) from t1))) from t2 group by c;
