package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * The broker refused a job with a channel error (AMQP binding §10.1). The job was not
 * enqueued, and a retry cannot help, except in an {@link ExchangeNotFoundException}.
 * Missing permissions and exchanges have subclasses. Other codes are mostly 406: the job
 * is larger than the broker allows.
 */
public class JobRefusedException extends EnqueueException {

	/** PRECONDITION_FAILED. For a published job, it is too large. */
	private static final int TOO_LARGE = 406;

	private static final long serialVersionUID = 1L;

	private final int replyCode;

	JobRefusedException(ErrorCode code, Job job, int replyCode, String replyText, String advice) {
		super(code, "Job %s for queue '%s' was refused by the broker: %d %s. %s".formatted(job.id(), job.queue(),
				replyCode, replyText, advice), job, null);
		this.replyCode = replyCode;
	}

	/**
	 * Creates the exception that fits a reply of RabbitMQ.
	 * @param job the job
	 * @param replyCode the reply code of RabbitMQ
	 * @param replyText the reply text of RabbitMQ
	 * @return the exception
	 */
	public static JobRefusedException of(Job job, int replyCode, String replyText) {
		return switch (replyCode) {
			case AccessRefusedException.CODE -> new AccessRefusedException(job, replyText);
			case ExchangeNotFoundException.CODE -> new ExchangeNotFoundException(job, replyText);
			default -> new JobRefusedException(
					(replyCode == TOO_LARGE) ? ErrorCode.PAYLOAD_TOO_LARGE : ErrorCode.BACKEND_ERROR, job, replyCode,
					replyText, "Change the job, or the broker's limits.");
		};
	}

	/**
	 * The AMQP reply code of the broker.
	 * @return the code, such as 406
	 */
	public int replyCode() {
		return this.replyCode;
	}

	@Override
	public boolean isRetryable() {
		return false;
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

}
