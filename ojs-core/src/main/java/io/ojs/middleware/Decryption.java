package io.ojs.middleware;

import io.ojs.crypto.JobEncryption;
import io.ojs.handler.JobContext;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Gives those behind it the arguments of an encrypted job. Nobody else sees them: neither
 * listeners, nor whoever records what becomes of the attempt.
 */
public final class Decryption implements ExecutionMiddleware {

	private final JobEncryption encryption;

	/**
	 * Creates it.
	 * @param encryption decrypts arguments
	 */
	public Decryption(JobEncryption encryption) {
		this.encryption = encryption;
	}

	@Override
	public @Nullable Object execute(JobContext context, Next next) throws Exception {
		Job plain = this.encryption.decrypt(context.job());
		return next.proceed((plain != context.job()) ? context.with(plain) : context);
	}

}
