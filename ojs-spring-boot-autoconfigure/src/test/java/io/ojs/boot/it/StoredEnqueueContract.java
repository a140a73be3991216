package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.GetResponse;
import io.ojs.client.OjsOperations;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.internal.JobStore;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What enqueue does with a job store, on whatever database, beside a real broker.
 */
abstract class StoredEnqueueContract extends BrokerTest {

	abstract Application.Starter database(Application.Starter starter);

	private Application start() {
		return database(application()).property("ojs.worker.enabled", false).start();
	}

	private static <T> T inTransaction(Application application, int propagation, Supplier<T> work) {
		TransactionTemplate transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		transactions.setPropagationBehavior(propagation);
		return transactions.execute((status) -> work.get());
	}

	private static <T> T inTransaction(Application application, Supplier<T> work) {
		return inTransaction(application, TransactionDefinition.PROPAGATION_REQUIRED, work);
	}

	@Test
	void jobGoesToTheBrokerOnceItsTransactionIsCommitted() {
		try (Application application = start()) {
			Job job = inTransaction(application, () -> {
				Job enqueued = application.ojs().enqueue("email.send", "hello");
				assertThat(application.events()).isEmpty();
				assertThat(client().exists("ojs.queue.default")).isFalse();
				return enqueued;
			});
			GetResponse message = client().take("ojs.queue.default");
			assertThat(message.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(RawClient.headers(message)).containsEntry("x-ojs-attempt", "1")
				.containsEntry("x-ojs-store", application.bean(JobStore.class).id())
				.doesNotContainKey("x-ojs-replays");
			assertThat(application.events(job.id())).containsExactly("job.enqueued");
			await().until(() -> unpublished(application) == 0);
			assertThat(application.ojs().find(job.id()).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
		}
	}

	@Test
	void rollbackLeavesNothingBehind() {
		try (Application application = start()) {
			List<Job> lost = new ArrayList<>();
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> inTransaction(application, () -> {
				lost.add(application.ojs().enqueue("email.send"));
				lost.add(application.ojs().enqueueAsync("email.send").join());
				throw new IllegalStateException("never mind");
			}));
			// Would be behind the others.
			Job kept = application.ojs().enqueue("email.send");
			assertThat(client().take("ojs.queue.default").getProps().getMessageId()).isEqualTo(kept.id());
			assertThat(lost).hasSize(2).allSatisfy((job) -> assertThat(application.ojs().find(job.id())).isEmpty());
			assertThat(application.events()).hasSize(1);
		}
	}

	@Test
	void jobsAreListedInPagesTheNewestFirst() {
		try (Application application = start()) {
			OjsOperations ojs = application.ojs();
			Job first = ojs.enqueue("list.one");
			Job second = ojs.enqueue(JobRequest.of("list.one").queue("mails"));
			Job third = ojs.enqueue("list.two");
			ojs.cancel(third.id());
			assertThat(ojs.list(JobQuery.first(2))).extracting(Job::id).containsExactly(third.id(), second.id());
			assertThat(ojs.list(JobQuery.first(2).before(second.id()))).extracting(Job::id).containsExactly(first.id());
			assertThat(ojs.list(JobQuery.first(9).queue("mails"))).extracting(Job::id).containsExactly(second.id());
			assertThat(ojs.list(JobQuery.first(9).type("list.one"))).extracting(Job::id)
				.containsExactly(second.id(), first.id());
			assertThat(ojs.list(JobQuery.first(9).states(JobState.CANCELLED))).singleElement().satisfies((job) -> {
				assertThat(job.id()).isEqualTo(third.id());
				assertThat(job.extensions()).containsKey("max_attempts");
			});
		}
	}

	@Test
	void transactionOfItsOwnOutlivesTheOuterOne() {
		try (Application application = start()) {
			List<Job> jobs = new ArrayList<>();
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> inTransaction(application, () -> {
				jobs.add(application.ojs().enqueue("outer"));
				jobs.add(inTransaction(application, TransactionDefinition.PROPAGATION_REQUIRES_NEW,
						() -> application.ojs().enqueue("inner")));
				throw new IllegalStateException("never mind");
			}));
			assertThat(client().take("ojs.queue.default").getProps().getMessageId()).isEqualTo(jobs.get(1).id());
			assertThat(application.ojs().find(jobs.get(0).id())).isEmpty();
		}
	}

	@Test
	void batchIsEnqueuedAltogetherOrNotAtAll() {
		try (Application application = start()) {
			Job first = application.ojs().enqueue("email.send");
			List<JobRequest> batch = List.of(JobRequest.of("one"), JobRequest.of("two").id(first.id()));
			assertThatExceptionOfType(JobNotStoredException.class).isThrownBy(() -> application.ojs().enqueueAll(batch))
				.withCauseInstanceOf(DuplicateIdException.class)
				.satisfies((ex) -> assertThat(ex.job().id()).isEqualTo(first.id()));
			assertThat(jobs(application)).isEqualTo(1);
			application.ojs().enqueueAll(IntStream.range(0, 700).mapToObj((i) -> JobRequest.of("many", i)).toList());
			await().until(() -> client().count("ojs.queue.default") == 701);
		}
	}

