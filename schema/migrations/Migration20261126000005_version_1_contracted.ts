import { Migration } from '@mikro-orm/migrations';

/** Statements, with an empty line after each table and its indexes. Keys and foreign keys of a company begin with its id. */
const SHAPE = `
-- Companies, their keys and what the service records about them

create table company (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  suspended_at timestamptz(3),
  sandbox_of uuid references company (id),
  sealed_for uuid
);
create unique index company_sandbox_of on company (sandbox_of);

create table api_key (
  company_id uuid not null references company (id),
  id uuid not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  last4 text not null,
  label text not null check (char_length(label) between 1 and 200),
  scopes text[] not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  rates jsonb,
  rate_key_id uuid,
  rotated_at timestamptz(3),
  expiry_told_at timestamptz(3),
  primary key (company_id, id)
);
create unique index api_key_by_id on api_key (id);
create index api_key_expiry_untold on api_key
  (company_id, expires_at)
  where expires_at is not null and revoked_at is null and rotated_at is null and expiry_told_at is null;

-- Counts of one minute, which nobody misses after a crash, so the table is unlogged.
create unlogged table rate_use (
  company_id uuid not null,
  api_key_id uuid not null,
  rate_class text not null,
  time_window integer not null,
  used integer not null,
  primary key (company_id, api_key_id, rate_class)
) with (fillfactor = 50);

create table idempotent_request (
  company_id uuid not null,
  api_key_id uuid not null,
  route text not null,
  idempotency_key text not null check (char_length(idempotency_key) between 1 and 255),
  claim uuid not null,
  request bytea not null,
  claimed_at timestamptz(3) not null default now(),
  took_effect boolean not null default false,
  answer bytea,
  primary key (company_id, api_key_id, route, idempotency_key),
  foreign key (company_id, api_key_id) references api_key (company_id, id) on delete cascade
);
create index idempotent_request_claimed on idempotent_request (claimed_at);

-- Proofs that companies were erased. A row is written when the erasure of a suspended company begins, is finished
-- once, and is neither changed after that nor deleted. Until then, the audit trail of the company can be deleted: not
-- without leaving the proof.
create table erased_company (
  id uuid not null,
  began_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  erased_by text not null check (char_length(erased_by) between 1 and 200),
  audit_entries bigint not null,
  audit_hash bytea not null,
  counts jsonb not null default '{}',
  primary key (id, began_at)
);
create unique index erased_company_unfinished on erased_company (id) where finished_at is null;

create function refuse_change_of_erasure() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    if exists (select from company where id = new.id and suspended_at is not null) and new.finished_at is null then
      return new;
    end if;
    raise exception 'Only a suspended company is erased' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'UPDATE' and old.finished_at is null
      and (new.id, new.began_at, new.erased_by, new.audit_entries, new.audit_hash)
        = (old.id, old.began_at, old.erased_by, old.audit_entries, old.audit_hash) then
    return new;
  end if;
  raise exception 'The proof of an erasure is not changed' using errcode = 'insufficient_privilege';
end $$;

create trigger erased_company_is_kept before insert or delete or update on erased_company
  for each row execute function refuse_change_of_erasure();
create trigger erasures_are_kept before truncate on erased_company
  for each statement execute function refuse_change_of_erasure();

-- The hash of an entry covers its content and the hash of the entry before it. json keeps the text that was hashed.
create table audit_entry (
  company_id uuid not null,
  number bigint not null,
  content json not null,
  action text not null generated always as ((content ->> 'action')) stored,
  hash bytea not null,
  primary key (company_id, number)
);
create index audit_entry_by_action on audit_entry (company_id, action, number);

create function refuse_change_of_audit() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and exists (select from erased_company where id = old.company_id and finished_at is null) then
    return old;
  end if;
  raise exception 'Entries of the audit trail are not changed' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_entry_is_kept before delete or update on audit_entry
  for each row execute function refuse_change_of_audit();
create trigger audit_is_kept before truncate on audit_entry
  for each statement execute function refuse_change_of_audit();

-- The number and the hash of the last entry. Without it, nothing would show that all entries are gone.
create table audit_head (
  company_id uuid primary key references company (id),
  last bigint not null,
  hash bytea not null
);

create function refuse_change_of_audit_head() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.company_id = old.company_id and new.last = old.last + 1 then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select from erased_company where id = old.company_id and finished_at is null) then
    return old;
  end if;
  raise exception 'The head of the audit trail is not changed' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_head_is_kept before delete or update on audit_head
  for each row execute function refuse_change_of_audit_head();
create trigger audit_heads_are_kept before truncate on audit_head
  for each statement execute function refuse_change_of_audit_head();

-- Jobs of suspended companies. In pg-boss' tables, each fetch would step over them, and pg-boss would delete them in
-- time.
create table suspended_job (
  company_id uuid not null references company (id),
  id uuid not null,
  queue text not null,
  data jsonb not null,
  group_id text,
  singleton_key text,
  primary key (company_id, id)
);

-- The installation

-- The ids of the keys with which something may be encrypted. A process without one of them does not start.
create table secrets_key (
  id bytea primary key check (octet_length(id) = 4),
  registered_at timestamptz not null default now()
);

-- The versions of the service that migrated the database, so that a process of an older one can stop.
create table migrated_version (
  version text primary key,
  oldest_beside text not null,
  migrated_at timestamptz not null default now()
);

-- Carriers

create table carrier_connection (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  carrier_code text not null,
  label text not null check (char_length(label) between 1 and 200),
  is_active boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  environment text not null default 'live' check (environment in ('live', 'sandbox')),
  base_url text check (char_length(base_url) <= 2048),
  credentials bytea,
  disconnected_at timestamptz(3),
  follow_after integer,
  credentials_state text,
  primary key (company_id, id),
  constraint carrier_connection_check
    check (disconnected_at is null or (credentials is null and not is_active)),
  constraint carrier_connection_credentials_state check (credentials_state in ('refused', 'changed'))
);
create index carrier_connection_refused on carrier_connection (carrier_code) where credentials_state = 'refused';

-- Each index ends with the time and the id, so that a page is read along it.
create table carrier_call (
  company_id uuid not null,
  id bigint generated by default as identity,
  carrier_connection_id integer not null,
  at timestamptz(3) not null,
  purpose text not null,
  is_token_request boolean not null,
  request_id text,
  method text not null,
  address text not null,
  outcome text not null,
  status smallint,
  failure text,
  duration_ms integer not null,
  request_headers json not null,
  request_body text,
  response_headers json,
  response_body text,
  primary key (company_id, id),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)
);
create index carrier_call_by_age on carrier_call (at);
create index carrier_call_by_connection on carrier_call (company_id, carrier_connection_id, at, id);
create index carrier_call_by_outcome on carrier_call (company_id, outcome, at, id);
create index carrier_call_by_request on carrier_call (company_id, request_id, id) where request_id is not null;
create index carrier_call_by_time on carrier_call (company_id, at, id);

-- Warehouses and orders

create table warehouse (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  name text not null,
  type_id smallint not null check (type_id between 1 and 4),
  address text not null,
  postal_code text not null,
  city text not null,
  state text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, id)
);

-- Columns named *_key hold normalized numbers.
create table customer_order (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  order_number text not null,
  marketplace text,
  marketplace_order_id text,
  marketplace_order_id_key text,
  marketplace_order_number text,
  marketplace_order_number_key text,
  warehouse_id integer,
  recipient jsonb not null,
  parcels jsonb not null,
  cod_amount numeric check (cod_amount >= 0),
  insurance_amount numeric check (insurance_amount >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  metadata jsonb not null default '{}',
  service text,
  goods_value numeric,
  primary key (company_id, id),
  unique (company_id, order_number),
  constraint customer_order_warehouse foreign key (company_id, warehouse_id) references warehouse (company_id, id)
);
create index customer_order_by_created on customer_order (company_id, created_at, id);
create index customer_order_by_marketplace_id on customer_order
  (company_id, marketplace_order_id_key) where marketplace_order_id_key is not null;
create index customer_order_by_marketplace_number on customer_order
  (company_id, marketplace_order_number_key) where marketplace_order_number_key is not null;
create index customer_order_by_updated on customer_order (company_id, updated_at, id);
create index customer_order_by_warehouse on customer_order (company_id, warehouse_id) where warehouse_id is not null;
create index customer_order_of_marketplace on customer_order
  (company_id, marketplace, id) where marketplace is not null;

-- E-mail and telephone are apart from everything that a query of the service reads.
create table order_contact (
  company_id uuid not null,
  order_id integer not null,
  email text,
  telephone text,
  primary key (company_id, order_id),
  foreign key (company_id, order_id) references customer_order (company_id, id) on delete cascade
);

create table default_parcel (
  company_id uuid primary key references company (id),
  weight numeric check (weight > 0),
  length numeric not null check (length > 0),
  width numeric not null check (width > 0),
  height numeric not null check (height > 0)
);

-- Prices

-- Numbers contents of tariffs and references: a number is never given twice, so a compiled tariff is known by its
-- numbers.
create sequence tariff_revision;

create table carrier_reference (
  company_id uuid not null references company (id),
  carrier_code text not null,
  kind text not null check (kind in ('list', 'index')),
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
  content jsonb not null,
  revision bigint not null default nextval('tariff_revision'),
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, carrier_code, kind, name)
);

create table carrier_tariff_revision (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  carrier_connection_id integer not null,
  number integer check (number > 0),
  name text not null check (char_length(name) between 1 and 200),
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  restored_number integer check (restored_number > 0),
  author text not null check (author in ('api_key', 'operator', 'unknown')),
  api_key_id uuid,
  api_key_label text,
  publish_on date,
  problem text,
  created_at timestamptz(3) not null default now(),
  published_at timestamptz(3),
  primary key (company_id, id),
  constraint carrier_tariff_revision_number unique (company_id, carrier_connection_id, number),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id) on delete cascade,
  constraint carrier_tariff_revision_check
    check ((author = 'api_key') = (api_key_id is not null and api_key_label is not null)),
  constraint carrier_tariff_revision_check2 check (number is null or (publish_on is null and problem is null)),
  constraint carrier_tariff_revision_published check ((number is null) = (published_at is null))
);
create index carrier_tariff_revision_due on carrier_tariff_revision
  (publish_on) where publish_on is not null and problem is null;
create index carrier_tariff_revision_list on carrier_tariff_revision (company_id, carrier_connection_id, id);

create table tariff (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  carrier_connection_id integer not null,
  name text not null check (char_length(name) between 1 and 200),
  valid_until date,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  end_told date,
  revision_id integer not null,
  versions jsonb not null default '[]',
  primary key (company_id, id),
  constraint tariff_of_connection unique (company_id, carrier_connection_id),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id) on delete cascade,
  foreign key (company_id, revision_id) references carrier_tariff_revision (company_id, id)
);
create index tariff_end_untold on tariff (company_id, valid_until) where valid_until is distinct from end_told;

create table saved_quote (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  carrier_connection_id integer not null,
  tariff_revision_id integer,
  order_id integer,
  request jsonb not null check (jsonb_typeof(request) = 'object'),
  shipment jsonb not null check (jsonb_typeof(shipment) = 'object'),
  price jsonb not null check (jsonb_typeof(price) = 'object'),
  created_at timestamptz(3) not null default now(),
  primary key (company_id, id),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id) on delete cascade,
  foreign key (company_id, tariff_revision_id) references carrier_tariff_revision (company_id, id)
);

-- Shipments and their tracking

create table shipment (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  carrier_connection_id integer not null,
  tracking_number text not null,
  tracking_key text not null check (tracking_key <> ''),
  order_id integer,
  warehouse_id integer,
  recipient jsonb,
  reference text,
  reference_key text,
  parcel_id text,
  parcel_id_key text,
  parcel_number integer not null check (parcel_number > 0),
  weight numeric check (weight >= 0),
  volume numeric check (volume >= 0),
  tracking_url text,
  shipment_date timestamptz(3),
  expected_delivery_date timestamptz(3),
  status_code text not null,
  status_at timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  event_sequence integer not null default 0,
  delay_told_at timestamptz(3),
  first_scan_at timestamptz(3),
  shipped_at timestamptz(3),
  hops smallint not null default 0,
  carrier_expected_at timestamptz(3),
  stall_told_at timestamptz(3),
  metadata jsonb not null default '{}',
  quote_id integer,
  event_count integer,
  primary key (company_id, id),
  constraint shipment_carrier
    foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id),
  constraint shipment_order foreign key (company_id, order_id) references customer_order (company_id, id),
  constraint shipment_warehouse foreign key (company_id, warehouse_id) references warehouse (company_id, id),
  constraint shipment_recipient check ((recipient is not null) or (order_id is not null))
);
create index shipment_by_connection on shipment (company_id, carrier_connection_id, id);
create index shipment_by_created on shipment (company_id, created_at, id);
create index shipment_by_delivered on shipment (company_id, delivered_at, id) where delivered_at is not null;
create index shipment_by_expected on shipment
  (company_id, ((delay_told_at is null)), coalesce(carrier_expected_at, expected_delivery_date), id)
  where delivered_at is null;
create unique index shipment_by_number on shipment (company_id, tracking_key, carrier_connection_id);
create index shipment_by_order on shipment (company_id, order_id, id) where order_id is not null;
create index shipment_by_parcel_id on shipment (company_id, parcel_id_key, id) where parcel_id_key is not null;
create index shipment_by_reference on shipment (company_id, reference_key, id) where reference_key is not null;
create index shipment_by_status on shipment (company_id, status_code, id);
create index shipment_by_updated on shipment (company_id, updated_at, id);
create index shipment_by_warehouse on shipment (company_id, warehouse_id) where warehouse_id is not null;
create index shipment_silent on shipment
  (company_id, ((stall_told_at is null)), status_code, greatest(status_at, created_at), id)
  where delivered_at is null;

alter table shipment add constraint shipment_quote
  foreign key (company_id, quote_id) references saved_quote (company_id, id) not valid;

create table shipment_contact (
  company_id uuid not null,
  shipment_id integer not null,
  email text,
  telephone text,
  primary key (company_id, shipment_id),
  foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade
);

create table shipment_label (
  company_id uuid not null,
  shipment_id integer not null,
  position smallint not null,
  tracking_number text not null,
  tracking_key text not null check (tracking_key <> ''),
  primary key (company_id, shipment_id, position),
  foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade
);
create index shipment_label_by_tracking_key on shipment_label (company_id, tracking_key, shipment_id);

-- The related shipment is named by its number, since it may become known later.
create table shipment_relation (
  company_id uuid not null,
  shipment_id integer not null,
  related_key text not null check (related_key <> ''),
  type text not null check (type in ('parent', 'forward', 'return', 'child')),
  primary key (company_id, shipment_id, related_key),
  foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade
);
create index shipment_relation_by_related_key on shipment_relation (company_id, related_key);

create table shipment_estimate (
  company_id uuid not null,
  shipment_id integer not null,
  told_at timestamptz(3) not null,
  expected_at timestamptz(3) not null,
  primary key (company_id, shipment_id, told_at),
  constraint shipment_estimate_shipment
    foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade
);

-- An event that is sent twice is stored once. The same index reads a timeline in its order.
create table tracking_event (
  company_id uuid not null,
  id bigint generated by default as identity,
  shipment_id integer not null,
  occurred_at timestamptz(3) not null,
  status_code text not null,
  carrier_status_code text,
  description text,
  location text,
  note text,
  recorded_at timestamptz(3) not null default now(),
  primary key (company_id, id),
  foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade
);
create unique index tracking_event_once on tracking_event
  (company_id, shipment_id, occurred_at, coalesce(carrier_status_code, status_code), coalesce(location, ''));

-- A table of its own, since each poll writes it twice and shipment has many indexes. It has no other index for the
-- same reason.
create table tracking_poll (
  company_id uuid not null,
  shipment_id integer not null,
  carrier_connection_id integer not null,
  due_at timestamptz(3),
  polled_at timestamptz(3),
  misses smallint not null default 0 check (misses >= 0),
  answer bytea,
  answered_at timestamptz(3),
  outcome text,
  refreshed_at timestamptz(3),
  primary key (company_id, shipment_id),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id),
  foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade
) with (fillfactor = 70);
create index tracking_poll_due on tracking_poll (due_at);

-- Refers to no other table: a change stays when its shipment is gone, so that no number is missing.
create table tracking_change (
  company_id uuid not null,
  number bigint not null,
  kind text not null check (kind in ('created', 'updated', 'status', 'event', 'estimate', 'related')),
  shipment_id integer not null,
  at timestamptz(3) not null default now(),
  event_id bigint,
  status_code text,
  previous_status_code text,
  detail jsonb,
  primary key (company_id, number)
);

-- The numbers of the last change and of the last one that retention deleted. The epoch tells logs before and after a
-- restored backup apart.
create table tracking_change_count (
  company_id uuid primary key references company (id),
  last bigint not null,
  forgotten bigint not null default 0,
  epoch bigint not null default 0
) with (fillfactor = 50);

-- How far retention has looked through the shipments and orders of a company, along the index of the last change.
create table old_shipment_walk (
  company_id uuid not null references company (id),
  walk text not null check (walk in ('ended', 'silent', 'orders', 'timelines')),
  at timestamptz(3) not null,
  id integer not null,
  primary key (company_id, walk)
);

-- Estimates from the deliveries of a company

-- Durations are minutes of working days.
create table promise (
  company_id uuid primary key references company (id),
  began_at timestamptz(3) not null,
  computed_at timestamptz(3) not null
);

create table promise_cell (
  company_id uuid not null,
  carrier_connection_id integer not null,
  level smallint not null check (level between 0 and 3),
  destination text not null,
  kind text not null,
  deliveries integer not null,
  longest integer not null,
  times integer[] not null,
  primary key (company_id, carrier_connection_id, level, destination, kind),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)
);

create table promise_accuracy (
  company_id uuid not null,
  carrier_connection_id integer not null,
  level smallint not null check (level between 0 and 3),
  share double precision not null,
  promised integer not null,
  kept integer not null,
  primary key (company_id, carrier_connection_id, level, share),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)
);

create table shipment_promise (
  company_id uuid not null,
  shipment_id integer not null,
  carrier_connection_id integer not null,
  scanned double precision not null,
  level smallint,
  earliest integer,
  expected integer,
  latest integer,
  took double precision,
  primary key (company_id, shipment_id),
  foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade
);
create index shipment_promise_open on shipment_promise (company_id, shipment_id) where took is null;

-- Webhooks

create table webhook_endpoint (
  company_id uuid not null references company (id),
  id uuid not null,
  label text not null check (char_length(label) between 1 and 200),
  url text not null check (char_length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) > 0),
  secret_last4 text not null,
  is_active boolean not null default true,
  paused_at timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text check (disabled_reason in ('deleted', 'gone', 'failing')),
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz(3),
  breaker text check (breaker in ('open', 'draining')),
  probe_after timestamptz(3),
  probes integer not null default 0 check (probes >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  filter jsonb,
  selection text,
  topic text not null default 'tracking',
  all_companies boolean not null default false,
  failing_told smallint,
  primary key (company_id, id),
  constraint webhook_endpoint_check check (is_active = (disabled_at is null)),
  constraint webhook_endpoint_check1 check ((disabled_at is null) = (disabled_reason is null)),
  constraint webhook_endpoint_check2
    check ((probe_after is not null) = (breaker is not null and breaker = 'open')),
  constraint webhook_endpoint_failing_told check (failing_told between 0 and 100),
  constraint webhook_endpoint_topic
    check ((topic in ('tracking', 'notices')) and (topic = 'notices' or not all_companies))
);
create index webhook_endpoint_active on webhook_endpoint (company_id) where is_active;
create index webhook_endpoint_of_all_companies on webhook_endpoint (company_id) where all_companies and is_active;

-- Apart from the endpoints, whose rows attempts change all the time.
create table webhook_endpoint_count (
  company_id uuid not null,
  endpoint_id uuid not null,
  last bigint not null,
  primary key (company_id, endpoint_id),
  constraint webhook_endpoint_count_endpoint
    foreign key (company_id, endpoint_id) references webhook_endpoint (company_id, id) on delete cascade
) with (fillfactor = 50);

create table webhook_secret (
  company_id uuid not null,
  endpoint_id uuid not null,
  id integer generated by default as identity,
  box bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  primary key (company_id, endpoint_id, id),
  foreign key (company_id, endpoint_id) references webhook_endpoint (company_id, id) on delete cascade
);
create unique index webhook_secret_current on webhook_secret (company_id, endpoint_id) where expires_at is null;
create index webhook_secret_expiry on webhook_secret (expires_at) where expires_at is not null;

-- The body is text, since its bytes are signed and jsonb would reorder its keys.
create table webhook_event (
  company_id uuid not null references company (id),
  id uuid not null,
  type text not null,
  shipment_id integer,
  sequence integer not null check (sequence >= 0),
  body text not null,
  created_at timestamptz(3) not null default now(),
  tracking_event_id bigint,
  primary key (company_id, id),
  unique (company_id, shipment_id, sequence),
  constraint webhook_event_shipment foreign key (company_id, shipment_id) references shipment (company_id, id)
);
create index webhook_event_age on webhook_event (created_at);
create index webhook_event_by_time on webhook_event (company_id, created_at);

-- A delivery changes with each attempt. The space left in its pages lets it do so without changing the indexes.
create table webhook_delivery (
  company_id uuid not null,
  id bigint generated by default as identity,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'success', 'retrying', 'failed', 'cancelled')),
  attempts integer not null default 0,
  tries smallint not null default 0,
  ticket integer not null default 1,
  parked boolean not null default false,
  next_attempt_at timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  body text,
  number bigint,
  primary key (company_id, id),
  unique (company_id, event_id, endpoint_id),
  foreign key (company_id, endpoint_id) references webhook_endpoint (company_id, id),
  foreign key (company_id, event_id) references webhook_event (company_id, id) on delete cascade,
  constraint webhook_delivery_check check (not parked or (status in ('pending', 'retrying')))
) with (fillfactor = 70);
create index webhook_delivery_of_endpoint on webhook_delivery (company_id, endpoint_id, id);
create index webhook_delivery_parked on webhook_delivery (company_id, endpoint_id, id) where parked;

create table webhook_attempt (
  company_id uuid not null,
  delivery_id bigint not null,
  number integer not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  outcome text not null,
  status smallint,
  answer text,
  next_at timestamptz(3),
  primary key (company_id, delivery_id, number),
  foreign key (company_id, delivery_id) references webhook_delivery (company_id, id) on delete cascade
);
create index webhook_attempt_age on webhook_attempt (started_at);

-- Invoices of carriers, and simulations

create table carrier_invoice (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  carrier_connection_id integer not null,
  number text not null,
  invoice_date date not null,
  year smallint not null,
  mapping text not null,
  covers text[] not null,
  state text not null check (state in ('checking', 'checked')),
  run integer not null,
  line_count integer not null,
  checked_count integer not null,
  billed_cents bigint not null,
  vat_cents bigint not null,
  totals jsonb not null,
  created_at timestamptz(3) not null,
  checked_at timestamptz(3),
  terms jsonb,
  primary key (company_id, id),
  constraint carrier_invoice_company_id_carrier_connection_id_year_numbe_key
    unique (company_id, carrier_connection_id, year, number),
  foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)
);

create table carrier_invoice_line (
  company_id uuid not null,
  invoice_id integer not null,
  position integer not null,
  number text,
  billed jsonb not null,
  billed_cents bigint not null,
  vat_cents bigint not null,
  kinds integer not null,
  state text not null
    check (state in ('unchecked', 'agrees', 'differs', 'unknown', 'ambiguous', 'not_priced', 'credit')),
  reason text,
  shipment_id integer,
  due_cents bigint,
  primary key (company_id, invoice_id, position),
  foreign key (company_id, invoice_id) references carrier_invoice (company_id, id) on delete cascade
);
create index carrier_invoice_line_credit on carrier_invoice_line (company_id, shipment_id) where state = 'credit';
create index carrier_invoice_line_number on carrier_invoice_line
  (company_id, left(number, 100)) where shipment_id is null and state in ('unknown', 'credit');
create index carrier_invoice_line_shipment on carrier_invoice_line
  (company_id, shipment_id, invoice_id) where shipment_id is not null;

create table carrier_invoice_finding (
  company_id uuid not null,
  invoice_id integer not null,
  position integer not null,
  n smallint not null,
  code text not null,
  amount_cents bigint not null,
  billed_cents bigint not null,
  due_cents bigint not null,
  rule text,
  explanation text not null,
  credited_cents bigint not null default 0,
  primary key (company_id, invoice_id, position, n),
  foreign key (company_id, invoice_id, position) references carrier_invoice_line (company_id, invoice_id, position) on delete cascade
);
create index carrier_invoice_finding_code on carrier_invoice_finding (company_id, invoice_id, code, position, n);
create index carrier_invoice_finding_open on carrier_invoice_finding
  (company_id, invoice_id, position, n) where amount_cents > credited_cents and code <> 'vat';

-- plan has all inputs of the result but the shipments, about is the part that lists show, and tally is what was
-- found up to a position.
create table tariff_simulation (
  company_id uuid not null references company (id),
  id integer generated by default as identity,
  state text not null check (state in ('running', 'done', 'failed')),
  problem text,
  about jsonb not null,
  plan jsonb not null,
  tally json not null,
  position_key double precision,
  position_id integer,
  progress double precision not null default 0 check (progress >= '0' and progress <= '1'),
  batches integer not null default 0,
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (company_id, id),
  constraint tariff_simulation_check check ((state = 'running') = (finished_at is null))
);
create index tariff_simulation_by_age on tariff_simulation (created_at);

create table tariff_simulation_page (
  company_id uuid not null,
  simulation_id integer not null,
  number integer not null check (number > 0),
  shipments integer not null,
  csv text not null,
  primary key (company_id, simulation_id, number),
  foreign key (company_id, simulation_id) references tariff_simulation (company_id, id) on delete cascade
);
`;

/**
 * The shape of version 1.0.0, with which every database begins. It has the name of the last migration of 1.0.0, so a
 * database that 1.0.0 has migrated has it already. One that has other migrations without this one is older, and 1.0.0
 * has to migrate it first.
 */
export default class Migration20261126000005_version_1_contracted extends Migration {
  override up(): void {
    for (const statements of SHAPE.trim().split('\n\n')) this.addSql(statements);
  }
}
