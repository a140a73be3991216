package io.ojs.boot.slice;

import java.util.List;
import java.util.Optional;

import io.ojs.cron.OjsCron;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.PayloadCodec;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobUpcaster;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.EnqueueMiddlewareCustomizer;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.tenant.TenantResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * A component of each other kind that a slice has.
 */
final class Around {

	private Around() {
	}

	@Component
	static class Signing implements EnqueueMiddlewareCustomizer {

		@Override
		public void customize(MiddlewareChain<EnqueueMiddleware> chain) {
		}

	}

	@Component
	static class Timing implements ExecutionMiddleware {

		@Override
		public @Nullable Object execute(JobContext context, Next next) throws Exception {
			return next.proceed(context);
		}

	}

	@Component
	static class Currency implements JobUpcaster {

		@Override
		public String type() {
			return "price.change";
		}

		@Override
		public VersionRange from() {
			return VersionRange.parse("<2.0");
		}

		@Override
		public JobVersion to() {
			return JobVersion.parse("2.0");
		}

		@Override
		public List<@Nullable Object> upcastArgs(List<@Nullable Object> args) {
			return args;
		}

	}

	@Component
	static class Branch implements TenantResolver {

		@Override
		public Optional<String> currentTenant() {
			return Optional.empty();
		}

	}

	@Component
	static class Protocol implements JobEventListener {

		@Override
		public void onEvent(JobEvent event) {
		}

	}

	@Component
	static class Safe implements EncryptionKeys {

		private final EncryptionKey key = EncryptionKey.of("k1", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");

		@Override
		public EncryptionKey active() {
			return this.key;
		}

		@Override
		public Optional<EncryptionKey> find(String id) {
			return Optional.of(this.key);
		}

	}

	@Component
	static class Plain implements PayloadCodec {

		@Override
		public String encoding() {
			return "binary/plain";
		}

		@Override
		public byte[] encode(byte[] plain) {
			return plain;
		}

		@Override
		public byte[] decode(byte[] encoded) {
			return encoded;
		}

	}

	@Component
	static class Nightly {

		@OjsCron(name = "clean", expression = "@daily")
		void clean() {
		}

	}

	@Component
	static class Counter {

		@EventListener(JobEvent.Completed.class)
		void count() {
		}

	}

	@Component
	static class Returns implements Returning {

	}

	/**
	 * Has the handler of whoever takes goods back.
	 */
	interface Returning {

		@OjsJobHandler(value = "order.return", queue = "orders")
		default String takeBack(String order) {
			return order + " is back";
		}

	}

}
