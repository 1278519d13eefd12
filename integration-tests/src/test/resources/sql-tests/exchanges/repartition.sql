-- Exchanges that queries ask for.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.adaptive.enabled=true
--CONFIG_DIM1 spark.sql.adaptive.enabled=false

create table t using parquet as
select id, if(id % 9 = 0, null, id % 50) as k, concat('v', id % 6) as v, array(id, null) as a,
  named_struct('x', id % 2, 'y', concat('s', id)) as s
from range(0, 400, 1, 3);

--RAN AriadneShuffleExchange
select /*+ repartition(4, k) */ * from t where id > 10;
select /*+ repartition(7, v, k) */ id, a from t where id > 10;
select /*+ repartition_by_range(5, k) */ * from t where id > 10;
select /*+ repartition_by_range(3, v, id) */ id, s from t where id > 10;
select /*+ repartition(5) */ id, k, v from t where id > 10;
select k, count(*), sum(id) from (select /*+ repartition(4, v) */ * from t) group by k;
