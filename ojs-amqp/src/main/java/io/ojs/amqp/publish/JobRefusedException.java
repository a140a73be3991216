package io.ojs.amqp.publish;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * The broker refused a job with a channel error (AMQP binding §10.1). It was not
 * enqueued, and trying again cannot help. Missing permissions and exchanges have types of
 * their own; what remains is most often 406, a job larger than the broker takes.
 */
public class JobRefusedException extends EnqueueException {

	/** PRECONDITION_FAILED: of a job that is published, its size. */
	private static final int TOO_LARGE = 406;

	private static final long serialVersionUID = 1L;

	private final int replyCode;

	JobRefusedException(ErrorCode code, Job job, int replyCode, String replyText, String advice) {
		super(code, "Job %s for queue '%s' was refused by the broker: %d %s. %s".formatted(job.id(), job.queue(),
				replyCode, replyText, advice), job, null);
		this.replyCode = replyCode;
	}

	static JobRefusedException of(Job job, int replyCode, String replyText) {
		return switch (replyCode) {
			case AccessRefusedException.CODE -> new AccessRefusedException(job, replyText);
			case ExchangeNotFoundException.CODE -> new ExchangeNotFoundException(job, replyText);
			default -> new JobRefusedException(
					(replyCode == TOO_LARGE) ? ErrorCode.PAYLOAD_TOO_LARGE : ErrorCode.BACKEND_ERROR, job, replyCode,
					replyText, "Change the job, or the broker's limits.");
		};
	}

	/**
	 * What the broker answered.
	 * @return an AMQP reply code, such as 406
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
