package io.ojs.amqp.internal.listen;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.run.Deadlines;
import io.ojs.amqp.internal.run.Interruption;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.run.RunningJobs;
import io.ojs.amqp.internal.run.Supervision;
import io.ojs.amqp.internal.run.WorkerControl;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.trace.JobSpan;
import io.ojs.internal.trace.JobTracing;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.middleware.internal.ExecutionChain;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a delivery, for each thing that an attempt can come to.
 */
class DeliveryProcessorTests {

	static final Job JOB = Job.builder("019539a4-b68c-7def-8000-1a2b3c4d5e6f", "desk.add", "desk").build();

	private static final Handler NO_LUCK = (context) -> {
		throw new IllegalStateException("no luck");
	};

	private final JsonJobCodec codec = new JsonJobCodec();

	private final RecordingSettler settler = new RecordingSettler();

	/** What was recorded, settled and told, in this order. */
	private final List<String> done = this.settler.done;

	private final ScriptedAttempts store = new ScriptedAttempts(this.done);

	private final List<String> cancelled = new ArrayList<>();

	private final Deadlines deadlines = new Deadlines();

	private final RunningJobs running = new RunningJobs();

	/** What the handler does. */
	private Handler handler = (context) -> this.done.add("run");

	private final PendingOutcomes left = new PendingOutcomes(1, () -> true);

	private JobTracing tracing = JobTracing.NONE;

	/** What happens between the start of an attempt and the call of its handler. */
	private Runnable started = () -> {
	};

	@AfterEach
	void stop() {
		this.deadlines.close();
	}

