package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Cancelling jobs that run, wait, or are not there, with nothing but a broker.
 */
@Tag("AMQP-019")
@Tag("java-versions")
class CancelTests extends BrokerTest {

	private static final String CONTROL = "ojs.queue.control.rooms";

	private static final String UNKNOWN = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	@BeforeEach
	void begin() {
		Rooms.reset();
	}

	@Test
	@Tag("AMQP-019")
	void runningJobIsInterruptedWhicheverProcessRunsIt() {
		try (Application one = worker().start();
				Application other = worker().start();
				Application producer = application().start()) {
			List<Job> jobs = producer.ojs().enqueueAll(Stream.generate(() -> wait("rooms")).limit(6).toList());
			await().until(() -> Rooms.started.size() == 6);
			jobs.subList(0, 4).forEach(producer.ojs()::cancel);
			// As the binding says that any client does it (§5.6).
			client().publish(CONTROL, new BasicProperties.Builder().type("ojs.control.cancel").build(),
					"{\"job_id\":\"%s\"}".formatted(jobs.get(4).id()).getBytes(StandardCharsets.UTF_8));
			await().until(() -> Rooms.interrupted.size() == 5);
			await().until(() -> client().count("ojs.queue.control.rooms") == 0);
			for (Job job : jobs.subList(0, 5)) {
				await().until(() -> told(job, one, other).contains("job.cancelled"));
				assertThat(told(job, one, other)).containsExactly("job.started", "job.cancelled");
			}
			assertThat(Rooms.interrupted).doesNotContain(jobs.get(5).id());
			Rooms.open.countDown();
			await().until(() -> told(jobs.get(5), one, other).contains("job.completed"));
		}
		assertThat(client().count("ojs.queue.rooms")).isZero();
		assertThat(client().count("ojs.queue.dlx.rooms")).isZero();
		assertThat(client().count("ojs.queue.control.rooms")).as("requests that nobody has to remember").isZero();
	}

	@Test
	@Tag("AMQP-019")
	@Tag("GUIDE-2-6")
	void waitingJobsAreDroppedWhenTheirTurnComes() {
		try (Application application = worker().property("ojs.queues.rooms.concurrency", 1)
			.property("ojs.queues.rooms.retry.initial-interval", "200ms")
			.start()) {
			Job blocking = application.ojs().enqueue(wait("rooms"));
			await().until(() -> Rooms.started.contains(blocking.id()));
			Job waiting = application.ojs().enqueue(wait("rooms"));
			Job scheduled = application.ojs().enqueue(wait("rooms").scheduledAt(Instant.now().plusSeconds(2)));
			application.ojs().cancel(waiting);
			application.ojs().cancel(scheduled);
			awaitHeard();
			Job last = application.ojs().enqueue(wait("rooms"));
			Rooms.open.countDown();
			await().until(() -> application.events(last.id()).contains("job.completed"));
			Rooms.open = new CountDownLatch(1);
			Job failing = application.ojs().enqueue(JobRequest.of("room.leave").queue("rooms"));
			// Keeps the only consumer busy until the request is heard.
			Job behind = application.ojs().enqueue(wait("rooms"));
			await().until(() -> Rooms.started.contains(behind.id()));
			assertThat(application.events(failing.id())).contains("job.retrying");
			application.ojs().cancel(failing);
			awaitHeard();
			Rooms.open.countDown();
			for (Job job : List.of(waiting, scheduled, failing)) {
				await().until(() -> application.events(job.id()).contains("job.cancelled"));
			}
			assertThat(Rooms.started).doesNotContain(waiting.id(), scheduled.id());
			assertThat(application.worked(failing.id())).containsExactly("job.started", "job.failed", "job.retrying",
					"job.cancelled");
		}
		assertThat(client().count("ojs.queue.control.rooms")).isZero();
	}

	@Test
	void requestIsKeptUntilTheJobComesWhoeverDiesMeanwhile() {
		try (Application producer = application().start()) {
			Job early = producer.ojs().enqueue(wait("rooms"));
			producer.ojs().cancel("rooms", UNKNOWN);
			producer.ojs().cancel(early);
			for (String id : List.of(UNKNOWN, early.id())) {
				GetResponse request = client().take(CONTROL);
				assertThat(request.getEnvelope().getExchange()).isEqualTo("ojs.exchange.direct");
				assertThat(request.getEnvelope().getRoutingKey()).isEqualTo(CONTROL);
				assertThat(request.getProps().getType()).isEqualTo("ojs.control.cancel");
				assertThat(request.getProps().getDeliveryMode()).isEqualTo(2);
				assertThat(request.getBody()).asString().isEqualTo("{\"job_id\":\"%s\"}".formatted(id));
				client().publish(CONTROL, request.getProps(), request.getBody());
			}
			Application first = worker().start();
			await().until(() -> first.events(early.id()).contains("job.cancelled"));
			await().until(() -> client().count("ojs.queue.control.rooms") == 0);
			first.close();
			await("given back to the broker").until(() -> client().count("ojs.queue.control.rooms") == 1);
			try (Application second = worker().start()) {
				await().until(() -> client().count("ojs.queue.control.rooms") == 0);
				client().publishJob("rooms", UNKNOWN, "room.wait", "[]");
				await().until(() -> second.events(UNKNOWN).contains("job.cancelled"));
			}
		}
		assertThat(Rooms.started).isEmpty();
	}

