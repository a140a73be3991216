-- What blocks a job, and whether limits count it, are marks of its row. The indexes of limits and of shares have
-- these marks and not the state: a job that has neither a limit nor a tenant begins and ends without a change of them.
drop index ojs_job_rate;
drop index ojs_job_waiting;
drop index ojs_job_granted;
drop index ojs_job_tenant_running;
drop index ojs_job_waiting_until;
drop index ojs_job_held_back;
drop index ojs_job_share;

alter table ojs_job rename column waiting_for to blocked_by;
alter table ojs_job rename column waiting_until to blocked_until;
alter table ojs_job rename column waiting_rank to blocked_rank;
alter table ojs_job rename column rate_granted to has_places;

update ojs_job set
  has_places = (state = 'available' and has_places)
    or (state = 'active' and (rate_key is not null or tenant is not null)),
  blocked_by = case when state = 'available' then blocked_by end,
  blocked_until = case when state = 'available' and (blocked_by is not null or has_places) then blocked_until end,
  blocked_rank = case when state = 'available' then blocked_rank else 1 end,
  held_back = case when state = 'available' then held_back end
  where has_places or blocked_by is not null or blocked_until is not null or blocked_rank <> 1
    or held_back is not null or (state = 'active' and (rate_key is not null or tenant is not null));

create index ojs_job_rate on ojs_job (rate_key) where rate_key is not null and ended_at is null;
create index ojs_job_places on ojs_job (rate_key) where has_places;
create index ojs_job_tenant_places on ojs_job (tenant) where has_places;
create index ojs_job_granted on ojs_job (queue) where has_places and blocked_until is not null;
create index ojs_job_blocked on ojs_job (blocked_by, blocked_rank, priority desc, enqueued_at, id)
  include (queue, blocked_until) where blocked_by is not null;
create index ojs_job_blocked_until on ojs_job (blocked_by) where blocked_by is not null and blocked_until is not null;
create index ojs_job_held_back on ojs_job (queue, tenant, priority desc, enqueued_at, id)
  where held_back and blocked_by is null;
create index ojs_job_share on ojs_job (queue, tenant, enqueued_at, id) where held_back = false and blocked_by is null;

insert into ojs_schema (version, name, applied_at) values (3, 'blocked', current_timestamp);
