package io.ojs.boot.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.fetch.FetchStore;
import io.ojs.store.internal.attempt.AttemptStore;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;

/**
 * The jobs of applications that serve workers over HTTP, and those of their processes
 * that work the same jobs themselves.
 */
final class HttpCluster {

	static final String QUEUE = "cluster";

	static final String TYPE = "cluster.work";

	static final String RUNS = "test.runs";

	/** How long a worker that fetched has a job of which it is not heard again. */
	static final Duration LEASE = Duration.ofSeconds(8);

	/** Longer than a lease. */
	private static final Duration LONG = LEASE.plusSeconds(2);

	private static final int ONCE = 20;

	private static final int SELDOM = 400;

	private HttpCluster() {
	}

	/** The number from which {@link StoreChaos#id} makes an id. */
	static int number(String id) {
		return (int) UUID.fromString(id).getLeastSignificantBits();
	}

	/** Whoever runs it first, at HTTP or as a handler. */
	static boolean fails(int number, int attempt) {
		return number % ONCE == 0 && attempt == 1;
	}

	static Duration duration(int number) {
		return (number % SELDOM == 3) ? LONG : Duration.ofMillis(5 + 10 * (number % 5));
	}

	/**
	 * Where an instance can be killed whose answer then never comes.
	 */
	static class CrashPoints {

		@Bean
		static BeanPostProcessor aroundFetches() {
			return CrashPoint.around(FetchStore.class);
		}

		@Bean
		static BeanPostProcessor aroundAttempts() {
			return CrashPoint.around(AttemptStore.class);
		}

	}

	/** Writes down each run before anything else. */
	static class Desk {

		private final Path runs;

		Desk(@Value("${" + RUNS + "}") Path runs) {
			this.runs = runs;
		}

		@OjsJobHandler(value = TYPE, queue = QUEUE)
		void work(int number, JobContext context) {
			StoreCrashes.note(this.runs,
					context.job().id() + " " + context.attempt() + " " + System.currentTimeMillis());
			LockSupport.parkNanos(duration(number).toNanos());
			if (fails(number, context.attempt())) {
				throw new IllegalStateException("once");
			}
		}

	}

}
