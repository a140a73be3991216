-- enqueue one job

with changed as (insert into ojs_job (id, state, attempt, run, replays, enqueued_at, started_at, ended_at, due_at,
  relay_at, lease_until, dead_lettered_at, dead_letter_queue, prune_at, worker, timeout_at, lease_ms, awaits_turn,
  blocked_by, blocked_until, blocked_rank, has_places, fetchable, ended_as, error_type, errors, result, retry_delay_ms,
  type, queue, priority, max_attempts, size_bytes, scheduled_at, expires_at, tenant, rate_key, version_key, headers,
  envelope, created_at, published_at, unique_key, ordinal) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing returning
  id), told as (insert into ojs_event (source, occurred_at, tenant, events) select v.* from (select ?::text as source,
  ?::timestamptz as occurred_at, ?::text as tenant, ?::text as events) as v, changed where v.events is not null) select
  id from changed;

-- enqueue many jobs

with v as (select * from (select a.id[i] as id, a.place[i] as place, a.event[i] as event, a.envelope[i] as envelope from
  (select ?::uuid[] as id, ?::int4[] as place, ?::text[] as event, ?::text[] as envelope) as a,
  generate_subscripts(a.id, 1) as i) as a), changed as (insert into ojs_job (state, attempt, run, replays, enqueued_at,
  started_at, ended_at, due_at, relay_at, lease_until, dead_lettered_at, dead_letter_queue, prune_at, worker,
  timeout_at, lease_ms, awaits_turn, blocked_by, blocked_until, blocked_rank, has_places, fetchable, ended_as,
  error_type, errors, result, retry_delay_ms, type, queue, priority, max_attempts, size_bytes, scheduled_at, expires_at,
  tenant, rate_key, version_key, headers, created_at, published_at, unique_key, ordinal, id, envelope) select ?::text,
  ?::int4, ?::int8, ?::int4, ?::timestamptz, ?::timestamptz, ?::timestamptz, ?::timestamptz, ?::timestamptz,
  ?::timestamptz, ?::timestamptz, ?::text, ?::timestamptz, ?::text, ?::timestamptz, ?::int8, ?::bool, ?::text,
  ?::timestamptz, ?::int4, ?::bool, ?::bool, ?::text, ?::text, ?::text, ?::text, ?::int8, ?::text, ?::text, ?::int4,
  ?::int4, ?::int4, ?::timestamptz, ?::timestamptz, ?::text, ?::text, ?::int8, ?::text, ?::timestamptz, ?::timestamptz,
  ?::text, ?::int8, v.id, v.envelope from v returning id, tenant), told as (insert into ojs_event (source, occurred_at,
  tenant, events) select ?::text, ?::timestamptz, c.tenant, '[' || string_agg(v.event, ',' order by v.place) || ']' from
  v join changed c on c.id = v.id where v.event is not null group by c.tenant, v.place / 500 order by min(v.place))
  select id from changed;

-- find a job

select id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, enqueued_at, scheduled_at,
  expires_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, timeout_at, lease_ms, retry_delay_ms,
  dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, unique_key, rate_key, blocked_by, blocked_until,
  blocked_rank, has_places, tenant, awaits_turn, workflow_id, workflow_step, version_key, worker_wait_since,
  worker_wait_until, errors, headers, envelope, result, replay_times from ojs_job where id = ?;

-- note that the broker has jobs

update ojs_job t set relay_at = null, published_at = ? from (select l.id from (select a.id[i] as id, a.relay_at[i] as
  relay_at from (select ?::uuid[] as id, ?::timestamptz[] as relay_at) as a, generate_subscripts(a.id, 1) as i where i +
  0 = i and i - 0 = i) as k cross join lateral (select t.id from ojs_job t where t.id = k.id and t.relay_at is not
  distinct from k.relay_at and t.state = 'available' limit 1 for update skip locked) as l) as v where t.id = v.id;

-- claim one job

with changed as (update ojs_job t set state = ?, attempt = ?, run = ?, started_at = ?, due_at = ?, lease_until = ?,
  worker = ?, relay_at = least(t.relay_at, ?) where t.id = (select l.id from ojs_job l where l.id = ? limit 1 for update
  skip locked) and t.queue = ? and t.type = ? and t.version_key is not distinct from ? and (t.expires_at is null or
  t.expires_at >= ?) and t.state = 'available' and t.attempt = 0 and t.max_attempts > 0 and t.tenant is null and
  t.rate_key is null and t.blocked_by is null and t.blocked_rank = 1 and not t.has_places and t.awaits_turn is null and
  t.worker_wait_since is null and t.worker_wait_until is null and t.errors is null returning id, max_attempts, replays,
  created_at, enqueued_at, workflow_id, headers, envelope), told as (insert into ojs_event (source, occurred_at, tenant,
  events) select v.* from (select ?::text as source, ?::timestamptz as occurred_at, ?::text as tenant, ?::text as
  events) as v, changed where v.events is not null) select * from changed;

