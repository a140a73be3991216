package io.ojs.middleware;

import java.util.Map;

import io.ojs.crypto.JobEncryption;
import io.ojs.handler.ArgumentMismatchException;
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
		if (plain == context.job()) {
			return next.proceed(context);
		}
		try {
			return next.proceed(new Decrypted(context, plain));
		}
		catch (ArgumentMismatchException ex) {
			throw ex.hidden();
		}
	}

	/**
	 * An attempt as its handler sees it.
	 *
	 * @param context the attempt as all others see it
	 * @param job the job with its arguments
	 */
	private record Decrypted(JobContext context, Job job) implements JobContext {

		@Override
		public int attempt() {
			return this.context.attempt();
		}

		@Override
		public int maxAttempts() {
			return this.context.maxAttempts();
		}

		@Override
		public boolean isCancelled() {
			return this.context.isCancelled();
		}

		@Override
		public void heartbeat() {
			this.context.heartbeat();
		}

		@Override
		public void progress(double progress, String message) {
			this.context.progress(progress, message);
		}

		@Override
		public Map<String, Object> attributes() {
			return this.context.attributes();
		}

		/** Without the arguments. */
		@Override
		public String toString() {
			return this.context.toString();
		}

	}

}
