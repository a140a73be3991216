-- What blocks a job, and whether limits count it, are marks of its row.
drop index ojs_job_rate;
drop index ojs_job_waiting;
drop index ojs_job_waiting_until;
drop index ojs_job_tenant_running;

alter table ojs_job alter column waiting_for rename to blocked_by;
alter table ojs_job alter column waiting_until rename to blocked_until;
alter table ojs_job alter column waiting_rank rename to blocked_rank;
alter table ojs_job alter column rate_granted rename to has_places;

update ojs_job set
  has_places = (state = 'available' and has_places)
    or (state = 'active' and (rate_key is not null or tenant is not null)),
  blocked_by = case when state = 'available' then blocked_by end,
  blocked_until = case when state = 'available' and (blocked_by is not null or has_places) then blocked_until end,
  blocked_rank = case when state = 'available' then blocked_rank else 1 end,
  held_back = case when state = 'available' then held_back end;

create index ojs_job_rate on ojs_job (rate_key, has_places);
create index ojs_job_tenant_places on ojs_job (tenant, has_places);
create index ojs_job_blocked on ojs_job (blocked_by, blocked_rank, priority desc, enqueued_at, id);

insert into ojs_schema (version, name, applied_at) values (3, 'blocked', current_timestamp);
