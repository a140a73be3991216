package io.ojs.handler.internal;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.handler.JobContext;
import io.ojs.handler.JobHandler;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.Job;
import io.ojs.job.VersionRange;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Handlers of methods and attempts of jobs, without anything that carries them.
 */
public final class HandlerFixture {

	public static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private static final JsonValues VALUES = new JsonValues(JsonMapper.shared());

	private HandlerFixture() {
	}

	/** The handler that is the method of this name. */
	public static MethodJobHandler handler(Object target, String name) {
		Method method = Arrays.stream(target.getClass().getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(name))
			.findFirst()
			.orElseThrow();
		method.setAccessible(true);
		return new MethodJobHandler(method, (arguments) -> method.invoke(target, arguments), VALUES);
	}

	/** An attempt of a job with these arguments, as JSON has them. */
	public static JobContext attempt(@Nullable Object... args) {
		return attempt(Job.builder(ID, "a.b", "default").args(Arrays.asList(args)).build());
	}

	/** An attempt of a job. */
	public static JobContext attempt(Job job) {
		Map<String, Object> attributes = new HashMap<>();
		return new JobContext() {
			@Override
			public Job job() {
				return job;
			}

			@Override
			public int attempt() {
				return 1;
			}

			@Override
			public int maxAttempts() {
				return 3;
			}

			@Override
			public boolean isCancelled() {
				return false;
			}

			@Override
			public void heartbeat() {
				throw new UnsupportedOperationException();
			}

			@Override
			public void progress(double progress, String message) {
				// Nobody listens.
			}

			@Override
			public Map<String, Object> attributes() {
				return attributes;
			}
		};
	}

	/** A definition that nobody runs. */
	static JobHandlerDefinition definition(String type, String queue, RetryOverrides retry) {
		return new JobHandlerDefinition(type, queue, 0, retry, (context) -> null, "bean 'x', method X." + type);
	}

	/** A definition for some versions. */
	static JobHandlerDefinition definition(String type, String queue, RetryOverrides retry, VersionRange versions,
			JobHandler handler) {
		return new JobHandlerDefinition(type, versions, queue, 0, null, retry, handler,
				"bean 'x', method X.%s of %s".formatted(type, versions));
	}

	/** Handlers that nobody runs. */
	static JobHandlers handlers(JobHandlerDefinition... definitions) {
		return new JobHandlers(List.of(definitions));
	}

}
