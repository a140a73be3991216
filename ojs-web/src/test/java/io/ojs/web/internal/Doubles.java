package io.ojs.web.internal;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Test doubles for the interfaces that endpoints call.
 */
public final class Doubles {

	public static final String JOB_ID = "019539a4-0000-7000-8000-000000000001";

	private Doubles() {
	}

	/** Calls are answered by the name of the method and its arguments. */
	public static <T> T of(Class<T> type, BiFunction<String, Object[], @Nullable Object> answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> answer.apply(method.getName(), arguments)));
	}

	/** Any call fails. */
	public static <T> T untouched(Class<T> type) {
		return of(type, (method, arguments) -> {
			throw new AssertionError("%s.%s was called".formatted(type.getSimpleName(), method));
		});
	}

	public static StoredJob job(JobState state, @Nullable String tenant) {
		JobBuilder job = Job.builder(JOB_ID, "a.b", "mail").state(state).attempt(1);
		return new StoredJob(((tenant != null) ? job.meta("tenant_id", tenant) : job).build(), 3, Map.of(), null, null,
				null, 0);
	}

	/** A store with one job. */
	public static JobStore store(StoredJob job) {
		return of(JobStore.class, (method, arguments) -> {
			if (!method.equals("find")) {
				throw new AssertionError("JobStore.%s was called".formatted(method));
			}
			return job.job().id().equals(arguments[0]) ? Optional.of(job) : Optional.empty();
		});
	}

}
