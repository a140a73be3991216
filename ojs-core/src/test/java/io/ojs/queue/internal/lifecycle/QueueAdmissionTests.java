package io.ojs.queue.internal.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.client.EnqueueException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.job.JobState;
import io.ojs.queue.JobTypeNotAllowedException;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.ProducerNotAllowedException;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDepth;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.QueueNotAcceptingException;
import io.ojs.queue.UnknownQueueException;
import io.ojs.queue.internal.Producers;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.relay.HandOver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Which jobs queues take (OJS Queue Configuration §5, §6.1, §6.5).
 */
class QueueAdmissionTests {

	private final QueueFixture fixture = new QueueFixture();

	private final QueueRegistry registry = this.fixture.registry(QueueConfig.NONE,
			Map.of("declared", QueueConfig.NONE));

	private final StoreQueues queues = this.fixture.queues(this.registry);

	private final QueueAdmission admission = admission(false);

	@Test
	@Tag("QC-5.2-1")
	@Tag("QC-11.1-1")
	void aQueueThatNobodyKnowsComesToBe() {
		enqueue("new");
		assertThat(this.queues.list()).extracting(JobQueue::name).contains("new");
		assertThat(this.fixture.locks).isEmpty();
	}

	private static void admit(QueueAdmission admission, List<EncodedJob> jobs) {
		admission.lock(jobs).admit(jobs);
	}

