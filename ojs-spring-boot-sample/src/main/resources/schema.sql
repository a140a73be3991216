-- What the gallery itself keeps; the job store brings its own tables.
create table if not exists photo_job (
    job_id varchar(36) primary key,
    photo_id varchar(36) not null
);

create index if not exists photo_job_photo on photo_job (photo_id);
