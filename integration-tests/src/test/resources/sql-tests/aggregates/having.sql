-- Conditions over groups, and groups of groups.
--SET spark.sql.ansi.enabled=false

create table sales using parquet as
select id, concat('region ', id % 4) as region, if(id % 10 = 0, null, id % 60) as product,
  cast(id % 100 as decimal(9,2)) as price, cast(id as double) / 3 as weight
from range(0, 700, 1, 3);

--RAN AriadneHashAggregate
select product, sum(price) from sales group by product having sum(price) > 500;
select product, count(*) c from sales group by product having count(*) > 11 and max(region) <> 'region 3';
select c, count(*) from (select product, count(*) c from sales group by product) group by c;
select region, sum(s), max(c) from
  (select region, product, sum(price) s, count(*) c from sales group by region, product) group by region;
select count(*), sum(price), min(region), max(weight), avg(product) from sales;
select count(*), sum(price), min(region), max(weight), avg(product) from sales where id < 0;
select distinct region, product % 3 from sales;
