package io.ojs.queue.internal.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.event.JobEvent;
import io.ojs.job.JobState;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.IllegalQueueStateException;
import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDeletion;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueExistsException;
import io.ojs.queue.QueueNotEmptyException;
import io.ojs.queue.QueueNotFoundException;
import io.ojs.queue.QueueRateLimit;
import io.ojs.queue.QueueState;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * From the creation of a queue to its deletion (OJS Queue Configuration §5).
 */
class QueueLifecycleTests {

	private final QueueFixture fixture = new QueueFixture();

	private final QueueRegistry registry = this.fixture.registry();

	private final StoreQueues queues = this.fixture.queues(this.registry);

	@Test
	void aQueueIsCreatedOnce() {
		JobQueue queue = this.queues.create("a", size(5));
		assertThat(queue.state()).isEqualTo(QueueState.ACTIVE);
		assertThat(queue.explicit()).isEqualTo(size(5));
		assertThat(queue.config().overflowPolicy()).isEqualTo(OverflowPolicy.REJECT);
		assertThat(queue.createdAt()).isEqualTo(this.fixture.clock.instant());
		assertThat(this.queues.get("a")).isEqualTo(queue);
		assertThatExceptionOfType(QueueExistsException.class).isThrownBy(() -> this.queues.create("a", size(6)))
			.withMessageContaining("'a' exists already and is active. Use configure");
		assertThat(this.fixture.eventNames()).containsExactly("queue.created");
	}

	@Test
	void aQueueThatIsThereByItselfCanBeCreated() {
		this.registry.notice("a");
		this.registry.refresh();
		assertThat(this.queues.create("a", size(5)).explicit()).isEqualTo(size(5));
	}

	@Test
	void aQueueThatIsPausedIsNotCreated() {
		this.registry.notice("a");
		this.registry.refresh();
		this.queues.pause("a");
		assertThatExceptionOfType(QueueExistsException.class).isThrownBy(() -> this.queues.create("a", size(5)))
			.withMessageContaining("is paused");
	}

