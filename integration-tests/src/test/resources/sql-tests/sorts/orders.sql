-- Directions, nulls and ties; LIMIT with and without OFFSET.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.adaptive.enabled=true
--CONFIG_DIM1 spark.sql.adaptive.enabled=false

create table t using parquet as
select id, if(id % 9 = 0, null, id % 50) as k, if(id % 5 = 0, null, concat('a common beginning of ', id % 60)) as v,
  if(id % 8 = 0, cast('nan' as double), if(id % 3 = 0, -0.0D, id / 7.0D)) as f
from range(0, 600, 1, 3);

--RAN AriadneSort
select * from t order by k, id;
select * from t order by v desc nulls first, k, id;
select id, f from t order by f desc, id desc;
select k, count(*) c from t group by k order by c desc, k nulls last;
--RAN AriadneTopN
select * from t order by k, id limit 20;
select id, v from t order by v desc nulls last, id limit 33 offset 5;
select k, sum(id) s from t group by k order by s desc, k limit 3;