	@Test
	void workerThatStartsLaterKnowsWhatIsToBeDropped() {
		try (Application first = worker().property("ojs.queues.rooms.concurrency", 1).start()) {
			Job blocking = first.ojs().enqueue(wait("rooms"));
			await().until(() -> Rooms.started.contains(blocking.id()));
			Job waiting = first.ojs().enqueue(wait("rooms"));
			first.ojs().cancel(waiting);
			await().until(() -> client().count("ojs.queue.control.rooms") == 0);
			try (Application second = worker().start()) {
				await().until(() -> !second.events(waiting.id()).isEmpty());
				assertThat(second.events(waiting.id())).containsExactly("job.cancelled");
			}
			Rooms.open.countDown();
			await().until(() -> first.events(blocking.id()).contains("job.completed"));
		}
		assertThat(client().count("ojs.queue.control.rooms")).isZero();
	}

	@Test
	@Tag("AMQP-019")
	void jobThatIsNotThereHarmsNobodyAndBadOnesAreRefused() {
		try (Application application = worker().start()) {
			Rooms.open.countDown();
			application.ojs().cancel("rooms", UNKNOWN);
			application.ojs().cancel("nobody-works-it", UNKNOWN);
			Job job = application.ojs().enqueue(wait("rooms"));
			application.ojs().cancel("rooms", UNKNOWN);
			await().until(() -> application.events(job.id()).contains("job.completed"));
			application.ojs().cancel(job);
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> application.ojs().cancel("Rooms!", UNKNOWN))
				.withMessageContaining("Rooms!");
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> application.ojs().cancel("rooms", "17"))
				.withMessageContaining("17");
		}
	}

	@Test
	void handlerThatIsDoneAllTheSameHasDoneItsJob() {
		try (Application application = worker().start()) {
			Job job = application.ojs().enqueue(JobRequest.of("room.ignore").queue("rooms"));
			await().until(() -> Rooms.started.contains(job.id()));
			application.ojs().cancel(job);
			await().until(() -> application.events(job.id()).contains("job.completed"));
			await().until(() -> client().count("ojs.queue.control.rooms") == 0);
			Job next = application.ojs().enqueue(JobRequest.of("room.ignore").queue("rooms"));
			application.ojs().cancel("rooms", UNKNOWN);
			Rooms.open.countDown();
			await().until(() -> application.events(next.id()).contains("job.completed"));
			for (Job done : List.of(job, next)) {
				assertThat(application.worked(done.id())).containsExactly("job.started", "job.completed");
			}
		}
		await("only the one that never came").until(() -> client().count("ojs.queue.control.rooms") == 1);
	}

	/** Waits until workers have got all requests; there is nothing to do for one. */
	private void awaitHeard() {
		await().until(() -> client().count(CONTROL) == 0);
	}

	private static List<String> told(Job job, Application... applications) {
		return Stream.of(applications).flatMap((application) -> application.events(job.id()).stream()).toList();
	}

	private static JobRequest wait(String queue) {
		return JobRequest.of("room.wait").queue(queue);
	}

	/** Each job on a thread of its own, none in advance. */
	private Application.Starter worker() {
		return application(Rooms.class).property("ojs.queues.rooms.prefetch", 1)
			.property("ojs.worker.shutdown-grace", "2s");
	}

	static class Rooms {

		private static final Set<String> started = ConcurrentHashMap.newKeySet();

		private static final List<String> interrupted = new CopyOnWriteArrayList<>();

		private static volatile CountDownLatch open = new CountDownLatch(1);

		private static void reset() {
			started.clear();
			interrupted.clear();
			open = new CountDownLatch(1);
		}

		@OjsJobHandler(value = "room.wait", queue = "rooms", concurrency = 4)
		void wait(JobContext context) throws InterruptedException {
			started.add(context.job().id());
			assertThat(context.isCancelled()).isFalse();
			try {
				open.await();
			}
			catch (InterruptedException ex) {
				if (context.isCancelled()) {
					interrupted.add(context.job().id());
				}
				throw ex;
			}
		}

		@OjsJobHandler(value = "room.leave", queue = "rooms")
		void leave() {
			throw new IllegalStateException("not now");
		}

		/** Notices, and finishes its work. */
		@OjsJobHandler(value = "room.ignore", queue = "rooms")
		void ignore(JobContext context) {
			started.add(context.job().id());
			await().pollInSameThread().ignoreExceptions().until(() -> context.isCancelled() || open.getCount() == 0);
			Thread.interrupted();
		}

	}

}
