-- The job store of OJS for H2 2.4 and later, for tests and trials. May be run where these tables are.

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
  created_at timestamp(6) with time zone not null,
  enqueued_at timestamp(6) with time zone not null,
  scheduled_at timestamp(6) with time zone,
  expires_at timestamp(6) with time zone,
  started_at timestamp(6) with time zone,
  ended_at timestamp(6) with time zone,
  due_at timestamp(6) with time zone,
  relay_at timestamp(6) with time zone,
  published_at timestamp(6) with time zone,
  lease_until timestamp(6) with time zone,
  timeout_at timestamp(6) with time zone,
  dead_lettered_at timestamp(6) with time zone,
  prune_at timestamp(6) with time zone,
  dead_letter_queue varchar(128),
  worker varchar(128),
  error_type varchar(255),
  unique_key varchar(64),
  ordinal bigint,
  rate_key varchar(400),
  waiting_for varchar(400),
  waiting_until timestamp(6) with time zone,
  waiting_rank smallint default 1 not null,
  rate_granted boolean default false not null,
  lease_ms bigint,
  retry_delay_ms bigint,
  tenant varchar(128),
  held_back boolean,
  workflow_id uuid,
  workflow_step integer,
  version_key bigint,
  held_at timestamp(6) with time zone,
  held_until timestamp(6) with time zone,
  headers clob,
  envelope clob not null,
  result clob,
  errors clob,
  progress clob,
  constraint ojs_job_pk primary key (id)
);

create index if not exists ojs_job_relay on ojs_job (relay_at);
create index if not exists ojs_job_order on ojs_job (queue, ordinal);
create index if not exists ojs_job_unfinished on ojs_job (state, queue);
create index if not exists ojs_job_lease on ojs_job (lease_until);
create index if not exists ojs_job_due on ojs_job (queue, due_at);
create index if not exists ojs_job_fetch on ojs_job (queue, priority desc, enqueued_at, id);
create index if not exists ojs_job_prune on ojs_job (prune_at);
create index if not exists ojs_job_dead on ojs_job (dead_lettered_at, id);
create index if not exists ojs_job_dead_queue on ojs_job (dead_letter_queue, dead_lettered_at, id);
create index if not exists ojs_job_unique on ojs_job (unique_key, state, created_at);

-- What belongs to tenants.
create index if not exists ojs_job_tenant on ojs_job (tenant, id);
create index if not exists ojs_job_tenant_fetch on ojs_job (queue, tenant, priority desc, enqueued_at, id);
create index if not exists ojs_job_by_turns on ojs_job (queue, priority desc, tenant, enqueued_at, id);
create index if not exists ojs_job_held_back on ojs_job (held_back, queue, tenant);
create index if not exists ojs_job_tenant_dead on ojs_job (tenant, dead_lettered_at, id);
create index if not exists ojs_job_tenant_waiting on ojs_job (tenant, state, created_at);

-- What was enqueued for tenants with limits: whoever enqueues for one locks its row.
create table if not exists ojs_tenant (
  tenant varchar(128) not null,
  period_nanos bigint,
  period_since timestamp(6) with time zone,
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
  prune_at timestamp(6) with time zone not null,
  constraint ojs_deleted_job_pk primary key (id)
);

create index if not exists ojs_deleted_job_prune on ojs_deleted_job (prune_at);

create table if not exists ojs_event (
  seq bigint generated always as identity,
  feed_position bigint,
  id varchar(40) not null,
  type varchar(64) not null,
  source varchar(255) not null,
  occurred_at timestamp(6) with time zone not null,
  subject varchar(255) not null,
  queue varchar(128) not null,
  tenant varchar(128),
  data clob not null,
  constraint ojs_event_pk primary key (seq)
);

create unique index if not exists ojs_event_feed on ojs_event (feed_position);
create index if not exists ojs_event_tenant on ojs_event (tenant, feed_position);

create table if not exists ojs_feed (
  name varchar(16) not null,
  feed_position bigint not null,
  constraint ojs_feed_pk primary key (name)
);

merge into ojs_feed f using (values ('events', cast(0 as bigint))) as v (name, feed_position) on f.name = v.name
  when not matched then insert (name, feed_position) values (v.name, v.feed_position);

-- The id of this store, made once: messages of its jobs carry it.
create table if not exists ojs_store (
  name varchar(16) not null,
  id uuid not null,
  constraint ojs_store_pk primary key (name)
);

merge into ojs_store s using (values ('jobs')) as v (name) on s.name = v.name
  when not matched then insert (name, id) values (v.name, random_uuid());

create table if not exists ojs_queue (
  name varchar(128) not null,
  state varchar(10) not null,
  config clob not null,
  created_at timestamp(6) with time zone not null,
  updated_at timestamp(6) with time zone not null,
  version bigint not null,
  constraint ojs_queue_pk primary key (name)
);

create index if not exists ojs_queue_version on ojs_queue (version);

-- The default policy: whoever changes a queue locks it.
merge into ojs_queue q using (values ('_default')) as v (name) on q.name = v.name
  when not matched then insert (name, state, config, created_at, updated_at, version)
  values (v.name, 'active', '{}', current_timestamp, current_timestamp, 0);

