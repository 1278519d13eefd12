-- Rows of both sides without a partner; always by an exchange of both sides.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.adaptive.enabled=true
--CONFIG_DIM1 spark.sql.adaptive.enabled=false

create table a using parquet as
select id, if(id % 9 = 0, null, id % 50) as k, cast(id % 3 as tinyint) as t from range(0, 400, 1, 3);

create table b using parquet as
select id, if(id % 11 = 0, null, id % 70 + 20) as k, cast(id % 5 as tinyint) as t from range(0, 300, 1, 2);

--RAN AriadneHashJoin, AriadneShuffleExchange
select a.id, b.id, a.k, b.k from a full outer join b on a.k = b.k and a.t = b.t;
select coalesce(a.k, b.k) k, count(a.id), count(b.id) from a full outer join b on a.k = b.k group by 1;
select a.id, b.id from a full outer join b on a.k = b.k and a.id + b.id < 200;
