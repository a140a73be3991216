package io.ojs.tenant;

import java.util.Optional;
import java.util.function.Supplier;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * Has the tenant of each thread, and sets the tenant of new jobs (OJS Multi-Tenancy §5).
 * Thread-safe; a tenant that is set applies to the current thread only.
 */
public interface Tenants {

	/** Key of {@code meta}: the id of the job's tenant. */
	String META_KEY = "tenant_id";

	/** The most characters of an id. */
	int MAX_LENGTH = 128;

	/**
	 * Whether a text is a valid id of a tenant (OJS Multi-Tenancy §5.2).
	 * @param id the text
	 * @return whether it is
	 */
	static boolean isValid(String id) {
		return ThreadTenants.isValid(id);
	}

	/**
	 * The tenant of a job.
	 * @param job the job
	 * @return the id of its tenant; empty if there is none, or no valid one
	 */
	static Optional<String> of(Job job) {
		return ThreadTenants.of(job.meta());
	}

	/**
	 * The tenant of this thread.
	 * @return the id of the tenant; empty if there is none, and always if jobs do not
	 * belong to tenants
	 * @throws InvalidJobException if the resolver returns an invalid id
	 */
	Optional<String> current();

	/**
	 * Runs work for a tenant. Has no other effect than to run it if jobs do not belong to
	 * tenants.
	 * @param tenant the id of the tenant
	 * @param work the work
	 * @throws InvalidJobException if the id is invalid
	 */
	default void run(String tenant, Runnable work) {
		supply(tenant, () -> {
			work.run();
			return null;
		});
	}

	/**
	 * Runs work with a result for a tenant.
	 * @param <T> the type of the result
	 * @param tenant the id of the tenant
	 * @param work the work
	 * @return the result of the work
	 * @throws InvalidJobException if the id is invalid
	 */
	<T extends @Nullable Object> T supply(String tenant, Supplier<T> work);

}
