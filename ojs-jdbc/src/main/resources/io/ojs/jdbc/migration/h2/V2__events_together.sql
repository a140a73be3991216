-- One row of ojs_event for all events of a statement that belong to one tenant: events is an array of
-- JSON, and the position of an event is 1024 times that of its row, plus its place in the array.
alter table ojs_event add column if not exists events clob;

update ojs_event set events = cast(json_array(json_object('id': id, 'type': type, 'subject': subject,
  'queue': queue, 'data': cast(data as varchar))) as varchar);

alter table ojs_event alter column events set not null;
alter table ojs_event drop column id, type, subject, queue, data;

update ojs_feed set feed_position = (feed_position + 1) * 1024 - 1 where name <> 'events';

insert into ojs_schema (version, name, applied_at) values (2, 'events_together', current_timestamp);