	@Test
	void scheduledJobWaitsInTheDatabase() {
		try (Application application = start()) {
			Job soon = application.ojs()
				.enqueue(JobRequest.of("later").scheduledAt(Instant.now().plus(Duration.ofSeconds(2))));
			Job never = application.ojs()
				.enqueue(JobRequest.of("later").scheduledAt(Instant.now().plus(Duration.ofSeconds(3))));
			assertThat(application.ojs().cancel(never.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
			await().until(() -> unpublished(application) == 1);
			GetResponse message = client().take("ojs.queue.default");
			assertThat(Instant.now()).isAfterOrEqualTo(soon.scheduledAt().toInstant());
			assertThat(message.getProps().getMessageId()).isEqualTo(soon.id());
			assertThat(message.getEnvelope().getExchange()).isEqualTo("ojs.exchange.direct");
			assertThat(application.events(soon.id())).containsExactly("job.scheduled", "job.enqueued");
			assertThat(application.events(never.id())).containsExactly("job.scheduled", "job.cancelled");
			assertThat(application.ojs().find(never.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
			assertThatExceptionOfType(IllegalStateTransitionException.class)
				.isThrownBy(() -> application.ojs().cancel(never.id()));
		}
	}

	@Test
	void pendingJobWaitsUntilItIsActivated() {
		try (Application application = start()) {
			Job pending = application.ojs().enqueue(JobRequest.of("approve").pending());
			assertThat(pending.state()).isEqualTo(JobState.PENDING);
			assertThat(application.events(pending.id())).isEmpty();
			Job other = application.ojs().enqueue("email.send");
			assertThat(client().take("ojs.queue.default").getProps().getMessageId()).isEqualTo(other.id());
			assertThat(application.ojs().activate(pending.id()).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
			assertThat(client().take("ojs.queue.default").getProps().getMessageId()).isEqualTo(pending.id());
			assertThat(application.events(pending.id())).containsExactly("job.enqueued");
			assertThatExceptionOfType(IllegalStateTransitionException.class)
				.isThrownBy(() -> application.ojs().activate(pending.id()));
		}
	}

	@Test
	void orderedJobsKeepTheirOrderWithTwoRelays() throws Exception {
		try (Application one = ordered().start(); Application other = ordered().start()) {
			List<String> enqueued = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				Application application = (i % 3 == 0) ? one : other;
				if (i % 10 == 0) {
					enqueued.addAll(application.ojs()
						.enqueueAll(List.of(JobRequest.of("book", i).queue("ledger"),
								JobRequest.of("book", i).queue("ledger")))
						.stream()
						.map(Job::id)
						.toList());
				}
				else {
					enqueued.add(application.ojs().enqueue(JobRequest.of("book", i).queue("ledger")).id());
				}
			}
			await().until(() -> unpublished(one) == 0);
			// A queue with a single active consumer lets nobody fetch from it.
			List<String> published = new CopyOnWriteArrayList<>();
			client().channel()
				.basicConsume("ojs.queue.ledger", true,
						(tag, message) -> published.add(message.getProperties().getMessageId()), (tag) -> {
						});
			await().until(() -> published.size() >= enqueued.size());
			assertThat(published).containsExactlyElementsOf(enqueued);
		}
	}

	private Application.Starter ordered() {
		return database(application()).property("ojs.worker.enabled", false)
			.property("ojs.queues.ledger.ordering", "strict");
	}

	@Test
	void twoRelaysPublishNothingTwice() {
		try (Application one = start(); Application other = start()) {
			Instant due = Instant.now().plus(Duration.ofSeconds(5));
			List<JobRequest> later = IntStream.range(0, 300)
				.mapToObj((i) -> JobRequest.of("later", i).scheduledAt(due))
				.toList();
			List<String> ids = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				((i % 2 == 0) ? one : other).ojs().enqueueAll(later).forEach((job) -> ids.add(job.id()));
			}
			await().until(() -> unpublished(one) == 0);
			assertThat(client().drain("ojs.queue.default")).extracting((message) -> message.getProps().getMessageId())
				.containsExactlyInAnyOrderElementsOf(ids);
		}
	}

	@Test
	void enqueueGoesOnWithoutABroker() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared())) {
			String uri = proxy.uri(ownVirtualHost());
			try (Application one = without(uri); Application other = without(uri)) {
				Job first = one.ojs().enqueue("email.send");
				await().until(() -> unpublished(one) == 0);
				proxy.refuse();
				proxy.reset();
				List<String> ids = new ArrayList<>(List.of(first.id()));
				for (int i = 0; i < 300; i++) {
					ids.add(((i % 2 == 0) ? one : other).ojs().enqueue("email.send", i).id());
				}
				proxy.accept();
				await().atMost(Duration.ofMinutes(2)).until(() -> unpublished(one) == 0);
				// A broker may take longer to confirm than the relay waits.
				assertThat(client().drain("ojs.queue.default")
					.stream()
					.map((message) -> message.getProps().getMessageId())
					.distinct()).containsExactlyInAnyOrderElementsOf(ids);
			}
		}
	}

	private Application without(String uri) {
		return database(Application.on(uri)).property("ojs.worker.enabled", false)
			.property("ojs.store.relay-grace", "3s")
			.property("ojs.reconnect.max-interval", "2s")
			.start();
	}

	@Test
	void jobsThatTheBrokerLostArePublishedAgain() throws Exception {
		try (Application application = database(application()).property("ojs.worker.enabled", false)
			.property("ojs.store.overdue-after", "1s")
			.start()) {
			List<String> ids = Stream.generate(() -> application.ojs().enqueue("email.send").id()).limit(5).toList();
			await().until(() -> unpublished(application) == 0 && client().count("ojs.queue.default") == 5);
			client().channel().queuePurge("ojs.queue.default");
			await().until(() -> client().count("ojs.queue.default") == 5);
			assertThat(client().drain("ojs.queue.default")).extracting((message) -> message.getProps().getMessageId())
				.containsExactlyInAnyOrderElementsOf(ids);
		}
	}

	private static long jobs(Application application) {
		return count(application, "select count(*) from ojs_job");
	}

	private static long unpublished(Application application) {
		return count(application, "select count(*) from ojs_job where published_at is null");
	}

	private static long count(Application application, String sql) {
		Long count = application.bean(JdbcTemplate.class).queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

}