-- claim many jobs

with changed as (update ojs_job t set state = ?::text, attempt = ?::int4, started_at = ?::timestamptz, due_at =
  ?::timestamptz, lease_until = ?::timestamptz, worker = ?::text, run = v.run, relay_at = least(t.relay_at, v.look_at)
  from (select a.id[i] as id, a.as_queue[i] as as_queue, a.as_type[i] as as_type, a.as_version_key[i] as as_version_key,
  a.at[i] as at, a.look_at[i] as look_at, a.event[i] as event, a.run[i] as run from (select ?::uuid[] as id, ?::text[]
  as as_queue, ?::text[] as as_type, ?::int8[] as as_version_key, ?::timestamptz[] as at, ?::timestamptz[] as look_at,
  ?::text[] as event, ?::int8[] as run) as a, generate_subscripts(a.id, 1) as i where i + 0 = i and i - 0 = i) as v
  cross join lateral (select l.id from ojs_job l where l.id = v.id limit 1 for update skip locked) as f where t.id =
  f.id and t.queue = v.as_queue and t.type = v.as_type and t.version_key is not distinct from v.as_version_key and
  (t.expires_at is null or t.expires_at >= v.at) and t.state = 'available' and t.attempt = 0 and t.max_attempts > 0 and
  t.tenant is null and t.rate_key is null and t.blocked_by is null and t.blocked_rank = 1 and not t.has_places and
  t.awaits_turn is null and t.worker_wait_since is null and t.worker_wait_until is null and t.errors is null returning
  t.id, t.max_attempts, t.replays, t.created_at, t.enqueued_at, t.workflow_id, t.headers, t.envelope, v.event), told as
  (insert into ojs_event (source, occurred_at, events) select ?::text, ?::timestamptz, '[' || string_agg(event, ',') ||
  ']' from (select event, (row_number() over () - 1) / 1000 as part from changed where event is not null) c group by
  part) select id, max_attempts, replays, created_at, enqueued_at, workflow_id, headers, envelope from changed;

-- complete one job

with changed as (update ojs_job t set state = ?, ended_at = ?, due_at = ?, relay_at = ?, prune_at = ?, lease_until = ?,
  worker = ?, timeout_at = ?, lease_ms = ?, result = ?, fetchable = ?, ended_as = ? where t.id = (select l.id from
  ojs_job l where l.id = ? limit 1 for update skip locked) and t.run = ? and t.state = 'active' and t.tenant is null and
  t.rate_key is null and t.workflow_id is null returning id), told as (insert into ojs_event (source, occurred_at,
  tenant, events) select v.* from (select ?::text as source, ?::timestamptz as occurred_at, ?::text as tenant, ?::text
  as events) as v, changed where v.events is not null) select id from changed;

-- complete many jobs

with changed as (update ojs_job t set state = ?::text, ended_at = ?::timestamptz, due_at = ?::timestamptz, relay_at =
  ?::timestamptz, prune_at = ?::timestamptz, lease_until = ?::timestamptz, worker = ?::text, timeout_at =
  ?::timestamptz, lease_ms = ?::int8, result = ?::text, fetchable = ?::bool, ended_as = ?::text from (select a.id[i] as
  id, a.as_run[i] as as_run, a.event[i] as event from (select ?::uuid[] as id, ?::int8[] as as_run, ?::text[] as event)
  as a, generate_subscripts(a.id, 1) as i where i + 0 = i and i - 0 = i) as v cross join lateral (select l.id from
  ojs_job l where l.id = v.id limit 1 for update skip locked) as f where t.id = f.id and t.run = v.as_run and t.state =
  'active' and t.tenant is null and t.rate_key is null and t.workflow_id is null returning t.id, t.run, t.queue,
  v.event), told as (insert into ojs_event (source, occurred_at, events) select ?::text, ?::timestamptz, '[' ||
  string_agg(event, ',') || ']' from (select event, (row_number() over () - 1) / 1000 as part from changed where event
  is not null) c group by part) select id, run, queue from changed;

-- retry one job

select id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, enqueued_at, scheduled_at,
  expires_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, timeout_at, lease_ms, retry_delay_ms,
  dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, unique_key, rate_key, blocked_by, blocked_until,
  blocked_rank, has_places, tenant, awaits_turn, workflow_id, workflow_step, version_key, worker_wait_since,
  worker_wait_until, errors from ojs_job where id = ? for update skip locked;

