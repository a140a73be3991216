package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

import org.springframework.core.NestedExceptionUtils;

/**
 * The application could not reach the broker, or lost the connection before the broker
 * answered. {@link #isOutcomeUnknown()} tells whether the broker may have the job.
 */
public class BrokerUnavailableException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final boolean outcomeUnknown;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param outcomeUnknown whether RabbitMQ may have the job
	 * @param cause the cause
	 */
	public BrokerUnavailableException(Job job, boolean outcomeUnknown, Throwable cause) {
		super(ErrorCode.BACKEND_UNAVAILABLE,
				"Job %s for queue '%s' was not confirmed: %s. %s".formatted(job.id(), job.queue(),
						NestedExceptionUtils.getMostSpecificCause(cause).getMessage(),
						outcomeUnknown ? "The broker may have it all the same." : "It was not sent."),
				job, cause);
		this.outcomeUnknown = outcomeUnknown;
	}

	@Override
	public boolean isOutcomeUnknown() {
		return this.outcomeUnknown;
	}

}