create sequence if not exists ojs_job_ordinal;

create table if not exists ojs_relay_order (
  queue varchar(128) not null,
  constraint ojs_relay_order_pk primary key (queue)
);

-- Rate limits: what each key has let through.
create table if not exists ojs_rate_limit (
  rate_key varchar(400) not null,
  policy clob,
  meter clob,
  counts_until timestamp(6) with time zone,
  constraint ojs_rate_limit_pk primary key (rate_key)
);

create index if not exists ojs_job_rate on ojs_job (rate_key, state, rate_granted);
create index if not exists ojs_job_waiting on ojs_job (waiting_for, waiting_rank, priority desc, enqueued_at, id);
create index if not exists ojs_job_tenant_running on ojs_job (tenant, state);
create index if not exists ojs_job_waiting_until on ojs_job (waiting_until);

-- Processes that run jobs, and when each was seen: their leases last for as long.
create table if not exists ojs_process (
  id varchar(128) not null,
  seen_at timestamp(6) with time zone not null,
  constraint ojs_process_pk primary key (id)
);

-- Processes and what their handlers take; jobs that wait for one that takes their version.
create table if not exists ojs_handler (
  process varchar(128) not null,
  seen_at timestamp(6) with time zone not null,
  queues clob not null,
  handled clob not null,
  constraint ojs_handler_pk primary key (process)
);

create index if not exists ojs_job_held on ojs_job (held_until, queue, type, version_key);

-- Workers that fetch jobs, and the queues that they fetch from.
create table if not exists ojs_worker (
  id varchar(128) not null,
  state varchar(10) not null,
  directive varchar(10) not null,
  first_seen timestamp(6) with time zone not null,
  last_seen timestamp(6) with time zone not null,
  active_jobs integer not null,
  queues clob not null,
  details clob not null,
  constraint ojs_worker_pk primary key (id)
);

create table if not exists ojs_fetched_queue (
  queue varchar(128) not null,
  fetched_at timestamp(6) with time zone not null,
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
  created_at timestamp(6) with time zone not null,
  next_run_at timestamp(6) with time zone,
  last_run_at timestamp(6) with time zone,
  last_job_id uuid,
  run_count bigint not null,
  job clob not null,
  constraint ojs_cron_pk primary key (name)
);

create index if not exists ojs_cron_due on ojs_cron (next_run_at);

create table if not exists ojs_cron_run (
  cron varchar(255) not null,
  scheduled_at timestamp(6) with time zone not null,
  fired_at timestamp(6) with time zone not null,
  outcome varchar(16) not null,
  job_id uuid,
  reason varchar(64),
  detail varchar(1000),
  constraint ojs_cron_run_pk primary key (cron, scheduled_at)
);

create index if not exists ojs_cron_run_waiting on ojs_cron_run (outcome, cron);

-- Workflows. What a workflow is made of is text that its engine reads: one character of progress for each job.
create table if not exists ojs_workflow (
  id uuid not null,
  type varchar(10) not null,
  name varchar(255),
  state varchar(10) not null,
  queue varchar(128) not null,
  tenant varchar(128),
  shape clob not null,
  progress clob not null,
  failures clob,
  headers clob,
  created_at timestamp(6) with time zone not null,
  started_at timestamp(6) with time zone,
  ended_at timestamp(6) with time zone,
  prune_at timestamp(6) with time zone,
  constraint ojs_workflow_pk primary key (id)
);

create index if not exists ojs_workflow_tenant on ojs_workflow (tenant, id);
create index if not exists ojs_workflow_prune on ojs_workflow (prune_at);

create table if not exists ojs_workflow_job (
  workflow_id uuid not null,
  step integer not null,
  job_id uuid not null,
  type varchar(255) not null,
  envelope clob not null,
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
  started_at timestamp(6) with time zone,
  ended_at timestamp(6) with time zone not null,
  error clob,
  constraint ojs_workflow_end_pk primary key (seq)
);

create index if not exists ojs_workflow_end_workflow on ojs_workflow_end (workflow_id, seq);

-- Subscriptions to events.
create table if not exists ojs_webhook (
  id uuid not null,
  tenant varchar(128),
  url varchar(2048) not null,
  events clob not null,
  filter clob not null,
  metadata clob not null,
  active boolean not null,
  secret clob not null,
  previous_secret clob,
  previous_secret_until timestamp(6) with time zone,
  created_at timestamp(6) with time zone not null,
  updated_at timestamp(6) with time zone not null,
  constraint ojs_webhook_pk primary key (id)
);

create index if not exists ojs_webhook_tenant on ojs_webhook (tenant, id);

-- The migrations that this database has. Each records itself, by whatever it is run.
create table if not exists ojs_schema (
  version integer not null,
  name varchar(64) not null,
  applied_at timestamp(6) with time zone not null,
  constraint ojs_schema_pk primary key (version)
);

merge into ojs_schema s using (values (1, 'baseline')) as v (version, name) on s.version = v.version
  when not matched then insert (version, name, applied_at) values (v.version, v.name, current_timestamp);
