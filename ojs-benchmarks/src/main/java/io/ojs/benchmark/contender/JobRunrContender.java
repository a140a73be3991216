package io.ojs.benchmark.contender;

import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.configuration.BackgroundJobServerThreadType;
import org.jobrunr.server.configuration.DefaultBackgroundJobServerWorkerPolicy;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/**
 * JobRunr on PostgreSQL: many jobs by its stream, which it saves in batches.
 */
final class JobRunrContender implements Contender {

	private final Site site;

	private final HikariDataSource database;

	private final PostgresStorageProvider storage;

	private final Jackson3JsonMapper json = new Jackson3JsonMapper();

	private final JobScheduler scheduler;

	private @Nullable BackgroundJobServer server;

	JobRunrContender(Site site) {
		this.site = site;
		this.database = Databases.pool(site);
		this.storage = new PostgresStorageProvider(this.database);
		this.storage.setJobMapper(new JobMapper(this.json));
		this.scheduler = new JobScheduler(this.storage);
	}

	@Override
	public void enqueue(Payload job) {
		long sentAt = job.sentAt();
		String text = job.text();
		this.scheduler.enqueue(() -> JobRunrJobs.run(sentAt, text));
	}

	@Override
	public void enqueueAll(List<Payload> jobs) {
		this.scheduler.enqueue(jobs.stream(), (job) -> JobRunrJobs.run(job.sentAt(), job.text()));
	}

	@Override
	public void work(Handler handler) {
		JobRunrJobs.handler = handler;
		BackgroundJobServerThreadType threads = this.site.virtualThreads()
				? BackgroundJobServerThreadType.VirtualThreads : BackgroundJobServerThreadType.PlatformThreads;
		BackgroundJobServer created = new BackgroundJobServer(this.storage, this.json, null,
				BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
					.andPollInterval(Duration.ofSeconds(Setting.JOBRUNR_POLL_SECONDS))
					.andBackgroundJobServerWorkerPolicy(
							new DefaultBackgroundJobServerWorkerPolicy(Setting.JOBRUNR_WORKERS, threads)));
		created.start();
		this.server = created;
	}

	@Override
	public void settle() throws Exception {
		Settled.await("no job is open",
				() -> Databases.answer(this.database, "SELECT NOT EXISTS (SELECT FROM jobrunr_jobs "
						+ "WHERE state IN ('AWAITING', 'SCHEDULED', 'ENQUEUED', 'PROCESSING', 'FAILED'))"));
	}

	@Override
	public void close() {
		if (this.server != null) {
			this.server.stop();
		}
		this.storage.close();
		this.database.close();
	}

}