	@Test
	@Tag("QC-5.2-3")
	@Tag("QC-11.3-1")
	void inStrictModeAQueueMustBeKnown() {
		assertThatExceptionOfType(UnknownQueueException.class)
			.isThrownBy(() -> admit(admission(true), List.of(job("new"))))
			.withMessageContaining("There is no queue 'new', and ojs.strict-queues is true.")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo("INVALID_QUEUE"));
		assertThat(this.queues.list()).extracting(JobQueue::name).containsExactly("declared");
		this.queues.create("new", QueueConfig.NONE);
		assertThatNoException().isThrownBy(() -> admit(admission(true), List.of(job("new"), job("declared"))));
	}

	@Test
	void aPausedQueueTakesJobsAndADrainingOneDoesNot() {
		this.queues.create("a", QueueConfig.NONE);
		this.queues.pause("a");
		enqueue("a");
		this.queues.drain("a");
		assertThatExceptionOfType(QueueNotAcceptingException.class).isThrownBy(() -> enqueue("a"))
			.withMessageContaining("'a' is draining and takes no more jobs")
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse());
		this.fixture.jobs.clear();
		this.fixture.clock.advance(StoreQueues.QUIET);
		this.queues.deleteDrained();
		assertThatExceptionOfType(QueueNotAcceptingException.class).isThrownBy(() -> enqueue("a"))
			.withMessageContaining("is deleted");
	}

	@ParameterizedTest
	@CsvSource({ "payment.*, payment.refund, true", "payment.*, payment.refund.all, true", "payment.*, payment, false",
			"payment.*, payments.refund, false", "*.send, email.send, true", "*.send, email.sent, false",
			"a*c, abc, true", "a*c, ac, true", "a*c, a.b-c, true", "a*c, abcd, false", "email.send, email.send, true",
			"email.send, emailxsend, false", "*, anything, true" })
	void typesAreMatchedByPatterns(String pattern, String type, boolean allowed) {
		this.queues.create("a", QueueConfig.builder().allowedJobTypes(List.of("other", pattern)).build());
		EncodedJob job = this.fixture.job(type, "a", JobState.AVAILABLE, 10);
		if (allowed) {
			assertThatNoException().isThrownBy(() -> admit(this.admission, List.of(job)));
		}
		else {
			assertThatExceptionOfType(JobTypeNotAllowedException.class)
				.isThrownBy(() -> admit(this.admission, List.of(job)))
				.withMessageContaining("takes no jobs of type '%s', only [other, %s]".formatted(type, pattern))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo("JOB_TYPE_NOT_ALLOWED"));
		}
	}

	@Test
	@Tag("QC-6.5-2")
	@Tag("QC-11.3-3")
	void onlyItsProducersMayEnqueue() {
		this.queues.create("a", QueueConfig.builder().producers(List.of("web-*")).build());
		this.admission.authorize(List.of(job("a")));
		this.queues.configure("a", QueueConfig.builder().producers(List.of("batch")).build());
		assertThatExceptionOfType(ProducerNotAllowedException.class)
			.isThrownBy(() -> this.admission.authorize(List.of(job("a"))))
			.withMessageContaining("takes no jobs from 'web-1', only from [batch]");
	}

	@Test
	void onlyQueuesWithLimitsAreLocked() {
		this.queues.create("a", QueueConfig.builder().maxSize(2L).build());
		for (Admission each : List.of(this.admission, HandOver.NONE.before(this.admission))) {
			assertThat(each.locks(List.of(job("b")))).isFalse();
			assertThat(each.locks(List.of(job("b"), job("a")))).isTrue();
		}
		admit(this.admission, List.of(job("b")));
		assertThat(this.fixture.locks).isEmpty();
	}

	@Test
	@Tag("QC-6.1-3")
	void aFullQueueRejects() {
		this.queues.create("a", QueueConfig.builder().maxSize(2L).build());
		enqueue("a");
		enqueue("a");
		assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> enqueue("a"))
			.withMessageContaining("it has 2 jobs of 20 bytes in all, and max_size is 2")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo("QUEUE_FULL"))
			.isInstanceOf(EnqueueException.class);
		assertThat(this.fixture.locks).containsExactly("a", "a", "a");
		QueueEvent full = new QueueEvent.Full("a", new QueueDepth(2, 20), "max_size", 2);
		assertThat(this.fixture.events).as("when it was filled, and not when it refused")
			.hasSize(2)
			.last()
			.isEqualTo(full);
		assertThat(full.data()).isEqualTo(Map.of("queue", "a", "jobs", 2L, "bytes", 20L, "max_size", 2L));
		this.fixture.jobs.remove(0);
		enqueue("a");
		assertThat(this.fixture.events).hasSize(3).last().isEqualTo(full);
		assertThat(this.fixture.feed).isEqualTo(this.fixture.events);
	}

	@Test
	void bytesCountToo() {
		this.queues.create("a", QueueConfig.builder().maxSizeBytes(25L).build());
		enqueue("a");
		enqueue("a");
		assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> enqueue("a"))
			.withMessageContaining("max_size_bytes is 25");
		assertThat(this.fixture.events).last()
			.isEqualTo(new QueueEvent.Full("a", new QueueDepth(2, 20), "max_size_bytes", 25));
	}

	@Test
	void aBatchIsAdmittedWholeOrNotAtAll() {
		this.queues.create("a", QueueConfig.builder().maxSize(2L).build());
		List<EncodedJob> batch = List.of(job("free"), job("a"), job("a"), job("a"));
		assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> admit(this.admission, batch))
			.satisfies((ex) -> assertThat(ex.job()).isEqualTo(batch.get(3).job()));
	}

	@Test
	void locksAreTakenInTheOrderOfNames() {
		this.queues.setDefaultPolicy(QueueConfig.builder().maxSize(5L).build());
		admit(this.admission, List.of(job("c"), job("a"), job("b"), job("a")));
		assertThat(this.fixture.locks).containsExactly("a", "b", "c");
	}

	@Test
	void theOldestJobsThatDoNotRunGo() {
		this.queues.create("a", QueueConfig.builder().maxSize(3L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		this.fixture.put("a", JobState.ACTIVE);
		this.fixture.put("a", JobState.RETRYABLE);
		this.fixture.put("a", JobState.AVAILABLE);
		String oldest = this.fixture.jobs.get(1).job().id();
		enqueue("a");
		assertThat(this.fixture.jobs).hasSize(3).extracting((job) -> job.job().id()).doesNotContain(oldest);
		assertThat(this.fixture.events).last()
			.isInstanceOfSatisfying(QueueEvent.Overflow.class,
					(event) -> assertThat(event.job().id()).isEqualTo(oldest));
		assertThat(this.fixture.feed).isEqualTo(this.fixture.events);
	}

	@Test
	void whatGoesIsToldOfAfterTheCommit() {
		this.queues.create("a", QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		this.fixture.put("a", JobState.AVAILABLE);
		List<Runnable> afterCommit = new ArrayList<>();
		admit(new QueueAdmission(this.registry, this.fixture,
				new QueueEvents(List.of(this.fixture.events::add), this.fixture),
				new AdmissionOptions(false, new Producers("web-1"), Duration.ofMillis(500)), afterCommit::add,
				this.fixture.clock), List.of(job("a")));
		assertThat(this.fixture.eventNames()).containsExactly("queue.created");
		afterCommit.forEach(Runnable::run);
		assertThat(this.fixture.eventNames()).containsExactly("queue.created", "queue.overflow");
	}

	@Test
	void whatCannotGoFillsTheQueue() {
		this.queues.create("a", QueueConfig.builder().maxSize(2L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		this.fixture.put("a", JobState.ACTIVE);
		this.fixture.put("a", JobState.ACTIVE);
		assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> enqueue("a"));
		// More than fits into an empty queue must not empty it.
		this.fixture.jobs.clear();
		this.fixture.put("a", JobState.AVAILABLE);
		assertThatExceptionOfType(QueueFullException.class)
			.isThrownBy(() -> admit(this.admission, List.of(job("a"), job("a"), job("a"))));
		assertThat(this.fixture.jobs).hasSize(1);
	}

	@Test
	@Tag("QC-6.1-5")
	void blockWaitsForRoom() {
		this.queues.create("a", QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.BLOCK).build());
		enqueue("a");
		List<Integer> tries = new ArrayList<>();
		String result = this.admission.patiently(false, () -> {
			tries.add(1);
			if (tries.size() == 3) {
				this.fixture.jobs.clear();
			}
			enqueue("a");
			return "done";
		});
		assertThat(result).isEqualTo("done");
		assertThat(tries).hasSize(3);
		assertThat(this.fixture.eventNames()).as("filled twice")
			.containsExactly("queue.created", "queue.full", "queue.full");
	}

	@Test
	@Tag("QC-6.1-5")
	void blockEndsAfterItsTimeAndDoesNotWaitInATransaction() {
		this.queues.create("a", QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.BLOCK).build());
		enqueue("a");
		List<Integer> tries = new ArrayList<>();
		assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> this.admission.patiently(true, () -> {
			tries.add(1);
			enqueue("a");
			return "done";
		}));
		assertThat(tries).hasSize(1);
		long began = System.nanoTime();
		assertThatExceptionOfType(QueueFullException.class)
			.isThrownBy(() -> this.admission.patiently(false, () -> enqueue("a")));
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(400),
				Duration.ofSeconds(20));
		assertThat(this.fixture.eventNames()).containsExactly("queue.created", "queue.full");
	}

	@Test
	void aProducerThatIsInterruptedWaitsNoLonger() {
		this.queues.create("a", QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.BLOCK).build());
		enqueue("a");
		Thread.currentThread().interrupt();
		assertThatCode(() -> this.admission.patiently(false, () -> enqueue("a")))
			.isInstanceOf(QueueFullException.class);
		assertThat(Thread.interrupted()).isTrue();
	}

	private QueueAdmission admission(boolean strict) {
		return this.fixture.admission(this.registry,
				new AdmissionOptions(strict, new Producers("web-1"), Duration.ofMillis(500)));
	}

	private EncodedJob job(String queue) {
		return this.fixture.job("a.b", queue, JobState.AVAILABLE, 10);
	}

	private boolean enqueue(String queue) {
		EncodedJob job = job(queue);
		admit(this.admission, List.of(job));
		return this.fixture.jobs.add(job);
	}

}
