package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.RemoteFailure;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.RunReference;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.internal.JobStore;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Workers that fetch, beside a real broker.
 */
class FetchedJobsTests extends BrokerTest {

	private static final String QUEUE = "ojs.queue.parcels";

	private final String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID());

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicBoolean stopped = new AtomicBoolean();

	/** The ids of jobs, as often as they were worked. */
	private final Collection<String> worked = new ConcurrentLinkedQueue<>();

	@AfterEach
	void stopWorkers() throws InterruptedException {
		this.stopped.set(true);
		this.threads.shutdown();
		assertThat(this.threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	private Application.Starter instance() {
		return on(uri());
	}

	private Application.Starter on(String uri) {
		return Application.on(uri).database(this.url, "sa", "").property("ojs.reconnect.max-interval", "2s");
	}

	/** A worker that fails with what is to be retried once. */
	private void work(Application application, String worker) {
		RemoteWorkers workers = application.bean(RemoteWorkers.class);
		this.threads.submit(() -> {
			while (!this.stopped.get()) {
				List<FetchedJob> jobs = workers
					.fetch(new FetchRequest(List.of("parcels"), 5, worker, Duration.ofSeconds(30)));
				jobs.forEach((each) -> work(workers, worker, each.job().job()));
				if (jobs.isEmpty()) {
					TimeUnit.MILLISECONDS.sleep(50);
				}
			}
			return null;
		});
	}

	private void work(RemoteWorkers workers, String worker, Job job) {
		RunReference run = new RunReference(job.id(), worker, job.attempt());
		if (job.type().equals("parcel.fragile") && job.attempt() == 1) {
			workers.nack(run, new RemoteFailure("handler_error", null, "broken", true, List.of(), Map.of()));
			return;
		}
		this.worked.add(job.id());
		workers.ack(run, Map.of("by", worker));
	}

	private static Set<String> enqueue(Application application, int count, String type) {
		Set<String> ids = new HashSet<>();
		application.ojs()
			.enqueueAll(IntStream.range(0, count).mapToObj((i) -> JobRequest.of(type, i).queue("parcels")).toList())
			.forEach((job) -> ids.add(job.id()));
		return ids;
	}

	private static void awaitCompleted(Application application, Collection<String> ids) {
		await().atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(completed(application)).containsExactlyInAnyOrderElementsOf(ids));
	}

	private static List<String> completed(Application application) {
		return application.bean(JobStore.class)
			.list(new JobQuery("parcels", null, Set.of(JobState.COMPLETED), null, 1000))
			.stream()
			.map((each) -> each.job().id())
			.toList();
	}

	private static void awaitHeld(Application application) {
		await().until(() -> application.bean(FetchedQueues.class).delivers("parcels"));
	}

	private long messages() {
		return client().exists(QUEUE) ? client().count(QUEUE) : 0;
	}

	@Test
	void nothingPilesUpAtTheBrokerIfAllIsFetched() {
		try (Application here = instance().property("ojs.worker.enabled", false).start();
				Application there = instance().property("ojs.worker.enabled", false).start()) {
			// These are published: nobody knows yet that they will be fetched.
			Set<String> ids = enqueue(here, 100, "parcel.send");
			await().until(() -> messages() == 100);
			work(here, "one");
			work(there, "two");
			awaitHeld(here);
			awaitHeld(there);
			ids.addAll(enqueue(here, 60, "parcel.send"));
			ids.addAll(enqueue(there, 40, "parcel.fragile"));
			awaitCompleted(here, ids);
			assertThat(this.worked).containsExactlyInAnyOrderElementsOf(ids);
			await().until(() -> messages() == 0);
			Job fragile = here.ojs()
				.find(ids.stream()
					.filter((id) -> here.ojs().find(id).orElseThrow().attempt() == 2)
					.findFirst()
					.orElseThrow())
				.orElseThrow();
			assertThat(fragile.errors()).singleElement()
				.satisfies((error) -> assertThat(error.type()).isEqualTo("handler_error"));
			List<String> told = new ArrayList<>(here.events(fragile.id()));
			told.addAll(there.events(fragile.id()));
			assertThat(told).contains("job.enqueued", "job.started", "job.failed", "job.retrying", "job.completed");
		}
	}

	@Test
	void handlersAndThoseWhoFetchShareAQueueAndNoJob() {
		try (Application handlers = instance().with(Parcels.class).start();
				Application fetching = instance().property("ojs.worker.enabled", false).start()) {
			work(fetching, "one");
			Parcels parcels = handlers.bean(Parcels.class);
			Set<String> ids = new HashSet<>();
			// As long as the quicker one leaves nothing to the other.
			await().until(() -> {
				ids.addAll(enqueue(fetching, 30, "parcel.send"));
				return ids.size() >= 300 && !parcels.sent.isEmpty() && !this.worked.isEmpty();
			});
			awaitCompleted(fetching, ids);
			List<String> all = new ArrayList<>(this.worked);
			all.addAll(parcels.sent);
			assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
			assertThat(fetching.bean(FetchedQueues.class).delivers("parcels")).isFalse();
			await().until(() -> messages() == 0);
		}
	}

	@Test
	void jobsOfAmqpProducersReachThoseWhoFetch() {
		try (Application application = instance().property("ojs.worker.enabled", false).start()) {
			enqueue(application, 1, "parcel.send");
			await().until(() -> messages() == 1);
			work(application, "one");
			awaitHeld(application);
			await().until(() -> completed(application).size() == 1);
			String id = new JobIdGenerator(Clock.systemUTC()).next();
			client().publishJob("parcels", id, "parcel.send", "[7]");
			await().untilAsserted(() -> assertThat(completed(application)).contains(id));
			Job job = application.ojs().find(id).orElseThrow();
			assertThat(job.args()).containsExactly(7);
			assertThat(job.attempt()).isOne();
			await().until(() -> messages() == 0);
		}
	}

	@Test
	void withoutABrokerTheyGoOn() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = on(proxy.uri(ownVirtualHost())).property("ojs.worker.enabled", false)
					.start()) {
			Set<String> ids = enqueue(application, 1, "parcel.send");
			work(application, "one");
			awaitCompleted(application, ids);
			proxy.refuse();
			proxy.reset();
			ids.addAll(enqueue(application, 20, "parcel.fragile"));
			application.ojs()
				.enqueueAll(List
					.of(JobRequest.of("parcel.send").queue("parcels").scheduledAt(Instant.now().plusSeconds(1))))
				.forEach((job) -> ids.add(job.id()));
			awaitCompleted(application, ids);
			assertThat(this.worked).containsExactlyInAnyOrderElementsOf(ids);
		}
	}

	@Test
	void handlersThatComeLaterGetWhatWasHeld() throws Exception {
		try (Application fetching = instance().property("ojs.worker.enabled", false).start()) {
			RemoteWorkers workers = fetching.bean(RemoteWorkers.class);
			Set<String> first = enqueue(fetching, 1, "parcel.send");
			workers.fetch(new FetchRequest(List.of("parcels"), 5, "one", null))
				.forEach((each) -> work(workers, "one", each.job().job()));
			assertThat(this.worked).containsExactlyElementsOf(first);
			awaitHeld(fetching);
			await().until(() -> messages() == 0);
			Set<String> ids = enqueue(fetching, 50, "parcel.send");
			await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(10)).until(() -> messages() == 0);
			try (Application handlers = instance().with(Parcels.class).start()) {
				first.addAll(ids);
				awaitCompleted(fetching, first);
				assertThat(handlers.bean(Parcels.class).sent).containsExactlyInAnyOrderElementsOf(ids);
			}
		}
	}

	@Test
	void aRunThatTakesTooLongHasFailed() {
		try (Application application = instance().property("ojs.worker.enabled", false).start()) {
			Job job = application.ojs()
				.enqueue(JobRequest.of("parcel.send").queue("parcels").timeout(Duration.ofSeconds(1)));
			RemoteWorkers workers = application.bean(RemoteWorkers.class);
			assertThat(workers.fetch(new FetchRequest(List.of("parcels"), 1, "slow", null))).hasSize(1);
			await().atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(application.ojs().find(job.id()).orElseThrow().errors()).singleElement()
					.satisfies((error) -> assertThat(error.type()).isEqualTo("timeout")));
			await()
				.untilAsserted(() -> assertThat(workers.fetch(new FetchRequest(List.of("parcels"), 1, "other", null)))
					.singleElement()
					.satisfies((again) -> assertThat(again.job().job().attempt()).isEqualTo(2)));
		}
	}

	static class Parcels {

		private final List<String> sent = new CopyOnWriteArrayList<>();

		@OjsJobHandler(value = "parcel.send", queue = "parcels", concurrency = 2)
		void send(int number, JobContext context) {
			this.sent.add(context.job().id());
		}

	}

}