with told as (insert into ojs_event (source, occurred_at, tenant, events) values (?, ?, ?, ?)) update ojs_job set state
  = ?, attempt = ?, run = ?, replays = ?, enqueued_at = ?, started_at = ?, ended_at = ?, due_at = ?, relay_at = ?,
  lease_until = ?, dead_lettered_at = ?, dead_letter_queue = ?, prune_at = ?, worker = ?, timeout_at = ?, lease_ms = ?,
  awaits_turn = ?, blocked_by = ?, blocked_until = ?, blocked_rank = ?, has_places = ?, fetchable = ?, ended_as = ?,
  error_type = ?, errors = ?, result = ?, retry_delay_ms = ?, error_hash = ? where id = ?;

-- make one job a dead letter

select id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, enqueued_at, scheduled_at,
  expires_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, timeout_at, lease_ms, retry_delay_ms,
  dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, unique_key, rate_key, blocked_by, blocked_until,
  blocked_rank, has_places, tenant, awaits_turn, workflow_id, workflow_step, version_key, worker_wait_since,
  worker_wait_until, errors from ojs_job where id = ? for update skip locked;

with told as (insert into ojs_event (source, occurred_at, tenant, events) values (?, ?, ?, ?)) update ojs_job set state
  = ?, attempt = ?, run = ?, replays = ?, enqueued_at = ?, started_at = ?, ended_at = ?, due_at = ?, relay_at = ?,
  lease_until = ?, dead_lettered_at = ?, dead_letter_queue = ?, prune_at = ?, worker = ?, timeout_at = ?, lease_ms = ?,
  awaits_turn = ?, blocked_by = ?, blocked_until = ?, blocked_rank = ?, has_places = ?, fetchable = ?, ended_as = ?,
  error_type = ?, errors = ?, result = ?, retry_delay_ms = ?, error_hash = ? where id = ?;

-- cancel one job

select id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, enqueued_at, scheduled_at,
  expires_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, timeout_at, lease_ms, retry_delay_ms,
  dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, unique_key, rate_key, blocked_by, blocked_until,
  blocked_rank, has_places, tenant, awaits_turn, workflow_id, workflow_step, version_key, worker_wait_since,
  worker_wait_until, errors, headers, envelope, result, replay_times from ojs_job where id = ? for update;

with told as (insert into ojs_event (source, occurred_at, tenant, events) values (?, ?, ?, ?)) update ojs_job set state
  = ?, attempt = ?, run = ?, replays = ?, enqueued_at = ?, started_at = ?, ended_at = ?, due_at = ?, relay_at = ?,
  lease_until = ?, dead_lettered_at = ?, dead_letter_queue = ?, prune_at = ?, worker = ?, timeout_at = ?, lease_ms = ?,
  awaits_turn = ?, blocked_by = ?, blocked_until = ?, blocked_rank = ?, has_places = ?, fetchable = ?, ended_as = ?
  where id = ?;

-- look when the relay has work

-- take what the relay is to publish

select id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, enqueued_at, scheduled_at,
  expires_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, timeout_at, lease_ms, retry_delay_ms,
  dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, unique_key, rate_key, blocked_by, blocked_until,
  blocked_rank, has_places, tenant, awaits_turn, workflow_id, workflow_step, version_key, worker_wait_since,
  worker_wait_until, errors, headers, envelope, result, replay_times from ojs_job where relay_at <= ? and state <>
  'active' and ordinal is null order by relay_at limit ? for update skip locked;

update ojs_job set state = ?, attempt = ?, run = ?, replays = ?, enqueued_at = ?, started_at = ?, ended_at = ?, due_at =
  ?, relay_at = ?, lease_until = ?, dead_lettered_at = ?, dead_letter_queue = ?, prune_at = ?, worker = ?, timeout_at =
  ?, lease_ms = ?, awaits_turn = ?, blocked_by = ?, blocked_until = ?, blocked_rank = ?, has_places = ?, fetchable = ?,
  ended_as = ? where id = ?;

-- look for runs that are lost

select id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, enqueued_at, scheduled_at,
  expires_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, timeout_at, lease_ms, retry_delay_ms,
  dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, unique_key, rate_key, blocked_by, blocked_until,
  blocked_rank, has_places, tenant, awaits_turn, workflow_id, workflow_step, version_key, worker_wait_since,
  worker_wait_until, errors, headers, envelope, result, replay_times from ojs_job where lease_ms is not null and state =
  'active' and lease_until < ? and (timeout_at is null or lease_until < timeout_at) order by lease_until limit ? for
  update skip locked;

