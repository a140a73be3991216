package io.ojs.middleware.internal;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.JobContext;
import io.ojs.job.Job;
import io.ojs.middleware.ExecutionMiddleware;
import org.jspecify.annotations.Nullable;

/**
 * Decrypts the arguments of a job for inner middleware and the handler. Outer middleware,
 * listeners and the recording of outcomes see the encrypted job.
 */
public final class Decryption implements ExecutionMiddleware {

	private final JobEncryption encryption;

	public Decryption(JobEncryption encryption) {
		this.encryption = encryption;
	}

	@Override
	public @Nullable Object execute(JobContext context, Next next) throws Exception {
		Job plain = this.encryption.decrypt(context.job());
		return next.proceed((plain != context.job()) ? context.with(plain) : context);
	}

}
