-- The column of malformed records, whose name is a setting of the session, also where from_csv is in an aggregate.
--SET spark.ariadne.disable=TransitionCost
--CONFIG_DIM1 spark.sql.columnNameOfCorruptRecord=_corrupt_record
--CONFIG_DIM1 spark.sql.columnNameOfCorruptRecord=b

create table records using parquet as
select id as k, element_at(array('1,x', '2', '"', '3,y,z', '', null, 'w,v', '4,"'), cast(id % 8 as int) + 1) as line
from range(0, 40, 1, 2);

--BRIDGED CsvToStructs
select k, from_csv(line, 'a int, _corrupt_record string, b string') from records;
select k, from_csv(line, 'a int, c string, _corrupt_record string')._corrupt_record from records;
select k, from_csv(line, 'a int, c string, why string', map('columnNameOfCorruptRecord', 'why')) from records;
select k, from_csv(line, 'a int, c string, why string', map('COLUMNNAMEOFCORRUPTRECORD', 'why')).why from records;
--RAN AriadneHashAggregate
--BRIDGED GetStructField
select k % 3, max(from_csv(line, 'a int, c string, _corrupt_record string')._corrupt_record) from records group by 1;
--BRIDGED GetStructField,SortArray
select k % 3, sort_array(collect_list(from_csv(line, 'a int, c string, b string').b)) from records group by 1;
