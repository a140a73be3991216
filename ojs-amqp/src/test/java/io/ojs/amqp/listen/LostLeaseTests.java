package io.ojs.amqp.listen;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.message.JobMessages;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobHandlerDefinition;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.handler.Timeouts;
import io.ojs.job.Job;
import io.ojs.json.JsonJobCodec;
import io.ojs.middleware.ExecutionChain;
import io.ojs.queue.LiveQueues;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.trace.JobTracing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A lease that is lost, or a job that is cancelled, between the claim of the job and the
 * start of its handler.
 */
class LostLeaseTests {

	private final JsonJobCodec codec = new JsonJobCodec();

	private final Job job = Job.builder("019539a4-b68c-7def-8000-1a2b3c4d5e6f", "desk.add", "desk").build();

	private final AtomicInteger calls = new AtomicInteger();

	private final Deadlines deadlines = new Deadlines();

	/** What happens when the job is claimed and its handler was not called. */
	private final AtomicReference<Boolean> lost = new AtomicReference<>();

	private final DeliveredProperties properties = new DeliveredProperties(
			new BasicProperties.Builder().contentType(this.codec.contentType()).build());

	@AfterEach
	void stop() {
		this.deadlines.close();
	}

	@Test
	void theHandlerIsNotCalledWithoutALease() {
		this.lost.set(false);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(this::deliver)
			.withMessageContaining(this.job.id());
		assertThat(this.calls).hasValue(0);
		assertThat(run().interruption()).as("what the interceptor settles by").isEqualTo(Interruption.LEASE_LOST);
	}

	@Test
	void norForAJobThatWasCancelled() {
		this.lost.set(true);
		assertThatExceptionOfType(JobCancelledException.class).isThrownBy(this::deliver);
		assertThat(this.calls).hasValue(0);
	}

	@Test
	void whatIsLostAfterTheHandlerHasEndedChangesNothing() throws Exception {
		deliver();
		run().lost(false);
		assertThat(this.calls).hasValue(1);
		assertThat(run().interruption()).isNull();
	}

	private JobRun run() {
		JobRun run = this.properties.run();
		assertThat(run).isNotNull();
		return run;
	}

	private void deliver() throws Exception {
		JobHandlers handlers = new JobHandlers(List.of(new JobHandlerDefinition("desk.add", "desk", 1, null,
				RetryOverrides.NONE, (context) -> this.calls.incrementAndGet(), "test")));
		Supervision supervision = new Supervision(new RunningJobs(), new Timeouts((queue) -> Duration.ofMinutes(1)),
				this.deadlines, WorkerControl.NONE);
		JobEvents events = new JobEvents(List.of((event) -> {
			if (event instanceof JobEvent.Started && this.lost.get() != null) {
				run().lost(this.lost.get());
			}
		}));
		JobRuntime runtime = new JobRuntime(new JobMessages(this.codec), handlers,
				new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers), supervision, events, JobTracing.NONE,
				ExecutionChain.EMPTY, Clock.systemUTC());
		new JobMessageListener("desk", runtime, new Claims("desk", runtime, () -> false), LiveQueues.UNMANAGED)
			.onMessage(new Message(this.codec.encode(this.job), this.properties), null);
	}

}
