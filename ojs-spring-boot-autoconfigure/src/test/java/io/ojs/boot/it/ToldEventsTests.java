package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.client.OjsOperations;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.RemoteFailure;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.RunReference;
import io.ojs.job.Job;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * On a real broker, and where there is a job store on PostgreSQL, where most runs begin
 * and end with one statement.
 */
@Tag("broker")
class ToldEventsTests {

	private static final String PREFIX = "job.";

	/** By a worker, without a job store. */
	@Nested
	class BrokerOnly extends OnBroker {

		@Override
		Application start(Application.Starter starter) {
			return starter.with(ToldEventsContract.Desk.class).start();
		}

		@Override
		public boolean hasStore() {
			return false;
		}

		@Override
		public boolean refusesUnknownTypes() {
			return true;
		}

		@Override
		public @Nullable List<String> feed(String jobId) {
			return null;
		}

		@Override
		public Consumer<Job> replay() {
			return (job) -> application().bean(DeadLetterReplayer.class)
				.replayAll(DeadLetterFilter.ANY.queue(job.queue()).ids(Set.of(job.id())), ReplayOptions.CONFIRMED);
		}

	}

	/** By a worker, with a job store. */
	@Nested
	class Store extends OnBroker {

		@Override
		Application start(Application.Starter starter) {
			return database(starter).with(ToldEventsContract.Desk.class).start();
		}

		@Override
		public boolean refusesUnknownTypes() {
			return true;
		}

	}

	/** By a worker whose jobs the store delivers. */
	@Nested
	class StoreDelivery extends OnBroker {

		@Override
		Application start(Application.Starter starter) {
			return database(starter).with(ToldEventsContract.Desk.class)
				.property("ojs.queues.told.delivery", "store")
				.property("ojs.queues.gone.delivery", "store")
				.start();
		}

		@Override
		public boolean refusesUnknownTypes() {
			return true;
		}

	}

	/** By a worker that fetches its jobs, in the process that serves it. */
	@Nested
	class Fetched extends Remote {

		@Override
		List<Job> fetch(String queue) {
			return application().bean(RemoteWorkers.class)
				.fetch(new FetchRequest(List.of(queue), 1, "w", lease(queue)))
				.stream()
				.map((FetchedJob fetched) -> fetched.job().job())
				.toList();
		}

		@Override
		void ack(Job job) {
			application().bean(RemoteWorkers.class).ack(run(job), null);
		}

		@Override
		void nack(Job job, boolean retryable) {
			application().bean(RemoteWorkers.class)
				.nack(run(job), new RemoteFailure("handler_error", null, "no luck", retryable, List.of(), Map.of()));
		}

		private static RunReference run(Job job) {
			return new RunReference(job.id(), "w", job.attempt());
		}

	}

	/** By a worker that fetches its jobs over HTTP. */
	@Nested
	class Http extends Remote {

		@Override
		List<Job> fetch(String queue) {
			String body = application()
				.post("/ojs/v1/workers/fetch",
						"{\"queues\": [\"%s\"], \"count\": 1, \"worker_id\": \"w\", \"visibility_timeout_ms\": %d}"
							.formatted(queue, lease(queue).toMillis()))
				.body();
			List<Job> jobs = new ArrayList<>();
			JsonMapper.shared()
				.readTree(body)
				.path("jobs")
				.forEach((job) -> jobs.add(Job
					.builder(job.path("id").asString(), job.path("type").asString(), job.path("queue").asString())
					.attempt(job.path("attempt").asInt())
					.build()));
			return jobs;
		}

		@Override
		void ack(Job job) {
			post("ack", job, "");
		}

		@Override
		void nack(Job job, boolean retryable) {
			post("nack", job, ", \"error\": {\"message\": \"no luck\", \"retryable\": %s}".formatted(retryable));
		}

		private void post(String what, Job job, String more) {
			assertThat(application()
				.post("/ojs/v1/workers/" + what,
						"{\"job_id\": \"%s\", \"worker_id\": \"w\"%s}".formatted(job.id(), more))
				.statusCode()).isEqualTo(200);
		}

	}

	/** Worked by a process of its own, or in another way that is not this library's. */
	abstract static class Remote extends OnBroker {

		@Override
		Application start(Application.Starter starter) {
			return database(starter).http().property("ojs.store.reap-interval", "1s").start();
		}

		abstract List<Job> fetch(String queue);

		/** As short as can be for jobs that it does not work. */
		static Duration lease(String queue) {
			return Duration.ofSeconds(queue.equals("lost") ? 1 : 30);
		}

		@Override
		public boolean losesRuns() {
			return true;
		}

		abstract void ack(Job job);

		abstract void nack(Job job, boolean retryable);

		@Override
		public void work(Job job, int events) {
			await().atMost(PATIENCE).until(() -> {
				for (Job fetched : fetch(job.queue())) {
					if (fetched.queue().equals("lost")) {
						continue;
					}
					switch (fetched.type()) {
						case "told.fail" -> nack(fetched, true);
						case "told.never" -> nack(fetched, false);
						case "told.cancelled" -> ojs().cancel(fetched.id());
						default -> {
							if (fetched.type().equals("told.second") && fetched.attempt() == 1) {
								nack(fetched, true);
							}
							else {
								ack(fetched);
							}
						}
					}
				}
				return told(job.id()).size() >= events;
			});
		}

	}

	/** Applications with a broker. */
	@TestInstance(Lifecycle.PER_CLASS)
	abstract static class OnBroker extends ToldEventsContract implements ToldEventsContract.Way {

		static final Duration PATIENCE = Duration.ofSeconds(30);

		private final VirtualHost virtualHost = RabbitBroker.shared().newVirtualHost();

		private @Nullable PostgresDatabase database;

		private Application application;

		abstract Application start(Application.Starter starter);

		@BeforeAll
		void start() {
			Application.Starter starter = Application.on(this.virtualHost.uri());
			properties(starter::property);
			this.application = start(starter);
		}

		@AfterAll
		void stop() {
			this.application.close();
			this.virtualHost.close();
			if (this.database != null) {
				this.database.close();
			}
		}

		Application.Starter database(Application.Starter starter) {
			this.database = StoreDatabases.create();
			return starter.database(this.database.url(), this.database.username(), this.database.password());
		}

		Application application() {
			return this.application;
		}

		@Override
		Way way() {
			return this;
		}

		@Override
		public OjsOperations ojs() {
			return this.application.ojs();
		}

		@Override
		public Instant now() {
			return Instant.now();
		}

		@Override
		public void work(Job job, int events) {
			await().atMost(PATIENCE).until(() -> told(job.id()).size() >= events);
		}

		@Override
		public List<String> told(String jobId) {
			return this.application.events(jobId).stream().map((name) -> name.substring(PREFIX.length())).toList();
		}

		@Override
		public @Nullable List<String> feed(String jobId) {
			List<String> names = new ArrayList<>();
			EventFeed feed = this.application.bean(EventFeed.class);
			List<StoredEvent> page;
			long position = 0;
			do {
				page = feed.after(position, Set.of(), Set.of(), 1000);
				for (StoredEvent event : page) {
					position = event.position();
					if (event.subject().equals(jobId) && event.type().startsWith(PREFIX)) {
						names.add(event.type().substring(PREFIX.length()));
					}
				}
			}
			while (!page.isEmpty());
			return names;
		}

		@Override
		public Consumer<Job> replay() {
			return (job) -> this.application.bean(DeadLetters.class).replay(job.id());
		}

	}

}
