-- What operators ask: jobs by label, numbers of each minute, operations on many jobs, failures at one place in the code.

-- The history of a job, read around the times that its row has.
create index if not exists ojs_event_time on ojs_event (occurred_at);

-- Jobs of workflows that are not enqueued yet, by their ids.
create index if not exists ojs_workflow_job_job on ojs_workflow_job (job_id);

-- Tags (#urgent) and values of meta (customer=4711) of jobs.
create table ojs_job_label (
  label varchar(400) not null,
  job_id uuid not null,
  constraint ojs_job_label_pk primary key (label, job_id)
);

create index ojs_job_label_job on ojs_job_label (job_id);

-- How many jobs ended in each minute, ten minutes and hour, by process: no process writes another one's rows.
create table ojs_minute (
  step_seconds smallint not null,
  began_at timestamp(0) with time zone not null,
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
);

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
  lease_until timestamp(6) with time zone not null,
  created_at timestamp(6) with time zone not null,
  started_at timestamp(6) with time zone,
  ended_at timestamp(6) with time zone,
  updated_at timestamp(6) with time zone not null,
  constraint ojs_operation_pk primary key (id)
);

create index ojs_operation_unfinished on ojs_operation (lease_until);

-- The place of a failure in the code; when the job was replayed, up to ten times: around these its history is read; the
-- operation that replayed it.
alter table ojs_job add column error_hash varchar(16);
alter table ojs_job add column replay_times text;
alter table ojs_job add column operation_id uuid;

create index if not exists ojs_job_dead_hash on ojs_job (error_hash, dead_lettered_at, id);

create index if not exists ojs_job_operation on ojs_job (operation_id, id);

-- Since when a queue is in its state, and who has changed it: known if the row still has the version that was written with it.
alter table ojs_queue add column state_since timestamp(6) with time zone;
alter table ojs_queue add column state_by varchar(255);
alter table ojs_queue add column state_version bigint;

-- Who triggered a run of a cron; null for its schedule.
alter table ojs_cron_run add column triggered_by varchar(255);

-- What a process is, and how many jobs it runs; null in rows of processes with an earlier version.
alter table ojs_handler add column host varchar(255);
alter table ojs_handler add column pid bigint;
alter table ojs_handler add column application varchar(255);
alter table ojs_handler add column application_version varchar(255);
alter table ojs_handler add column started_at timestamp(6) with time zone;
alter table ojs_handler add column running integer;

insert into ojs_schema (version, name, applied_at) values (5, 'operators', current_timestamp);
