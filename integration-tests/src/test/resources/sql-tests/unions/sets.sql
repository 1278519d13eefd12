-- UNION, INTERSECT and EXCEPT, of rows and of groups.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=10485760
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=-1

create table a using parquet as
select id, if(id % 9 = 0, null, id % 50) as k, concat('v', id % 6) as v from range(0, 400, 1, 3);

create table b using parquet as
select id, if(id % 11 = 0, null, id % 70 + 20) as k, concat('v', id % 4) as v from range(0, 300, 1, 2);

--RAN AriadneHashAggregate
select k, v from a union select k, v from b;
select v, count(*), sum(k) from (select * from a union all select * from b) group by v;
select k from a except select k from b;
select k, v from a intersect select k, v from b;
select k from (select k, count(*) c from a group by k union all select k, count(*) from b group by k) where c > 5;