	@Test
	void aQueueThatOthersHaveCreatedAgainIsNotDeleted() {
		this.queues.create("a", size(5));
		this.queues.drain("a");
		this.fixture.clock.advance(StoreQueues.QUIET);
		StoreQueues elsewhere = this.fixture.queues(this.fixture.registry());
		elsewhere.get("a");
		elsewhere.deleteDrained();
		elsewhere.create("a", size(6));
		this.queues.deleteDrained();
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.ACTIVE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "_default", "A", "dlx.a", "" })
	void badNamesAreRefused(String name) {
		assertThatExceptionOfType(InvalidQueueConfigException.class)
			.isThrownBy(() -> this.queues.create(name, QueueConfig.NONE))
			.withMessageContaining("'name' must")
			.withMessageContaining("but was \"" + name + "\"");
		assertThatExceptionOfType(InvalidQueueConfigException.class).isThrownBy(() -> this.queues.pause(name));
	}

	@Test
	void whatIsNotThereIsNotFound() {
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.queues.get("a"));
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.queues.pause("a"));
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.queues.stats("a"));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.queues.delete("a", new DeletionStrategy.Reject()));
	}

	@Test
	void theQueueThatDeadLettersGoToIsMade() {
		this.queues.create("a", letters("graveyard"));
		assertThat(this.queues.get("graveyard").state()).isEqualTo(QueueState.ACTIVE);
		this.queues.configure("b", letters("cemetery"));
		assertThat(this.queues.get("cemetery").state()).isEqualTo(QueueState.ACTIVE);
		this.queues.setDefaultPolicy(letters("all"));
		assertThat(this.queues.list()).extracting(JobQueue::name)
			.containsExactly("a", "all", "b", "cemetery", "graveyard");
		assertThat(this.queues.get("all").config().deadLetterQueue()).isEqualTo("all");
	}

	@Test
	void deadLettersDoNotGoInACircle() {
		refused("a", "a", "must be another queue");
		this.queues.configure("a", letters("b"));
		refused("b", "a", "must not lead back to where it began: b → a → b");
		this.queues.configure("b", letters("c"));
		refused("c", "a", "c → a → b → c");
		this.queues.setDefaultPolicy(letters("d"));
		refused("d", "c", "d → c → d");
		this.queues.setDefaultPolicy(QueueConfig.NONE);
		this.queues.configure("d", letters("c"));
		assertThatExceptionOfType(InvalidQueueConfigException.class)
			.isThrownBy(() -> this.queues.setDefaultPolicy(letters("d")))
			.withMessageContaining("d → c → d");
		assertThat(this.queues.defaultPolicy().deadLetterQueue()).isNull();
		assertThat(this.fixture.feed).isEqualTo(this.fixture.events);
	}

	@Test
	void deadLettersGoToAQueueThatIsThere() {
		this.queues.create("a", QueueConfig.NONE);
		this.queues.create("b", letters("a"));
		this.queues.drain("a");
		assertThatExceptionOfType(IllegalQueueStateException.class)
			.isThrownBy(() -> this.queues.configure("c", letters("a")))
			.withMessageContaining("'a' is draining and takes no dead letters");
		this.queues.configure("b", size(5));
		assertThat(this.queues.get("b").explicit()).isEqualTo(size(5).over(letters("a")));
	}

	private void refused(String queue, String target, String problem) {
		assertThatExceptionOfType(InvalidQueueConfigException.class)
			.isThrownBy(() -> this.queues.configure(queue, letters(target)))
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("dead_letter_queue"));
	}

	private static QueueConfig letters(String queue) {
		return QueueConfig.builder().deadLetterQueue(queue).build();
	}

	@Test
	@Tag("QC-11.1-3")
	void configureAddsAndChangesAndTakesAway() {
		this.queues.create("a", size(5));
		this.queues.configure("a", QueueConfig.builder().concurrency(2).build());
		assertThat(this.queues.get("a").explicit()).isEqualTo(QueueConfig.builder().maxSize(5L).concurrency(2).build());
		this.queues.configure("a", (before) -> before.toBuilder().maxSize(null).build());
		assertThat(this.queues.get("a").explicit()).isEqualTo(QueueConfig.builder().concurrency(2).build());
		this.queues.configure("a", QueueConfig.builder().concurrency(2).build());
		assertThat(this.fixture.eventNames()).containsExactly("queue.created", "queue.config_updated",
				"queue.config_updated");
	}

	@Test
	void theDefaultPolicyIsReplacedAndNoQueueOfItsOwn() {
		this.queues.setDefaultPolicy(size(5));
		assertThat(this.queues.setDefaultPolicy(QueueConfig.builder().concurrency(2).build()).maxSize()).isZero();
		assertThat(this.queues.list()).isEmpty();
		assertThat(this.fixture.events).extracting(QueueEvent::queue).containsOnly("_default");
	}

	@Test
	@Tag("QC-5.1-1")
	@Tag("QC-11.1-4")
	void aQueueIsPausedAndResumed() {
		this.queues.create("a", QueueConfig.NONE);
		assertThat(this.queues.pause("a").state()).isEqualTo(QueueState.PAUSED);
		assertThat(this.queues.pause("a").state()).isEqualTo(QueueState.PAUSED);
		assertThat(this.queues.resume("a").state()).isEqualTo(QueueState.ACTIVE);
		assertThat(this.fixture.eventNames()).containsExactly("queue.created", "queue.paused", "queue.resumed");
	}

	@Test
	void aQueueThatIsHandedOverIsNotPaused() {
		this.queues.create("foreign", QueueConfig.NONE);
		assertThatExceptionOfType(IllegalQueueStateException.class).isThrownBy(() -> this.queues.pause("foreign"))
			.withMessageContaining("'foreign' is active and cannot be paused: its delivery is hand-over")
			.satisfies((ex) -> assertThat(ex.state()).isEqualTo(QueueState.ACTIVE));
		assertThat(this.queues.get("foreign").state()).isEqualTo(QueueState.ACTIVE);
		assertThat(this.fixture.eventNames()).containsExactly("queue.created");
	}

	@Test
	void aQueueThatIsHandedOverHasNoLimits() {
		QueueConfig kept = QueueConfig.builder().deadLetterTtl(Duration.ofDays(1)).build();
		Map<String, QueueConfig> limits = Map.of("rate_limit",
				QueueConfig.builder().rateLimit(new QueueRateLimit(1, Duration.ofSeconds(1))).build(), "concurrency",
				QueueConfig.builder().concurrency(2).build(), "max_size", QueueConfig.builder().maxSize(10L).build(),
				"max_size_bytes", QueueConfig.builder().maxSizeBytes(1000L).build(), "overflow_policy",
				QueueConfig.builder().overflowPolicy(OverflowPolicy.BLOCK).build());
		limits.forEach((field, limited) -> refuses(field, () -> this.queues.create("foreign", limited)));
		assertThat(this.queues.list()).isEmpty();
		this.queues.create("foreign", kept);
		limits.forEach((field, limited) -> {
			refuses(field, () -> this.queues.configure("foreign", limited));
			refuses(field, () -> this.queues.configure("foreign", (before) -> limited));
			assertThat(this.queues.create("own-" + field.replace('_', '-'), limited).explicit()).isEqualTo(limited);
		});
		assertThat(this.queues.get("foreign").explicit()).isEqualTo(kept);
	}

	private static void refuses(String field, ThrowingCallable change) {
		assertThatExceptionOfType(InvalidQueueConfigException.class).isThrownBy(change)
			.withMessageContaining("hand-over")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	@Test
	@Tag("QC-5.1-3")
	void aDrainedQueueIsDeletedWhenItIsEmptyAndNotBeforeEverybodyKnows() {
		this.queues.create("a", QueueConfig.NONE);
		this.fixture.put("a", JobState.ACTIVE);
		assertThat(this.queues.drain("a").state()).isEqualTo(QueueState.DRAINING);
		assertThatExceptionOfType(IllegalQueueStateException.class).isThrownBy(() -> this.queues.pause("a"))
			.withMessage("Queue 'a' is draining and cannot become paused.");
		this.fixture.clock.advance(Duration.ofMinutes(5));
		this.queues.deleteDrained();
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.DRAINING);
		this.queues.resume("a");
		this.fixture.jobs.clear();
		this.queues.deleteDrained();
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.ACTIVE);
		this.queues.drain("a");
		this.queues.deleteDrained();
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.DRAINING);
		this.fixture.clock.advance(StoreQueues.QUIET);
		this.queues.deleteDrained();
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.queues.get("a"));
		assertThat(this.queues.list()).isEmpty();
		assertThat(this.registry.get("a").state()).isEqualTo(QueueState.DELETED);
		assertThat(this.fixture.eventNames()).endsWith("queue.deleted");
	}

	@Test
	void aDeletedQueueIsCreatedAgainAsANewOne() {
		this.queues.create("a", size(5));
		this.queues.delete("a", new DeletionStrategy.Reject());
		this.fixture.clock.advance(StoreQueues.QUIET);
		this.queues.deleteDrained();
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.queues.configure("a", size(1)));
		JobQueue again = this.queues.create("a", QueueConfig.NONE);
		assertThat(again.explicit()).isEqualTo(QueueConfig.NONE);
		assertThat(again.createdAt()).isEqualTo(this.fixture.clock.instant());
	}

	@Test
	@Tag("QC-5.3-2")
	@Tag("QC-11.1-5")
	void rejectLeavesAQueueThatIsNotEmpty() {
		this.queues.create("a", QueueConfig.NONE);
		this.fixture.put("a", JobState.SCHEDULED);
		assertThatExceptionOfType(QueueNotEmptyException.class)
			.isThrownBy(() -> this.queues.delete("a", new DeletionStrategy.Reject()))
			.withMessageContaining("'a' has 1 jobs that have not ended");
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.ACTIVE);
	}

	@Test
	@Tag("QC-5.3-3")
	@Tag("QC-11.2-6")
	void discardLeavesWhatRuns() {
		this.queues.create("a", QueueConfig.NONE);
		this.fixture.put("a", JobState.AVAILABLE);
		this.fixture.put("a", JobState.ACTIVE);
		QueueDeletion deletion = this.queues.delete("a", new DeletionStrategy.Discard());
		assertThat(deletion.jobsAffected()).isOne();
		assertThat(deletion.state()).isEqualTo(QueueState.DRAINING);
		assertThat(this.fixture.jobs).extracting((job) -> job.job().state())
			.containsExactly(JobState.DISCARDED, JobState.ACTIVE);
	}

	@Test
	void listenersHearOfEveryJobThatIsDiscardedWithItsQueue() {
		this.queues.create("a", QueueConfig.NONE);
		for (int i = 0; i < 501; i++) {
			this.fixture.put("a", JobState.AVAILABLE);
		}
		this.fixture.put("a", JobState.ACTIVE);
		this.queues.delete("a", new DeletionStrategy.Discard());
		assertThat(this.fixture.jobEvents).hasSize(501)
			.allSatisfy((event) -> assertThat(event).isInstanceOfSatisfying(JobEvent.Discarded.class,
					(discarded) -> assertThat(discarded.error().type()).isEqualTo("queue_deleted")));
		assertThat(this.fixture.jobEvents).extracting((event) -> event.job().id()).doesNotHaveDuplicates();
	}

	@Test
	@Tag("QC-5.3-3")
	@Tag("QC-11.2-6")
	void moveTakesJobsToAnotherQueueThatTakesThem() {
		this.queues.create("a", QueueConfig.NONE);
		this.queues.create("closed", QueueConfig.NONE);
		this.queues.drain("closed");
		this.fixture.put("a", JobState.AVAILABLE);
		assertThatExceptionOfType(IllegalQueueStateException.class)
			.isThrownBy(() -> this.queues.delete("a", new DeletionStrategy.Move("closed")));
		assertThatExceptionOfType(InvalidQueueConfigException.class)
			.isThrownBy(() -> this.queues.delete("a", new DeletionStrategy.Move("a")))
			.withMessageContaining("'target_queue' must be another queue");
		assertThatExceptionOfType(InvalidQueueConfigException.class).isThrownBy(() -> new DeletionStrategy.Move("Bad"));
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.ACTIVE);
		assertThat(this.queues.delete("a", new DeletionStrategy.Move("b")).jobsAffected()).isOne();
		assertThat(this.fixture.jobs).extracting((job) -> job.job().queue()).containsExactly("b");
		assertThat(this.queues.list()).extracting(JobQueue::name).isEqualTo(List.of("a", "b", "closed"));
	}

	private static QueueConfig size(long value) {
		return QueueConfig.builder().maxSize(value).build();
	}

}
