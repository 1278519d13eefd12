-- Joins without equal keys.
--SET spark.sql.ansi.enabled=false
--SET spark.sql.adaptive.enabled=true

create table a using parquet as
select id, if(id % 9 = 0, null, id % 50) as k from range(0, 200, 1, 3);

create table b using parquet as
select id, if(id % 4 = 0, null, id * 3) as k, concat('v', id) as v from range(0, 17, 1, 1);

create table nothing using parquet as select id as k from range(0, 1, 1, 1) where id > 5;

--RAN AriadneHashJoin
select a.id, b.id from a join b on a.k < b.k;
select a.id, b.v from a left join b on a.k between b.k and b.k + 2;
select count(*), sum(a.k), max(b.v) from a cross join b;
select a.id from a where exists (select 1 from b where b.k > a.k + 40);
select a.id from a where not exists (select 1 from b where b.k > a.k + 10);
--RAN
select a.id, n.k from a left join nothing n on a.k < n.k;
