-- Columns have the names of what they say: "held" said two things of a job.
alter table ojs_job alter column held_back rename to awaits_turn;
alter table ojs_job alter column held_at rename to worker_wait_since;
alter table ojs_job alter column held_until rename to worker_wait_until;
alter table ojs_job alter column in_line rename to fetchable;
alter index ojs_job_held_back rename to ojs_job_turn;
alter index ojs_job_held rename to ojs_job_worker_wait;

insert into ojs_schema (version, name, applied_at) values (4, 'names', current_timestamp);