	@Test
	void jobThatSucceedsIsAcked() {
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "run", "ack", "Completed");
	}

	@Test
	void successThatTheBrokerDoesNotHearOfIsNotTold() {
		this.settler.acks = DeliverySettler.Settlement.NOT_SETTLED;
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "run", "ack");
	}

	@Test
	void messageThatIsNoJobIsADeadLetter() {
		process(new byte[] { '{' }, null);
		assertThat(this.done).containsExactly("dead letter INVALID_PAYLOAD");
	}

	@Test
	void jobThatFailsIsRetried() {
		this.handler = NO_LUCK;
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "retry 2 in PT1S", "Failed", "Retrying");
	}

	@Test
	void retryThatHasNoRetryQueueIsToldAsADeadLetter() {
		this.settler.retries = DeliverySettler.Settlement.DEAD_LETTERED;
		this.handler = NO_LUCK;
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "retry 2 in PT1S", "Failed", "DeadLettered");
	}

	@Test
	void jobThatFailsForGoodIsADeadLetter() {
		this.handler = (context) -> {
			throw JobFailedException.deadLetter("no.luck", "Never.");
		};
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "dead letter HANDLER_ERROR", "Failed", "DeadLettered");
	}

	@Test
	void jobThatIsDiscardedIsAcked() {
		this.handler = (context) -> {
			throw JobFailedException.discard("no.luck", "Never mind.");
		};
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "ack", "Failed", "Discarded");
	}

	@Test
	void jobThatWasCancelledIsNotRun() {
		this.cancelled.add(JOB.id());
		deliver(JOB);
		assertThat(this.done).containsExactly("ack", "Cancelled");
		assertThat(this.cancelled).containsExactly("dropped");
	}

	@Test
	void jobThatIsCancelledWhileItRunsIsAcked() {
		this.handler = (context) -> {
			throw new JobCancelledException(JOB.id(), null);
		};
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "ack", "Cancelled");
	}

	@Test
	void jobThatHasExpiredIsADeadLetterAndNotRun() {
		deliver(JOB.toBuilder().expiresAt(OffsetDateTime.parse("2020-01-01T00:00:00Z")).build());
		assertThat(this.done).containsExactly("dead letter JOB_EXPIRED", "Expired", "DeadLettered");
	}

	@Test
	void jobOfAnotherVersionIsPassedOn() {
		deliver(JOB.toBuilder().extensions(Map.of(JobVersion.FIELD, "7.0")).build());
		assertThat(this.done).containsExactly("pass on");
	}

	@Test
	void handlerThatAStopCutsOffLeavesItsJobToTheBroker() {
		this.handler = this::stopped;
		deliver(JOB);
		assertThat(this.done).containsExactly("Started");
	}

	/**
	 * A stop that cuts off its handlers may be over by then, and the worker started
	 * again.
	 */
	@Test
	void norIsItsJobLostIfTheWorkerHasStartedAgain() {
		this.handler = (context) -> {
			this.running.of("desk").forEach((job) -> ((JobRun) job).interrupt(Interruption.STOPPED));
			throw new InterruptedException();
		};
		deliver(JOB);
		assertThat(this.done).containsExactly("Started");
	}

	@Test
	void whateverIsThrownAroundTheHandlerIsAFailureOfTheJob() {
		this.store.claim = this.store.taken(1, false);
		this.tracing = new BrokenTracing();
		deliverStored();
		assertThat(this.done).containsExactly("record Retried", "postpone PT1S", "Failed", "Retrying");
	}

	@Test
	void interruptOfTheHandlersMakingStaysWithin() {
		this.handler = (context) -> {
			Thread.currentThread().interrupt();
			return null;
		};
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "ack", "Completed");
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void interruptOfAStopIsKept() {
		this.handler = (context) -> {
			this.settler.stopping = true;
			Thread.currentThread().interrupt();
			return null;
		};
		deliver(JOB);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void withAStoreTheOutcomeIsRecordedBeforeTheMessageIsSettled() {
		this.store.claim = this.store.taken(1, false);
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "record Completed", "ack", "Completed");
		this.done.clear();
		this.handler = NO_LUCK;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "record Retried", "postpone PT1S", "Failed", "Retrying");
		this.done.clear();
		this.store.claim = this.store.taken(3, true);
		deliverStored();
		assertThat(this.done).containsExactly("Started", "record EXHAUST", "dead letter HANDLER_ERROR", "Failed",
				"RetryExhausted", "DeadLettered");
	}

	@Test
	void whatIsRecordedIsToldWhateverBecomesOfTheMessage() {
		this.store.claim = this.store.taken(1, true);
		this.settler.acks = DeliverySettler.Settlement.NOT_SETTLED;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "record Completed", "ack", "Completed");
	}

	@Test
	void jobThatTheStoreDoesNotGiveIsNotRun() {
		this.store.claim = new Claim.Duplicate(JobState.COMPLETED);
		deliverStored();
		assertThat(this.done).containsExactly("ack");
	}

	@Test
	void storeThatCannotBeAskedUntilTheStopLeavesTheJobToTheBroker() {
		this.settler.stopping = true;
		deliverStored();
		assertThat(this.done).isEmpty();
	}

	@Test
	void outcomeOfALeaseThatIsOverCountsForNothing() {
		this.store.claim = this.store.taken(1, false);
		this.store.valid = false;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "record Completed", "ack");
	}

	@Test
	void jobThatWasCancelledInTheStoreMeanwhileIsToldSo() {
		this.store.claim = this.store.taken(1, true);
		this.store.valid = false;
		this.store.state = JobState.CANCELLED;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "record Completed", "ack", "Cancelled");
		assertThat(this.cancelled).containsExactly("dropped");
	}

	@Test
	void leaseThatIsLostWhileTheHandlerRunsLeavesNothingToRecord() {
		this.store.claim = this.store.taken(1, false);
		this.handler = (context) -> {
			this.running.of("desk").forEach((job) -> ((JobRun) job).lost(false));
			throw new IllegalStateException("interrupted");
		};
		deliverStored();
		assertThat(this.done).containsExactly("Started", "ack");
	}

	@Test
	void handlerIsNotCalledWithoutALease() {
		assertThat(runLost(false)).isInstanceOf(AttemptResult.LeaseLost.class);
		assertThat(this.done).containsExactly("Started");
	}

	@Test
	void norForAJobThatWasCancelled() {
		assertThat(runLost(true)).isInstanceOf(AttemptResult.Cancelled.class);
		assertThat(this.done).containsExactly("Started");
	}

	/**
	 * A run that is lost, or cancelled, between its claim and the call of its handler.
	 */
	private AttemptResult runLost(boolean cancelled) {
		JobRuntime runtime = runtime(this.store);
		JobRun run = new JobRun(JOB, 1, RetryPolicy.DEFAULT, runtime, new Lease(JOB.id(), 1), false, false);
		this.started = () -> run.lost(cancelled);
		return new AttemptRunner("desk", runtime, LiveQueues.UNMANAGED, () -> false)
			.run(delivery(this.codec.encode(JOB)), run);
	}

	@Test
	void leaseThatIsLostAfterTheHandlerHasEndedChangesNothing() {
		JobRun run = new JobRun(JOB, 1, RetryPolicy.DEFAULT, runtime(null));
		assertThat(run.begin()).isTrue();
		run.end();
		run.lost(false);
		assertThat(run.interruption()).isNull();
	}

	@Test
	void stopGivesTheJobBackInTheStore() {
		this.store.claim = this.store.taken(1, false);
		this.handler = this::stopped;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "record Released");
	}

	@Test
	void stopLeavesTheMessageToTheBrokerIfTheStoreSaysThatTheLeaseIsOver() {
		this.store.claim = this.store.taken(1, false);
		this.store.valid = false;
		this.handler = this::stopped;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "record Released");
	}

	@Test
	void jobWhoseVersionHasChangedSinceGoesBackToTheStore() {
		Job other = JOB.toBuilder()
			.extensions(Map.of(JobVersion.FIELD, "7.0"))
			.state(JobState.ACTIVE)
			.attempt(1)
			.build();
		Claim.Taken taken = this.store.taken(1, false);
		this.store.claim = new Claim.Taken(new StoredJob(other, 3, Map.of(), null, null, null, 0), taken.lease(), false,
				false);
		deliverStored();
		assertThat(this.done).containsExactly("Started", "record Released", "ack");
	}

	@Test
	void outcomeThatTheStoreRefusesMakesADeadLetter() {
		this.store.claim = this.store.taken(1, true);
		this.store.refuses = 1;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "record REJECT", "dead letter HANDLER_ERROR", "Failed",
				"DeadLettered");
	}

	@Test
	void neitherDoesItGetStuckIfTheStoreRefusesThatToo() {
		this.store.claim = this.store.taken(1, false);
		this.store.refuses = Integer.MAX_VALUE;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "dead letter HANDLER_ERROR", "Failed", "DeadLettered");
	}

	@Test
	void runThatIsNoLongerValidWhenItsOutcomeIsRefusedIsLeftAlone() {
		this.store.claim = this.store.taken(1, true);
		this.store.refuses = 1;
		this.store.valid = false;
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "record REJECT", "ack");
	}

	@Test
	void outcomeThatIsNotRecordedBeforeTheStopLeavesTheMessageToTheBroker() {
		this.store.claim = this.store.taken(1, true);
		this.store.away = true;
		this.handler = (context) -> {
			this.settler.stopping = true;
			return null;
		};
		deliverStored();
		assertThat(this.done).containsExactly("Started");
	}

	@Test
	void deliveryThatCannotBeSettledIsNackedOnce() {
		this.settler.broken = true;
		deliver(JOB);
		assertThat(this.done).containsExactly("Started", "run", "ack", "nack");
		this.done.clear();
		this.store.claim = this.store.taken(1, false);
		deliverStored();
		assertThat(this.done).containsExactly("Started", "run", "record Completed", "ack", "nack");
	}

	@Test
	void placeAmongOutcomesThatAreLeftIsGivenBack() {
		this.store.claim = this.store.taken(1, false);
		for (int i = 0; i < 3; i++) {
			deliverStored();
			assertThat(this.left.enter()).isTrue();
			this.left.left();
		}
	}

	/** A handler that the stop of its worker interrupts. */
	private @Nullable Object stopped(JobContext context) throws InterruptedException {
		this.settler.stopping = true;
		throw new InterruptedException();
	}

	private void deliver(Job job) {
		process(this.codec.encode(job), null);
	}

	private void deliverStored() {
		process(this.codec.encode(JOB), this.store);
	}

	private void process(byte[] body, @Nullable ScriptedAttempts attempts) {
		JobRuntime runtime = runtime(attempts);
		BooleanSupplier stopping = () -> this.settler.stopping;
		OutcomeRecorder recorder = new OutcomeRecorder(runtime.supervision().attempts(), stopping, this.left);
		DeliverySource<BrokerDelivery> source = new BrokerDeliveries(runtime, new Claims("desk", runtime, stopping),
				this.settler);
		new DeliveryProcessor<>(runtime, source, new AttemptRunner("desk", runtime, LiveQueues.UNMANAGED, stopping),
				recorder, stopping)
			.process(delivery(body));
	}

	private BrokerDelivery delivery(byte[] body) {
		BasicProperties properties = new BasicProperties.Builder().contentType(this.codec.contentType()).build();
		return new BrokerDelivery(Shard.whole("desk"), channel(),
				new Message(body, new DeliveredProperties(properties)));
	}

	private JobRuntime runtime(@Nullable ScriptedAttempts attempts) {
		JobHandlers handlers = new JobHandlers(
				List.of(new JobHandlerDefinition("desk.add", VersionRange.only(JobVersion.LOWEST), "desk", 1, null,
						RetryOverrides.NONE, (context) -> this.handler.handle(context), "test")));
		Supervision supervision = new Supervision(this.running, new Timeouts((queue) -> Duration.ofMinutes(1)),
				this.deadlines, new Cancelled(), (attempts != null) ? attempts.attempts() : null);
		JobEvents events = new JobEvents(List.of((event) -> {
			this.done.add(event.getClass().getSimpleName());
			if (event instanceof JobEvent.Started) {
				this.started.run();
			}
		}));
		RetryPolicy policy = RetryPolicy.DEFAULT.with(RetryOverrides.NONE.jitter(false));
		return new JobRuntime(new JobMessages(this.codec), handlers, new RetryPolicies((queue) -> policy, handlers),
				supervision, events, this.tracing, ExecutionChain.EMPTY, Clock.systemUTC());
	}

	private static Channel channel() {
		return (Channel) Proxy.newProxyInstance(Channel.class.getClassLoader(), new Class<?>[] { Channel.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("isOpen")) {
						return true;
					}
					throw new UnsupportedOperationException(method.getName());
				});
	}

	/**
	 * What a handler does.
	 */
	private interface Handler {

		@Nullable Object handle(JobContext context) throws Exception;

	}

	/**
	 * Makes no spans.
	 */
	private static final class BrokenTracing implements JobTracing {

		@Override
		public JobSpan enqueue(String type) {
			throw new UnsupportedOperationException();
		}

		@Override
		public JobSpan process(Job job, String queue, int attempt, Map<String, ?> headers) {
			throw new IllegalStateException("no span");
		}

	}

	/**
	 * Knows what was cancelled, and what was dropped.
	 */
	private final class Cancelled implements WorkerControl {

		@Override
		public boolean isCancelled(String jobId) {
			return DeliveryProcessorTests.this.cancelled.contains(jobId);
		}

		@Override
		public void dropped(String jobId) {
			DeliveryProcessorTests.this.cancelled.clear();
			DeliveryProcessorTests.this.cancelled.add("dropped");
		}

		@Override
		public void heartbeat(Job job) {
			// Nothing hears it.
		}

	}

}