select id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, enqueued_at, scheduled_at,
  expires_at, started_at, ended_at, due_at, relay_at, published_at, lease_until, timeout_at, lease_ms, retry_delay_ms,
  dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, unique_key, rate_key, blocked_by, blocked_until,
  blocked_rank, has_places, tenant, awaits_turn, workflow_id, workflow_step, version_key, worker_wait_since,
  worker_wait_until, errors, headers, envelope, result, replay_times from ojs_job where relay_at > ? and relay_at < ?
  and lease_ms is null and state = 'active' and lease_until < ? and (timeout_at is null or lease_until < timeout_at) and
  (lease_ms is not null or not exists (select 1 from ojs_process p where p.id = worker and p.seen_at + (lease_until -
  started_at) >= least(?, current_timestamp))) order by lease_until limit ? for update skip locked;

update ojs_job set relay_at = lease_until where id in (select id from ojs_job where relay_at > ? and relay_at < ? and
  lease_ms is null and state = 'active' and lease_until >= ? limit 1000 for update skip locked);

select id, seen_at, current_timestamp as now from ojs_process where id = any(?);

with told as (insert into ojs_event (source, occurred_at, tenant, events) values (?, ?, ?, ?)) update ojs_job t set
  state = ?::text, attempt = ?::int4, replays = ?::int4, enqueued_at = ?::timestamptz, started_at = ?::timestamptz,
  ended_at = ?::timestamptz, due_at = ?::timestamptz, relay_at = ?::timestamptz, lease_until = ?::timestamptz,
  dead_lettered_at = ?::timestamptz, dead_letter_queue = ?::text, prune_at = ?::timestamptz, worker = ?::text,
  timeout_at = ?::timestamptz, lease_ms = ?::int8, awaits_turn = ?::bool, blocked_by = ?::text, blocked_until =
  ?::timestamptz, blocked_rank = ?::int4, has_places = ?::bool, fetchable = ?::bool, ended_as = ?::text, error_type =
  ?::text, errors = ?::text, result = ?::text, retry_delay_ms = ?::int8, error_hash = ?::text, run = v.run from (select
  a.id[i] as id, a.run[i] as run from (select ?::uuid[] as id, ?::int8[] as run) as a, generate_subscripts(a.id, 1) as i
  where i + 0 = i and i - 0 = i) as v where t.id = v.id;

-- read the feed of events

update ojs_event t set feed_position = v.feed_position from (select a.seq[i] as seq, a.feed_position[i] as feed_position
  from (select ?::int8[] as seq, ?::int8[] as feed_position) as a, generate_subscripts(a.seq, 1) as i where i + 0 = i
  and i - 0 = i) as v where t.seq = v.seq;

update ojs_feed set feed_position = ? where name = 'events';

select feed_position, source, occurred_at, tenant, events from ojs_event where feed_position >= ? order by feed_position
  limit 2;

select feed_position, source, occurred_at, tenant, events from ojs_event where feed_position >= ? order by feed_position
  limit 100;

-- delete jobs that ended long ago

select id, unique_key, state, created_at, case when unique_key is not null then envelope end as envelope from ojs_job j
  where prune_at < ? and (workflow_id is null or not exists (select 1 from ojs_workflow w where w.id = j.workflow_id and
  w.ended_at is null)) order by prune_at limit ? for update skip locked;

insert into ojs_deleted_job (id, prune_at) select r.id, current_timestamp + interval '7' day from (select j.* from
  (select a.ids[i] as id from (select ?::uuid[] as ids) as a, generate_subscripts(a.ids, 1) as i order by 1) as k cross
  join lateral (select id, run, state from ojs_job where id = k.id limit 1) as j) r where r.run <> 0 and r.state <>
  'completed' and not exists (select 1 from ojs_deleted_job d where d.id = r.id);

delete from ojs_job_label where job_id = any(?);

delete from ojs_job where id = any(?);

select id from ojs_deleted_job where prune_at < ? order by prune_at limit ? for update skip locked;

-- enqueue one job with labels

with changed as (insert into ojs_job (id, state, attempt, run, replays, enqueued_at, started_at, ended_at, due_at,
  relay_at, lease_until, dead_lettered_at, dead_letter_queue, prune_at, worker, timeout_at, lease_ms, awaits_turn,
  blocked_by, blocked_until, blocked_rank, has_places, fetchable, ended_as, error_type, errors, result, retry_delay_ms,
  type, queue, priority, max_attempts, size_bytes, scheduled_at, expires_at, tenant, rate_key, version_key, headers,
  envelope, created_at, published_at, unique_key, ordinal) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing returning
  id), told as (insert into ojs_event (source, occurred_at, tenant, events) select v.* from (select ?::text as source,
  ?::timestamptz as occurred_at, ?::text as tenant, ?::text as events) as v, changed where v.events is not null),
  labelled as (insert into ojs_job_label (label, job_id) select l.label, l.job_id from unnest(?::text[], ?::uuid[]) as l
  (label, job_id) join changed c on c.id = l.job_id) select id from changed;

