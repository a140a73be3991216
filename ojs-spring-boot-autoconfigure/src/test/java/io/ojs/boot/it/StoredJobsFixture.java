package io.ojs.boot.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.client.internal.EncodedJob;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A worker with a job store. Jobs are put into it and published by hand, as a relay
 * would, or published by a client that knows nothing of it.
 */
abstract class StoredJobsFixture extends BrokerTest {

	static final String JOBS = "ojs.queue.desk";

	static final String DEAD = "ojs.queue.dlx.desk";

	static final String SEEN = "seen.desk";

	static final String CONTROL = "ojs.queue.control.desk";

	final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	abstract String url();

	abstract String username();

	abstract String password();

	@BeforeEach
	void beginWork() {
		Desk.runs.clear();
		Desk.ended.set(0);
		Desk.open = new CountDownLatch(1);
	}

	@AfterEach
	void endWork() {
		Desk.open.countDown();
	}

	final Application.Starter worker() {
		return worker(uri());
	}

	final Application.Starter worker(String uri) {
		return Application.on(uri)
			.with(Desk.class, StoreBeans.class)
			.property("ojs.store.enabled", true)
			.property("ojs.store.initialize-schema", "always")
			.property("test.database.url", url())
			.property("test.database.username", username())
			.property("test.database.password", password())
			.property("ojs.queues.desk.retry.max-attempts", 2)
			.property("ojs.worker.shutdown-grace", "2s");
	}

	static StoredJob find(Application application, String id) {
		return application.bean(JobStore.class).find(id).orElseThrow();
	}

	final JobBuilder builder(String type) {
		return Job.builder(this.ids.next(), type, "desk")
			.args(type.equals("desk.add") ? List.of(1, 1) : List.of())
			.state(JobState.AVAILABLE)
			.createdAt(Rfc3339.utc(Instant.now()))
			.enqueuedAt(Rfc3339.utc(Instant.now()));
	}

	final Job insert(Application application, String type) {
		return insert(application, builder(type));
	}

	static Job insert(Application application, JobBuilder builder) {
		return insert(application, builder, Map.of(), Instant.now().plusSeconds(60));
	}

	static Job insert(Application application, JobBuilder builder, Map<String, String> headers, Instant relayAt) {
		Job job = builder.build();
		application.bean(JobStore.class)
			.insert(List.of(new NewJob(new EncodedJob(job, new JsonJobCodec().encode(job), 2), headers, relayAt)));
		return job;
	}

	/**
	 * Sees dead letters pass: their own queue is emptied into the store.
	 */
	final void watchDeadLetters() throws IOException {
		client().channel().queueDeclare(SEEN, false, true, false, null);
		client().channel().queueBind(SEEN, "ojs.exchange.dlx", "desk");
	}

	final void publish(String id, String type, String args) {
		client().publishJob("desk", id, type, args);
	}

	final void control(String type, String jobId, String replyTo) throws IOException {
		client().channel()
			.basicPublish("ojs.exchange.direct", CONTROL,
					new BasicProperties.Builder().type(type).replyTo(replyTo).correlationId(jobId).build(),
					"{\"job_id\":\"%s\"}".formatted(jobId).getBytes(StandardCharsets.UTF_8));
	}

	static class Desk {

		static final List<String> runs = new CopyOnWriteArrayList<>();

		static final AtomicInteger ended = new AtomicInteger();

		static CountDownLatch open = new CountDownLatch(1);

		@OjsJobHandler(value = "desk.add", queue = "desk", concurrency = 2)
		int add(int one, int other, JobContext context) {
			runs.add(context.job().id());
			return one + other;
		}

		@OjsJobHandler(value = "desk.second", queue = "desk")
		String second(JobContext context) {
			runs.add(context.job().id());
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck at attempt 1");
			}
			return context.job().errors().get(0).message();
		}

		@OjsJobHandler(value = "desk.never", queue = "desk")
		void never(JobContext context) {
			throw new IllegalStateException("no luck at attempt " + context.attempt());
		}

		@OjsJobHandler(value = "desk.refused", queue = "desk")
		String refused() {
			return "refuse me";
		}

		@OjsJobHandler(value = "desk.wait", queue = "desk")
		void await(JobContext context) throws InterruptedException {
			runs.add(context.job().id());
			try {
				open.await();
			}
			finally {
				ended.incrementAndGet();
			}
		}

	}

}
