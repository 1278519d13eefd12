-- Values of other queries, correlated or not.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=10485760
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=-1

create table a using parquet as
select id, if(id % 9 = 0, null, id % 50) as k, cast(id as double) / 3 as f from range(0, 400, 1, 3);

create table b using parquet as
select id, if(id % 11 = 0, null, id % 70 + 20) as k from range(0, 300, 1, 2);

--RAN AriadneFilter
select id from a where f > (select avg(f) from a);
select id, k from a where k = (select max(k) - 25 from b) and id > 10;
--RAN AriadneHashJoin
select id, k from a where f > (select avg(b.id) from b where b.k = a.k);
select id, (select max(b.id) from b where b.k = a.k) m from a where id % 2 = 1;
select a.id from a where a.id in (select b.id from b where b.k in (select k from a where f > 50));
