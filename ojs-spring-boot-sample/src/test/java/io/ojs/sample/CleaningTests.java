package io.ojs.sample;

import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is done every night.
 */
class CleaningTests extends GalleryTest {

	@Autowired
	private CronJobs crons;

	@Autowired
	private OjsOperations ojs;

	@Autowired
	private PhotoLibrary library;

	@Test
	void oldPhotosAreForgotten() throws Exception {
		String old = client().uploadSmall(10, 10);
		String young = client().uploadSmall(11, 11);
		await().until(() -> client().renditions(old).size() == Rendition.values().length);
		Files.setLastModifiedTime(this.library.find(old).orElseThrow().original(),
				FileTime.from(Instant.now().minus(Duration.ofDays(31))));
		String jobId = this.crons.trigger("gallery-clean").jobId();
		await().untilAsserted(() -> assertThat(this.ojs.find(jobId)).map(Job::state).contains(JobState.COMPLETED));
		assertThat(this.ojs.find(jobId)).map(Job::result).contains(1);
		assertThat(this.library.find(old)).isEmpty();
		assertThat(this.library.find(young)).isPresent();
		assertThat(client().get("/api/photos/" + old + "/jobs").statusCode()).isEqualTo(404);
	}

	@Test
	void itIsDoneAtNight() {
		CronJob cron = this.crons.find("gallery-clean").orElseThrow();
		assertThat(cron.request().expression()).isEqualTo("0 3 * * *");
		assertThat(cron.nextRunAt()).isAfter(Instant.now().minusSeconds(60));
		assertThat(cron.source()).isEqualTo("application:gallery");
	}

}
