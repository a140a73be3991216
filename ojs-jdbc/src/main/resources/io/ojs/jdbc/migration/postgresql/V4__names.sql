-- Columns have the names of what they say: "held" said two things of a job.
alter table ojs_job rename column held_back to awaits_turn;
alter table ojs_job rename column held_at to worker_wait_since;
alter table ojs_job rename column held_until to worker_wait_until;
alter table ojs_job rename column in_line to fetchable;
alter index ojs_job_held rename to ojs_job_worker_wait;

insert into ojs_schema (version, name, applied_at) values (4, 'names', current_timestamp);
