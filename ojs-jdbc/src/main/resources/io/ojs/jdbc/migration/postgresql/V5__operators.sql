-- What operators ask: jobs by label, numbers of each minute, operations on many jobs, failures at one place in the code.

-- Before the change of ojs_job, which locks it: these lock out writers only. An administrator may have built each index before.
-- The history of a job, read around the times that its row has.
create index if not exists ojs_event_time on ojs_event using brin (occurred_at) with (pages_per_range = 16, autosummarize = on);

-- Jobs of workflows that are not enqueued yet, by their ids.
create index if not exists ojs_workflow_job_job on ojs_workflow_job (job_id);

-- Tags (#urgent) and values of meta (customer=4711) of jobs, in an order in which those that begin alike stand together.
create table ojs_job_label (
  label varchar(400) collate "C" not null,
  job_id uuid not null,
  constraint ojs_job_label_pk primary key (label, job_id)
);

create index ojs_job_label_job on ojs_job_label (job_id);

-- How many jobs ended in each minute, ten minutes and hour, by process: no process writes another one's rows.
create table ojs_minute (
  step_seconds smallint not null,
  began_at timestamptz(0) not null,
  process varchar(128) not null,
  queue varchar(128) not null,
  type varchar(255) not null,
  tenant varchar(128) default '' not null,
  completed bigint not null,
  retried bigint not null,
  discarded bigint not null,
  cancelled bigint not null,
  run_times text not null,
  wait_times text not null,
  constraint ojs_minute_pk primary key (step_seconds, began_at, process, queue, type, tenant)
) with (fillfactor = 70);

-- Replays, cancellations and deletions of many jobs: where each is, so that another process can go on with it.
create table ojs_operation (
  id uuid not null,
  action varchar(10) not null,
  state varchar(10) not null,
  tenant varchar(128),
  asked_by varchar(255),
  request text not null,
  position text,
  matched bigint not null,
  matched_all boolean not null,
  done bigint not null,
  failed bigint not null,
  skipped text not null,
  errors text not null,
  problem varchar(1000),
  process varchar(128),
  lease_until timestamptz(6) not null,
  created_at timestamptz(6) not null,
  started_at timestamptz(6),
  ended_at timestamptz(6),
  updated_at timestamptz(6) not null,
  constraint ojs_operation_pk primary key (id)
);

create index ojs_operation_unfinished on ojs_operation (lease_until) where ended_at is null;

-- From here on, no other transaction reads jobs until the end. The place of a failure in the code; when the job was replayed,
-- up to ten times: around these its history is read; the operation that replayed it.
alter table ojs_job
  add column if not exists error_hash varchar(16),
  add column if not exists replay_times text,
  add column if not exists operation_id uuid;

-- What dead letters have in common is counted without their rows.
create index if not exists ojs_job_dead_letter on ojs_job (dead_lettered_at, id) include (queue, type, error_type, error_hash)
  where dead_lettered_at is not null;
create index if not exists ojs_job_tenant_dead_letter on ojs_job (tenant, dead_lettered_at, id)
  include (queue, type, error_type, error_hash) where dead_lettered_at is not null and tenant is not null;
create index if not exists ojs_job_dead_letter_queue on ojs_job (dead_letter_queue, dead_lettered_at, id)
  include (queue, type, error_type, error_hash) where dead_lettered_at is not null;
create index if not exists ojs_job_dead_letter_hash on ojs_job (error_hash, dead_lettered_at, id)
  include (queue, type, error_type) where dead_lettered_at is not null and error_hash is not null;
drop index if exists ojs_job_dead;
drop index if exists ojs_job_dead_queue;
drop index if exists ojs_job_tenant_dead;

create index if not exists ojs_job_operation on ojs_job (operation_id, id) where operation_id is not null;

-- Since when a queue is in its state, and who has changed it: known if the row still has the version that was written with it.
alter table ojs_queue add column state_since timestamptz(6);
alter table ojs_queue add column state_by varchar(255);
alter table ojs_queue add column state_version bigint;

-- Who triggered a run of a cron; null for its schedule.
alter table ojs_cron_run add column triggered_by varchar(255);

-- What a process is, and how many jobs it runs; null in rows of processes with an earlier version.
alter table ojs_handler add column host varchar(255);
alter table ojs_handler add column pid bigint;
alter table ojs_handler add column application varchar(255);
alter table ojs_handler add column application_version varchar(255);
alter table ojs_handler add column started_at timestamptz(6);
alter table ojs_handler add column running integer;

insert into ojs_schema (version, name, applied_at) values (5, 'operators', current_timestamp);
