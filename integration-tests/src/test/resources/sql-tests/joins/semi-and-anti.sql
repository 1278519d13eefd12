-- EXISTS, IN and their opposites: NOT IN knows nulls, OR makes existence joins.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=10485760
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=-1

create table a using parquet as
select id, if(id % 9 = 0, null, id % 50) as k, concat('v', id % 6) as v from range(0, 400, 1, 3);

create table b using parquet as
select id, if(id % 11 = 0, null, id % 70 + 20) as k, concat('v', id % 4) as v from range(0, 300, 1, 2);

create table c using parquet as select id as k from range(0, 20, 1, 1);

create table nothing using parquet as select id as k from range(0, 1, 1, 1) where id > 5;

--RAN AriadneHashJoin
select id, k from a where exists (select 1 from b where a.k = b.k);
select id, k from a where not exists (select 1 from b where a.k = b.k and a.v = b.v);
select id, k from a where k in (select k from b where v = 'v1');
select id, k, v from a where exists (select 1 from b where a.k = b.k and a.id > b.id);
select id from a where v = 'v5' or exists (select 1 from b where a.k = b.k and b.v = 'v2');

-- How NOT IN is planned depends on what may be broadcast and on what is empty.
--RAN
select id, k from a where k not in (select k from b);
select id, k from a where k not in (select k from c);
select id, k from a where k not in (select k from nothing);
select id from a where (k, v) not in (select k, v from b where k is not null);
