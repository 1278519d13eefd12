-- Equal keys of several types, with nulls on both sides, keys that one side lacks, and many equal ones.
--SET spark.sql.ansi.enabled=false
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=10485760,spark.sql.adaptive.enabled=true
--CONFIG_DIM1 spark.sql.autoBroadcastJoinThreshold=-1,spark.sql.adaptive.enabled=false

create table orders using parquet as
select id, if(id % 7 = 0, null, id % 40) as customer, concat('city ', id % 11) as city,
  date_add(date'1581-12-25', cast(id % 400 as int)) as day, cast(id as decimal(12,2)) / 4 as price
from range(0, 900, 1, 3);

create table customers using parquet as
select if(id = 3, null, id) as customer, concat('city ', id % 13) as city,
  date_add(date'1582-10-10', cast(id as int)) as day, if(id % 5 = 0, null, concat('name ', id)) as name
from range(0, 60, 1, 2) union all select 5, 'city 5', date'1582-10-20', 'five again';

--RAN AriadneHashJoin
select o.id, o.customer, c.name from orders o join customers c on o.customer = c.customer;
select o.id, c.name, c.city from orders o left join customers c on o.customer = c.customer;
select o.id, c.customer, c.name from orders o right join customers c on o.customer = c.customer;
select o.id, c.name from orders o join customers c on o.city = c.city and o.day = c.day;
select o.id, c.name from orders o join customers c on o.customer <=> c.customer and o.city = c.city;
select count(*), sum(o.price), max(c.name)
from orders o join customers c using (customer) join customers d on d.city = c.city;
select c.city, count(o.id), sum(o.price)
from customers c left join orders o on c.customer = o.customer and o.price > 100 group by c.city;
