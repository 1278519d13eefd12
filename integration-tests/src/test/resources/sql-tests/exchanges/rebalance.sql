-- Exchanges whose partitions adaptive execution may divide or put together.
--SET spark.sql.ansi.enabled=false
--SET spark.sql.adaptive.enabled=true
--CONFIG_DIM1 spark.sql.adaptive.advisoryPartitionSizeInBytes=500
--CONFIG_DIM1 spark.sql.adaptive.advisoryPartitionSizeInBytes=64MB

create table t using parquet as
select id, if(id % 9 = 0, null, id % 3) as k, concat('v', id % 6) as v
from range(0, 4000, 1, 3);

--RAN AriadneShuffleExchange
select /*+ rebalance */ id, k, v from t where id > 10;
select /*+ rebalance(k) */ * from t where id > 10;
