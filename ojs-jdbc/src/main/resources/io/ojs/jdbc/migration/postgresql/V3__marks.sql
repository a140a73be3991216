-- A claim of a plain job changes no column that an index has (unless relay_at is null), so that it is in place: what blocks a job,
-- whether limits count it and whether it is in line are marks of its row, and indexes have these and not the state.
-- The time to look at a job (relay_at) stays when it begins, and says then when to look whether its lease is over.
--
-- All jobs are written anew, and columns are in another order: first what stays, then what changes, then what is
-- large, so that the log of PostgreSQL has of each change what is different. Pages have room for the next versions.
lock table ojs_job in access exclusive mode;

create table ojs_job_new (
  id uuid not null,
  type varchar(255) not null,
  queue varchar(128) not null,
  priority smallint not null,
  max_attempts integer not null,
  size_bytes integer not null,
  created_at timestamptz(6) not null,
  scheduled_at timestamptz(6),
  expires_at timestamptz(6),
  ordinal bigint,
  version_key bigint,
  unique_key varchar(64),
  rate_key varchar(400),
  tenant varchar(128),
  workflow_id uuid,
  workflow_step integer,
  state varchar(16) not null,
  ended_as varchar(16) default '' not null,
  in_line boolean default false not null,
  attempt integer not null,
  run bigint not null,
  replays integer default 0 not null,
  enqueued_at timestamptz(6) not null,
  started_at timestamptz(6),
  ended_at timestamptz(6),
  due_at timestamptz(6),
  relay_at timestamptz(6),
  published_at timestamptz(6),
  lease_until timestamptz(6),
  lease_ms bigint,
  timeout_at timestamptz(6),
  retry_delay_ms bigint,
  worker varchar(128),
  blocked_by varchar(400),
  blocked_until timestamptz(6),
  blocked_rank smallint default 1 not null,
  has_places boolean default false not null,
  held_back boolean,
  held_at timestamptz(6),
  held_until timestamptz(6),
  dead_lettered_at timestamptz(6),
  dead_letter_queue varchar(128),
  prune_at timestamptz(6),
  error_type varchar(255),
  result text,
  errors text,
  progress text,
  headers text,
  envelope text not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

insert into ojs_job_new (id, type, queue, priority, max_attempts, size_bytes, created_at, scheduled_at, expires_at,
  ordinal, version_key, unique_key, rate_key, tenant, workflow_id, workflow_step, state, ended_as, in_line, attempt, run,
  replays, enqueued_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, lease_ms, timeout_at,
  retry_delay_ms, worker, blocked_by, blocked_until, blocked_rank, has_places, held_back, held_at, held_until,
  dead_lettered_at, dead_letter_queue, prune_at, error_type, result, errors, progress, headers, envelope)
select id, type, queue, priority, max_attempts, size_bytes, created_at, scheduled_at, expires_at,
  ordinal, version_key, unique_key, rate_key, tenant, workflow_id, workflow_step, state,
  case when state in ('completed', 'cancelled', 'discarded', 'handed_over') then state else '' end,
  state = 'available', attempt, run, replays, enqueued_at, started_at,
  case when state in ('completed', 'cancelled', 'discarded', 'handed_over') then ended_at end, due_at, case when state = 'active' then lease_until else relay_at end,
  published_at, lease_until, lease_ms, timeout_at,
  retry_delay_ms, worker, case when state = 'available' then waiting_for end,
  case when state = 'available' and (waiting_for is not null or rate_granted) then waiting_until end,
  case when state = 'available' then waiting_rank else 1 end,
  (state = 'available' and rate_granted) or (state = 'active' and (rate_key is not null or tenant is not null)),
  case when state = 'available' then held_back end, held_at, held_until,
  dead_lettered_at, dead_letter_queue,
  case when state in ('completed', 'cancelled', 'discarded', 'handed_over') then prune_at end,
  error_type, result, errors, progress, headers, envelope
from ojs_job;

drop table ojs_job;
alter table ojs_job_new rename to ojs_job;
alter table ojs_job add constraint ojs_job_pk primary key (id);

create index ojs_job_relay on ojs_job (relay_at) where relay_at is not null;
create index ojs_job_order on ojs_job (queue, ordinal) where ordinal is not null and relay_at is not null;
create index ojs_job_unfinished on ojs_job (queue) where ended_at is null;
create index ojs_job_due on ojs_job (queue, due_at) where due_at is not null;
create index ojs_job_fetch on ojs_job (queue, priority desc, enqueued_at, id) where in_line and blocked_by is null;
create index ojs_job_prune on ojs_job (prune_at) where prune_at is not null;
create index ojs_job_dead on ojs_job (dead_lettered_at, id) where dead_lettered_at is not null;
create index ojs_job_dead_queue on ojs_job (dead_letter_queue, dead_lettered_at, id)
  where dead_lettered_at is not null;
create index ojs_job_unique on ojs_job (unique_key, ended_as, created_at) where unique_key is not null;
create index ojs_job_fetched on ojs_job (lease_ms) where lease_ms is not null;
create index ojs_job_held on ojs_job (held_until, queue, type, version_key) where held_until is not null;

create index ojs_job_tenant on ojs_job (tenant, id) where tenant is not null;
create index ojs_job_tenant_fetch on ojs_job (queue, tenant, priority desc, enqueued_at, id)
  where in_line and blocked_by is null and tenant is not null;
create index ojs_job_by_turns on ojs_job (queue, priority desc, tenant, enqueued_at, id)
  where in_line and blocked_by is null and tenant is not null;
create index ojs_job_turn on ojs_job (held_back, queue, tenant, priority desc, enqueued_at, id)
  where held_back is not null and blocked_by is null;
create index ojs_job_tenant_dead on ojs_job (tenant, dead_lettered_at, id)
  where dead_lettered_at is not null and tenant is not null;
create index ojs_job_tenant_ready on ojs_job (tenant, created_at)
  where due_at is null and ended_at is null and tenant is not null;
create index ojs_job_tenant_due on ojs_job (tenant, created_at) where due_at is not null and tenant is not null;
create index ojs_job_tenant_places on ojs_job (tenant) where has_places;

create index ojs_job_rate on ojs_job (rate_key, has_places) where rate_key is not null and ended_at is null;
create index ojs_job_queue_places on ojs_job (queue, blocked_until) where has_places;
create index ojs_job_blocked on ojs_job (blocked_by, blocked_rank, priority desc, enqueued_at, id)
  include (queue, blocked_until) where blocked_by is not null;
create index ojs_job_blocked_until on ojs_job (blocked_by) where blocked_by is not null and blocked_until is not null;

insert into ojs_schema (version, name, applied_at) values (3, 'marks', current_timestamp);
