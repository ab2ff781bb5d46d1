/**
 * Makes a database look like the coordinator of a cluster to `cli distribute`, which it is not: functions that write down
 * what they are called with, and refuse what Citus refuses. The command itself was run on a cluster by hand.
 */
export const CITUS_STAND_IN = `
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 4000000000, 'citus', oid, 'public'::regnamespace, false, '13.2-1' from pg_roles where rolname = current_user;
  create table worker (name text);
  create table pg_dist_partition (logicalrelid regclass primary key, partmethod "char", partkey text, colocationid integer);

  create function citus_get_active_worker_nodes() returns setof worker language sql as 'select * from worker';
  create function column_to_column_name(of regclass, key text) returns text language sql as 'select key';
  create function truncate_local_data_after_distributing_table(name regclass) returns void language sql as '';
  create function citus_add_local_table_to_metadata(name regclass) returns void language sql
    as $$ insert into pg_dist_partition values (name, 'n', null, 0) $$;
  create function create_reference_table(name regclass) returns void language sql
    as $$ insert into pg_dist_partition values (name, 'n', null, 1) $$;

  create function create_distributed_table(name regclass, key text, colocate_with text) returns void language plpgsql as $$
  begin
    if exists (select from pg_constraint where contype = 'f' and name in (conrelid, confrelid)) then
      raise 'cannot distribute relation % as it has foreign keys', name;
    end if;
    if exists (select from pg_trigger where tgrelid = name and not tgisinternal) then
      raise 'cannot distribute relation % because it has triggers', name;
    end if;
    insert into pg_dist_partition select name, 'h', key, coalesce(
      (select colocationid from pg_dist_partition where logicalrelid::text = colocate_with), 2 + (select count(*) from pg_dist_partition));
  end $$`;
