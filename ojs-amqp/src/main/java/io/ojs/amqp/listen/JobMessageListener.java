package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.message.ReceivedJob;
import io.ojs.trace.JobSpan;
import io.ojs.event.Transition;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.JobHandlerDefinition;
import io.ojs.handler.JobNotAdmittedException;
import io.ojs.handler.JobTimeoutException;
import io.ojs.handler.UnknownJobTypeException;
import io.ojs.job.Job;
import io.ojs.queue.LiveQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * Runs the handler of a job. Settles nothing: {@link RetryInterceptor}, which is around
 * it, does.
 */
final class JobMessageListener implements ChannelAwareMessageListener {

	private final String queue;

	private final JobRuntime runtime;

	private final Claims claims;

	private final LiveQueues live;

	JobMessageListener(String queue, JobRuntime runtime, Claims claims, LiveQueues live) {
		this.queue = queue;
		this.runtime = runtime;
		this.claims = claims;
		this.live = live;
	}

	@Override
	public void onMessage(Message message, @Nullable Channel channel) throws Exception {
		DeliveredProperties properties = (DeliveredProperties) message.getMessageProperties();
		ReceivedJob received = this.runtime.messages().read(properties.received(), message.getBody());
		JobRun run = this.claims.claim(received, properties.received(), channel);
		properties.run(run);
		Map<String, String> logFields = Map.of("ojs.job.id", run.job().id(), "ojs.job.type", run.job().type(),
				"ojs.job.queue", this.queue, "ojs.job.attempt", Integer.toString(run.attempt()));
		logFields.forEach(MDC::put);
		try {
			JobHandlerDefinition definition = this.runtime.handlers().find(run.job()).orElse(null);
			// With a job store, the attempt has begun: the store has decided.
			if (run.lease() == null) {
				check(run.job(), definition, true);
			}
			run(definition, run, properties);
		}
		finally {
			logFields.keySet().forEach(MDC::remove);
		}
	}

	/** Whether a job may run here, and now. */
	private void check(Job job, @Nullable JobHandlerDefinition definition, boolean mayExpire) {
		if (this.runtime.supervision().control().isCancelled(job.id())) {
			throw new JobCancelledException(job.id(), null);
		}
		if (mayExpire && job.expiresAt() != null
				&& job.expiresAt().toInstant().isBefore(this.runtime.clock().instant())) {
			throw new JobExpiredException(job.expiresAt());
		}
		if (definition == null && this.runtime.handlers().find(job.type()).isPresent()) {
			throw new VersionNotHandledException(job);
		}
	}

	private void run(@Nullable JobHandlerDefinition definition, JobRun run, DeliveredProperties properties)
			throws Exception {
		Job job = run.job();
		JobSpan span = this.runtime.tracing().process(job, this.queue, run.attempt(), headers(properties));
		try {
			run.started();
			this.runtime.events().publish(run.as(Transition.START));
			check(job, definition, false);
			if (run.isAdopted()) {
				this.live.get(this.queue)
					.refusal(job, JobMessages.producer(properties.received()))
					.ifPresent((refusal) -> {
						throw new JobNotAdmittedException(refusal);
					});
			}
			if (definition == null) {
				throw new UnknownJobTypeException(job.type(), this.queue);
			}
			run.succeeded(handle(definition, run));
		}
		catch (Throwable ex) {
			span.failed(ex);
			throw ex;
		}
		finally {
			span.close();
		}
	}

	private @Nullable Object handle(JobHandlerDefinition definition, JobRun run) throws Exception {
		Duration timeout = this.runtime.supervision().timeouts().of(run.job(), definition);
		Future<?> deadline = null;
		Object result;
		if (!run.begin()) {
			throw (run.interruption() == Interruption.CANCELLED) ? new JobCancelledException(run.job().id(), null)
					: new IllegalStateException("The lease on job %s ended before its handler began: %s."
						.formatted(run.job().id(), run.interruption()));
		}
		this.runtime.supervision().running().add(run);
		try {
			deadline = this.runtime.supervision().deadlines().watch(run, timeout);
			if (this.runtime.supervision().control().isCancelled(run.job().id())) {
				// It came just now, perhaps too early to find this attempt.
				throw new JobCancelledException(run.job().id(), null);
			}
			result = this.runtime.chain().execute(run, definition.handler());
		}
		catch (Throwable ex) {
			run.end();
			if (run.interruption() == Interruption.CANCELLED) {
				throw new JobCancelledException(run.job().id(), ex);
			}
			if (run.interruption() == Interruption.TIMED_OUT) {
				throw new JobTimeoutException(timeout, ex);
			}
			throw ex;
		}
		finally {
			run.end();
			if (deadline != null) {
				deadline.cancel(false);
			}
			this.runtime.supervision().running().remove(run);
		}
		if (run.interruption() == Interruption.TIMED_OUT) {
			// It was told that it has failed, and others may have been told so too.
			throw new JobTimeoutException(timeout, null);
		}
		return result;
	}

	private static Map<String, Object> headers(DeliveredProperties properties) {
		Map<String, Object> headers = properties.received().getHeaders();
		return (headers != null) ? headers : Map.of();
	}

}
