package io.ojs.amqp.listen;

import java.util.Map;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.message.ReceivedJob;
import io.ojs.amqp.trace.JobSpan;
import io.ojs.event.JobEvent;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.JobHandlerDefinition;
import io.ojs.handler.UnknownJobTypeException;
import io.ojs.job.Job;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
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

	JobMessageListener(String queue, JobRuntime runtime) {
		this.queue = queue;
		this.runtime = runtime;
	}

	@Override
	public void onMessage(Message message, @Nullable Channel channel) throws Exception {
		DeliveredProperties properties = (DeliveredProperties) message.getMessageProperties();
		ReceivedJob received = this.runtime.messages().read(properties.received(), message.getBody());
		Job job = received.job();
		JobRun run = new JobRun(job, received.attempt(), policy(received), this.runtime.events());
		properties.run(run);
		JobHandlerDefinition definition = this.runtime.handlers()
			.find(job.type())
			.orElseThrow(() -> new UnknownJobTypeException(job.type(), this.queue));
		if (job.expiresAt() != null && job.expiresAt().toInstant().isBefore(this.runtime.clock().instant())) {
			throw new JobExpiredException(job.expiresAt());
		}
		run(definition, run, headers(properties));
	}

	/**
	 * What the message says about attempts counts, whatever this application's defaults.
	 */
	private RetryPolicy policy(ReceivedJob received) {
		RetryPolicy policy = this.runtime.retryPolicies().ofReceived(received.job());
		Integer maxAttempts = received.maxAttempts();
		return (maxAttempts != null) ? policy.with(RetryOverrides.NONE.maxAttempts(maxAttempts)) : policy;
	}

	private void run(JobHandlerDefinition definition, JobRun run, Map<String, Object> headers) throws Exception {
		Map<String, String> logFields = Map.of("ojs.job.id", run.job().id(), "ojs.job.type", run.job().type(),
				"ojs.job.queue", this.queue, "ojs.job.attempt", Integer.toString(run.attempt()));
		logFields.forEach(MDC::put);
		JobSpan span = this.runtime.tracing().process(run.job(), this.queue, run.attempt(), headers);
		try {
			this.runtime.events().publish(new JobEvent.Started(run.job(), run.attempt(), run.maxAttempts()));
			run.succeeded(definition.handler().handle(run));
		}
		catch (Throwable ex) {
			span.failed(ex);
			throw ex;
		}
		finally {
			span.close();
			logFields.keySet().forEach(MDC::remove);
		}
	}

	private static Map<String, Object> headers(DeliveredProperties properties) {
		Map<String, Object> headers = properties.received().getHeaders();
		return (headers != null) ? headers : Map.of();
	}

}
