package io.ojs.sample;

import java.util.List;

import io.ojs.job.JobRequest;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The ids of the jobs of each photo. The job store has the jobs themselves.
 */
@Repository
class JobRecords {

	private final JdbcClient jdbc;

	JobRecords(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	void add(Photo photo, JobRequest job) {
		this.jdbc.sql("insert into photo_job (job_id, photo_id) values (?, ?)").params(job.id(), photo.id()).update();
	}

	/**
	 * The jobs of a photo.
	 * @param photoId the id of the photo
	 * @return the ids of the jobs, the oldest first
	 */
	List<String> of(String photoId) {
		return this.jdbc.sql("select job_id from photo_job where photo_id = ? order by job_id")
			.param(photoId)
			.query(String.class)
			.list();
	}

	/**
	 * The jobs of all photos.
	 * @return the ids of the jobs, the oldest first
	 */
	List<String> all() {
		return this.jdbc.sql("select job_id from photo_job order by job_id").query(String.class).list();
	}

	void delete(Photo photo) {
		this.jdbc.sql("delete from photo_job where photo_id = ?").param(photo.id()).update();
	}

}
