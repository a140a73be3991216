-- The job store of OJS for PostgreSQL 15 and later. May be run where these tables are.

-- Finished rows stay where they are, the others are few and change often: vacuum them early.
create table if not exists ojs_job (
  id uuid not null,
  type varchar(255) not null,
  queue varchar(128) not null,
  state varchar(16) not null,
  priority smallint not null,
  attempt integer not null,
  max_attempts integer not null,
  run bigint not null,
  replays integer default 0 not null,
  size_bytes integer not null,
  created_at timestamptz(6) not null,
  enqueued_at timestamptz(6) not null,
  scheduled_at timestamptz(6),
  expires_at timestamptz(6),
  started_at timestamptz(6),
  ended_at timestamptz(6),
  due_at timestamptz(6),
  relay_at timestamptz(6),
  published_at timestamptz(6),
  lease_until timestamptz(6),
  timeout_at timestamptz(6),
  dead_lettered_at timestamptz(6),
  prune_at timestamptz(6),
  dead_letter_queue varchar(128),
  worker varchar(128),
  error_type varchar(255),
  unique_key varchar(64),
  ordinal bigint,
  rate_key varchar(400),
  waiting_for varchar(400),
  waiting_until timestamptz(6),
  waiting_rank smallint default 1 not null,
  rate_granted boolean default false not null,
  lease_ms bigint,
  retry_delay_ms bigint,
  tenant varchar(128),
  held_back boolean,
  workflow_id uuid,
  workflow_step integer,
  version_key bigint,
  held_at timestamptz(6),
  held_until timestamptz(6),
  headers text,
  envelope text not null,
  result text,
  errors text,
  progress text,
  constraint ojs_job_pk primary key (id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

create index if not exists ojs_job_relay on ojs_job (relay_at) where relay_at is not null;
create index if not exists ojs_job_order on ojs_job (queue, ordinal)
  where ordinal is not null and relay_at is not null;
create index if not exists ojs_job_unfinished on ojs_job (state, queue)
  where state in ('scheduled', 'available', 'pending', 'active', 'retryable');
create index if not exists ojs_job_lease on ojs_job (lease_until) where state = 'active';
create index if not exists ojs_job_due on ojs_job (queue, due_at) where due_at is not null;
create index if not exists ojs_job_fetch on ojs_job (queue, priority desc, enqueued_at, id)
  where state = 'available' and waiting_for is null;
create index if not exists ojs_job_prune on ojs_job (prune_at) where prune_at is not null;
create index if not exists ojs_job_dead on ojs_job (dead_lettered_at, id) where dead_lettered_at is not null;
create index if not exists ojs_job_dead_queue on ojs_job (dead_letter_queue, dead_lettered_at, id)
  where dead_lettered_at is not null;
create index if not exists ojs_job_unique on ojs_job (unique_key, state, created_at) where unique_key is not null;

-- What belongs to tenants. Rows of nobody are in none of these.
create index if not exists ojs_job_tenant on ojs_job (tenant, id) where tenant is not null;
create index if not exists ojs_job_tenant_fetch on ojs_job (queue, tenant, priority desc, enqueued_at, id)
  where state = 'available' and waiting_for is null and tenant is not null;
create index if not exists ojs_job_by_turns on ojs_job (queue, priority desc, tenant, enqueued_at, id)
  where state = 'available' and waiting_for is null and tenant is not null;
create index if not exists ojs_job_held_back on ojs_job (queue, tenant, priority desc, enqueued_at, id)
  where state = 'available' and waiting_for is null and held_back;
create index if not exists ojs_job_share on ojs_job (queue, tenant, enqueued_at, id)
  where state = 'available' and waiting_for is null and not held_back;
create index if not exists ojs_job_tenant_dead on ojs_job (tenant, dead_lettered_at, id)
  where dead_lettered_at is not null and tenant is not null;
create index if not exists ojs_job_tenant_waiting on ojs_job (tenant, state, created_at)
  where state in ('available', 'scheduled') and tenant is not null;

-- What was enqueued for tenants with limits: whoever enqueues for one locks its row.
create table if not exists ojs_tenant (
  tenant varchar(128) not null,
  period_nanos bigint,
  period_since timestamptz(6),
  enqueued bigint,
  constraint ojs_tenant_pk primary key (tenant)
);

create table if not exists ojs_unique_key (
  unique_key varchar(64) not null,
  constraint ojs_unique_key_pk primary key (unique_key)
);

-- Jobs that were deleted and did not complete: a message that is still in a queue does not bring them back.
create table if not exists ojs_deleted_job (
  id uuid not null,
  prune_at timestamptz(6) not null,
  constraint ojs_deleted_job_pk primary key (id)
);

create index if not exists ojs_deleted_job_prune on ojs_deleted_job (prune_at);

create table if not exists ojs_event (
  seq bigint generated always as identity,
  feed_position bigint,
  id varchar(40) not null,
  type varchar(64) not null,
  source varchar(255) not null,
  occurred_at timestamptz(6) not null,
  subject varchar(255) not null,
  queue varchar(128) not null,
  tenant varchar(128),
  data text not null,
  constraint ojs_event_pk primary key (seq)
) with (autovacuum_vacuum_insert_scale_factor = 0.05);

create unique index if not exists ojs_event_feed on ojs_event (feed_position) where feed_position is not null;
create index if not exists ojs_event_tenant on ojs_event (tenant, feed_position)
  where tenant is not null and feed_position is not null;
create index if not exists ojs_event_new on ojs_event (seq) where feed_position is null;

create table if not exists ojs_feed (
  name varchar(16) not null,
  feed_position bigint not null,
  constraint ojs_feed_pk primary key (name)
);

insert into ojs_feed (name, feed_position) values ('events', 0) on conflict (name) do nothing;

-- The id of this store, made once: messages of its jobs carry it.
create table if not exists ojs_store (
  name varchar(16) not null,
  id uuid not null,
  constraint ojs_store_pk primary key (name)
);

insert into ojs_store (name, id) values ('jobs', gen_random_uuid()) on conflict (name) do nothing;

create table if not exists ojs_queue (
  name varchar(128) not null,
  state varchar(10) not null,
  config text not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  version bigint not null,
  constraint ojs_queue_pk primary key (name)
);

create index if not exists ojs_queue_version on ojs_queue (version);

-- The default policy: whoever changes a queue locks it.
insert into ojs_queue (name, state, config, created_at, updated_at, version)
  values ('_default', 'active', '{}', current_timestamp, current_timestamp, 0) on conflict (name) do nothing;

create sequence if not exists ojs_job_ordinal;

create table if not exists ojs_relay_order (
  queue varchar(128) not null,
  constraint ojs_relay_order_pk primary key (queue)
);

-- Rate limits: what each key has let through.
create table if not exists ojs_rate_limit (
  rate_key varchar(400) not null,
  policy text,
  meter text,
  counts_until timestamptz(6),
  constraint ojs_rate_limit_pk primary key (rate_key)
);

create index if not exists ojs_job_rate on ojs_job (rate_key, state, rate_granted)
  where rate_key is not null and state in ('scheduled', 'available', 'pending', 'active', 'retryable');
create index if not exists ojs_job_waiting on ojs_job (waiting_for, waiting_rank, priority desc, enqueued_at, id)
  include (queue, waiting_until) where state = 'available' and waiting_for is not null;
create index if not exists ojs_job_granted on ojs_job (queue) where state = 'available' and rate_granted;
create index if not exists ojs_job_tenant_running on ojs_job (tenant)
  where tenant is not null and (state = 'active' or (state = 'available' and rate_granted));
create index if not exists ojs_job_waiting_until on ojs_job (waiting_for)
  where state = 'available' and waiting_for is not null and waiting_until is not null;

-- Processes that run jobs, and when each was seen: their leases last for as long.
create table if not exists ojs_process (
  id varchar(128) not null,
  seen_at timestamptz(6) not null,
  constraint ojs_process_pk primary key (id)
);

-- Processes and what their handlers take; jobs that wait for one that takes their version.
create table if not exists ojs_handler (
  process varchar(128) not null,
  seen_at timestamptz(6) not null,
  queues text not null,
  handled text not null,
  constraint ojs_handler_pk primary key (process)
);

create index if not exists ojs_job_held on ojs_job (held_until, queue, type, version_key)
  where held_until is not null;

-- Workers that fetch jobs, and the queues that they fetch from.
create table if not exists ojs_worker (
  id varchar(128) not null,
  state varchar(10) not null,
  directive varchar(10) not null,
  first_seen timestamptz(6) not null,
  last_seen timestamptz(6) not null,
  active_jobs integer not null,
  queues text not null,
  details text not null,
  constraint ojs_worker_pk primary key (id)
);

create table if not exists ojs_fetched_queue (
  queue varchar(128) not null,
  fetched_at timestamptz(6) not null,
  constraint ojs_fetched_queue_pk primary key (queue)
);

-- Crons, and what became of their last firings.
create table if not exists ojs_cron (
  name varchar(255) not null,
  expression varchar(255) not null,
  zone varchar(64) not null,
  overlap varchar(16) not null,
  description varchar(1000),
  declared_enabled boolean not null,
  enabled boolean not null,
  source varchar(512) not null,
  created_at timestamptz(6) not null,
  next_run_at timestamptz(6),
  last_run_at timestamptz(6),
  last_job_id uuid,
  run_count bigint not null,
  job text not null,
  constraint ojs_cron_pk primary key (name)
);

create index if not exists ojs_cron_due on ojs_cron (next_run_at) where next_run_at is not null;

create table if not exists ojs_cron_run (
  cron varchar(255) not null,
  scheduled_at timestamptz(6) not null,
  fired_at timestamptz(6) not null,
  outcome varchar(16) not null,
  job_id uuid,
  reason varchar(64),
  detail varchar(1000),
  constraint ojs_cron_run_pk primary key (cron, scheduled_at)
);

create index if not exists ojs_cron_run_waiting on ojs_cron_run (cron, scheduled_at) where outcome = 'waiting';

-- Workflows. What a workflow is made of is text that its engine reads: one character of progress for each job.
create table if not exists ojs_workflow (
  id uuid not null,
  type varchar(10) not null,
  name varchar(255),
  state varchar(10) not null,
  queue varchar(128) not null,
  tenant varchar(128),
  shape text not null,
  progress text not null,
  failures text,
  headers text,
  created_at timestamptz(6) not null,
  started_at timestamptz(6),
  ended_at timestamptz(6),
  prune_at timestamptz(6),
  constraint ojs_workflow_pk primary key (id)
);

create index if not exists ojs_workflow_running on ojs_workflow (id) where ended_at is null;
create index if not exists ojs_workflow_tenant on ojs_workflow (tenant, id) where tenant is not null;
create index if not exists ojs_workflow_prune on ojs_workflow (prune_at) where prune_at is not null;

create table if not exists ojs_workflow_job (
  workflow_id uuid not null,
  step integer not null,
  job_id uuid not null,
  type varchar(255) not null,
  envelope text not null,
  constraint ojs_workflow_job_pk primary key (workflow_id, step)
);

-- Ends of jobs that their workflows have not dealt with: written by whatever ends a job, usually empty.
create table if not exists ojs_workflow_end (
  seq bigint generated always as identity,
  workflow_id uuid not null,
  step integer not null,
  job_id uuid,
  type varchar(255) not null,
  state varchar(10) not null,
  started_at timestamptz(6),
  ended_at timestamptz(6) not null,
  error text,
  constraint ojs_workflow_end_pk primary key (seq)
) with (autovacuum_vacuum_scale_factor = 0.02);

create index if not exists ojs_workflow_end_workflow on ojs_workflow_end (workflow_id, seq);

-- Subscriptions to events.
create table if not exists ojs_webhook (
  id uuid not null,
  tenant varchar(128),
  url varchar(2048) not null,
  events text not null,
  filter text not null,
  metadata text not null,
  active boolean not null,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(6),
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  constraint ojs_webhook_pk primary key (id)
);

create index if not exists ojs_webhook_tenant on ojs_webhook (tenant, id);

-- The migrations that this database has. Each records itself, by whatever it is run.
create table if not exists ojs_schema (
  version integer not null,
  name varchar(64) not null,
  applied_at timestamptz(6) not null,
  constraint ojs_schema_pk primary key (version)
);

insert into ojs_schema (version, name, applied_at) values (1, 'baseline', current_timestamp)
  on conflict (version) do nothing;
