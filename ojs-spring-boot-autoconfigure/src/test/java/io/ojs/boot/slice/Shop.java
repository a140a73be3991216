package io.ojs.boot.slice;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.ojs.client.OjsOperations;
import io.ojs.event.JobEvent;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.middleware.ExecutionMiddlewareCustomizer;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the scan of the shop finds.
 */
final class Shop {

	private Shop() {
	}

	/**
	 * What handlers of the shop have in common.
	 */
	abstract static class Handlers {

		@OjsJobHandler(value = "order.ship", queue = "orders", versions = ">=2.0 <3.0")
		String ship(String order, String by) {
			return order + " by " + by;
		}

	}

	/** Its handler is that of the class above. */
	@Component
	static class Shipping extends Handlers {

	}

	@Component
	static class Mails {

		final List<String> sent = new ArrayList<>();

		private final OjsOperations ojs;

		private final Clock clock;

		Mails(OjsOperations ojs, Clock clock) {
			this.ojs = ojs;
			this.clock = clock;
		}

		@OjsJobHandler(value = "user.signed-up", queue = "mails")
		void welcome(String to) {
			this.ojs.enqueue("email.send", to, Map.of("template", "welcome", "size", 2));
			this.ojs.enqueue(JobRequest.of("email.send", to, Map.of("template", "reminder"))
				.scheduledAt(this.clock.instant().plus(Duration.ofDays(1)))
				.meta("campaign", "first"));
		}

		@OjsJobHandler(value = "email.send", queue = "mails", retry = @OjsRetry(maxAttempts = 3))
		void send(String to, Map<String, Object> mail, JobContext context) {
			if (to.startsWith("busy") && !context.isLastAttempt()) {
				throw new IllegalStateException("The mail server is busy.");
			}
			if (to.startsWith("nobody")) {
				throw new IllegalArgumentException("There is no " + to);
			}
			if (to.startsWith("rude")) {
				Thread.currentThread().interrupt();
			}
			this.sent.add(to + " " + mail.get("template"));
		}

		@OjsJobHandler("again.and-again")
		void again() {
			this.ojs.enqueue("again.and-again");
		}

	}

	@Component
	static class Diary {

		final List<String> told = new ArrayList<>();

		@EventListener
		void on(JobEvent.Completed event) {
			this.told.add(event.job().type());
		}

	}

	@Component
	static class Locale implements EnqueueMiddleware {

		@Override
		public @Nullable Job enqueue(Job job) {
			return job.toBuilder().meta("locale", "de").build();
		}

	}

	@Component
	static class Counting implements ExecutionMiddlewareCustomizer {

		int runs;

		@Override
		public void customize(MiddlewareChain<ExecutionMiddleware> chain) {
			chain.add("counting", (context, next) -> {
				this.runs++;
				return next.proceed(context);
			});
		}

	}

	@Service
	static class Stock {

		private final OjsOperations ojs;

		Stock(OjsOperations ojs) {
			this.ojs = ojs;
		}

		void order(String order) {
			this.ojs.enqueue(JobRequest.of("order.ship", order).version("1.0"));
		}

		/** Not about jobs. */
		@EventListener
		void on(String text) {
		}

	}

	@RestController
	static class Pages {

		Pages(DataSource database) {
			database.hashCode();
		}

	}

	/** Not of a slice. */
	@Configuration(proxyBeanMethods = false)
	static class Partners {

		@Bean
		Object partner() {
			throw new IllegalStateException("There is no network.");
		}

	}

}
