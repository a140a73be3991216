-- What blocks a job, whether limits count it and whether it is in line are marks of its row. The time to look at a
-- job (relay_at) stays when it begins, and says then when to look whether its lease is over.
drop index ojs_job_rate;
drop index ojs_job_waiting;
drop index ojs_job_waiting_until;
drop index ojs_job_tenant_running;
drop index ojs_job_lease;

alter table ojs_job alter column waiting_for rename to blocked_by;
alter table ojs_job alter column waiting_until rename to blocked_until;
alter table ojs_job alter column waiting_rank rename to blocked_rank;
alter table ojs_job alter column rate_granted rename to has_places;
alter table ojs_job add column in_line boolean default false not null;
alter table ojs_job add column ended_as varchar(16) default '' not null;

update ojs_job set
  in_line = state = 'available',
  ended_as = case when state in ('completed', 'cancelled', 'discarded', 'handed_over') then state else '' end,
  ended_at = case when state in ('completed', 'cancelled', 'discarded', 'handed_over') then ended_at end,
  prune_at = case when state in ('completed', 'cancelled', 'discarded', 'handed_over') then prune_at end,
  relay_at = case when state = 'active' then lease_until else relay_at end,
  has_places = (state = 'available' and has_places)
    or (state = 'active' and (rate_key is not null or tenant is not null)),
  blocked_by = case when state = 'available' then blocked_by end,
  blocked_until = case when state = 'available' and (blocked_by is not null or has_places) then blocked_until end,
  blocked_rank = case when state = 'available' then blocked_rank else 1 end,
  held_back = case when state = 'available' then held_back end;

create index ojs_job_rate on ojs_job (rate_key, has_places);
create index ojs_job_tenant_places on ojs_job (tenant, has_places);
create index ojs_job_blocked on ojs_job (blocked_by, blocked_rank, priority desc, enqueued_at, id);

insert into ojs_schema (version, name, applied_at) values (3, 'marks', current_timestamp);
