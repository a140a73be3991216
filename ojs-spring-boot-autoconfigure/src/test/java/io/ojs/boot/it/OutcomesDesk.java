package io.ojs.boot.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.client.OjsOperations;
import io.ojs.event.JobEvent;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.JobUpcaster;
import io.ojs.handler.OjsJobHandler;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.JobRejectedException;
import io.ojs.retry.FailureResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/**
 * The application of {@link JobOutcomesContract}.
 */
class OutcomesDesk {

	static final List<JobEvent> told = new CopyOnWriteArrayList<>();

	static final List<String> runs = new CopyOnWriteArrayList<>();

	static final List<String> around = new CopyOnWriteArrayList<>();

	private static volatile Passing passing = (duration) -> {
	};

	private final ObjectProvider<OjsOperations> ojs;

	OutcomesDesk(ObjectProvider<OjsOperations> ojs) {
		this.ojs = ojs;
	}

	static void clear(Passing clock) {
		told.clear();
		runs.clear();
		around.clear();
		passing = clock;
	}

	@EventListener
	void on(JobEvent event) {
		told.add(event);
	}

	@Bean
	EnqueueMiddleware locale() {
		return (job) -> {
			if (job.type().equals("desk.reject")) {
				throw new JobRejectedException("not today");
			}
			return job.type().equals("desk.drop") ? null : job.toBuilder().meta("locale", "de").build();
		};
	}

	@Bean
	ExecutionMiddleware around() {
		return (context, next) -> {
			around.add("before " + context.job().type());
			Object result = next.proceed(context);
			around.add("after " + context.job().type());
			return result;
		};
	}

	@Bean
	JobUpcaster currency() {
		return JobUpcaster.of("desk.price", "<2.0", "2.0", (args) -> {
			args.add("EUR");
			return args;
		});
	}

	@OjsJobHandler("desk.unwritable")
	void unwritable() {
		throw new JobFailedException(FailureResponse.RETRY, "desk.unwritable", "no luck",
				Map.of("lazy", new Unwritable()), null);
	}

	@OjsJobHandler(value = "desk.add", queue = "desk")
	int add(int one, int other, JobContext context) {
		runs.add(context.job().id());
		return one + other;
	}

	@OjsJobHandler(value = "desk.second", queue = "desk")
	String second(String name, JobContext context) {
		if (!context.isLastAttempt()) {
			throw new IllegalStateException(
					"no luck at attempt %d of %d".formatted(context.attempt(), context.maxAttempts()));
		}
		return name + ": " + context.job().errors().get(0).message();
	}

	@OjsJobHandler(value = "desk.fail", queue = "desk", timeout = "1s")
	void fail(String how) throws InterruptedException {
		switch (how) {
			case "state" -> throw new IllegalStateException("no luck");
			case "error" -> throw new StackOverflowError("too deep");
			case "never" -> throw new ArithmeticException("by zero");
			case "dead" -> throw JobFailedException.deadLetter("desk.dead", "no use");
			case "discard" -> throw JobFailedException.discard("desk.gone", "nobody wants it");
			default -> passing.pass(Duration.ofSeconds(3));
		}
	}

	@OjsJobHandler(value = "desk.follow", queue = "desk")
	String follow() {
		return this.ojs.getObject().enqueue("desk.add", 1, 1).id();
	}

	@OjsJobHandler(value = "desk.secret", queue = "desk")
	int secret(String word) {
		return word.length();
	}

	@OjsJobHandler(value = "desk.price", queue = "desk", versions = ">=2.0 <3.0")
	String price(int amount, String currency) {
		return amount + " " + currency;
	}

	@OjsJobHandler(value = "desk.cancel", queue = "desk")
	void cancel(JobContext context) throws InterruptedException {
		this.ojs.getObject().cancel(context.job().id());
		passing.pass(Duration.ofMillis(100));
	}

	@OjsJobHandler(value = "desk.progress", queue = "desk")
	void progress(JobContext context) {
		context.progress(0.5, "half");
	}

	/**
	 * Has time pass.
	 */
	interface Passing {

		void pass(Duration duration) throws InterruptedException;

	}

	/**
	 * What JSON cannot carry.
	 */
	static final class Unwritable {

		public String getName() {
			throw new IllegalStateException("the session is closed");
		}

	}

}
