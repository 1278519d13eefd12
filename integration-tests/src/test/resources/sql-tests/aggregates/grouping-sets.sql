-- Rollups, cubes and sets of groups, with and without rows.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.adaptive.enabled=true,spark.sql.shuffle.partitions=5
--CONFIG_DIM1 spark.sql.adaptive.enabled=false,spark.sql.shuffle.partitions=1

create table sales using parquet as
select id, concat('region ', id % 4) as region, if(id % 10 = 0, null, id % 6) as product,
  date_add(date'1999-12-20', cast(id % 30 as int)) as day, cast(id % 100 as decimal(9,2)) as price
from range(0, 700, 1, 3);

--RAN AriadneExpand, AriadneHashAggregate
select region, product, count(*), sum(price) from sales group by rollup (region, product);
select region, product, year(day), avg(price) from sales group by cube (region, product, year(day));
select region, product, grouping(region), grouping_id(region, product), max(day)
from sales group by region, product grouping sets ((region), (product), ());
select region, count(distinct product), count(distinct day), sum(price) from sales group by region;
--RAN
select region, product, count(*) from sales where id < 0 group by rollup (region, product);
