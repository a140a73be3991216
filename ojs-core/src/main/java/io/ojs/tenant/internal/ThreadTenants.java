package io.ojs.tenant.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.tenant.TenantRequiredException;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * The tenants of threads, kept for each thread.
 */
public final class ThreadTenants implements Tenants {

	/** Jobs do not belong to tenants. */
	public static final ThreadTenants OFF = new ThreadTenants(false, false, TenantResolver.NONE);

	/** The rule of {@link #isValid}, as the second half of a sentence. */
	public static final String RULE = "must be letters, digits and '._:-', beginning with a letter or digit, at most "
			+ MAX_LENGTH + " characters";

	private static final Pattern ID = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:-]*");

	private final boolean enabled;

	private final boolean required;

	private final TenantResolver resolver;

	/** Not a valid id: the thread works for no tenant, whatever the resolver returns. */
	private static final String NO_TENANT = "";

	private final ThreadLocal<String> worksFor = new ThreadLocal<>();

	/**
	 * Creates the tenants.
	 * @param enabled whether jobs belong to tenants
	 * @param required whether each job must have a tenant
	 * @param resolver returns the tenant of a thread for which none is set
	 */
	public ThreadTenants(boolean enabled, boolean required, TenantResolver resolver) {
		this.enabled = enabled;
		this.required = required;
		this.resolver = resolver;
	}

	/**
	 * Whether jobs belong to tenants.
	 * @return whether they do
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * Whether a text is a valid id of a tenant (OJS Multi-Tenancy §5.2).
	 * @param id the text
	 * @return whether it is
	 */
	public static boolean isValid(String id) {
		return id.length() <= MAX_LENGTH && ID.matcher(id).matches();
	}

	/**
	 * The tenant of a job or workflow.
	 * @param meta its {@code meta}
	 * @return the id of its tenant; empty if there is none, or no valid one
	 */
	public static Optional<String> of(Map<String, @Nullable Object> meta) {
		return (meta.get(META_KEY) instanceof String id && isValid(id)) ? Optional.of(id) : Optional.empty();
	}

	@Override
	public Optional<String> current() {
		if (!this.enabled) {
			return Optional.empty();
		}
		String said = this.worksFor.get();
		if (said != null) {
			return said.isEmpty() ? Optional.empty() : Optional.of(said);
		}
		Optional<String> resolved = this.resolver.currentTenant();
		resolved.filter((id) -> !isValid(id)).ifPresent((id) -> {
			throw new InvalidJobException("meta." + META_KEY, id, RULE + " (it was told by the TenantResolver)");
		});
		return resolved;
	}

	@Override
	public <T extends @Nullable Object> T supply(String tenant, Supplier<T> work) {
		String before = begin(tenant);
		try {
			return work.get();
		}
		finally {
			end(before);
		}
	}

	/**
	 * Runs work for no tenant, whatever the resolver returns, such as for an operator.
	 * @param <T> the type of the result
	 * @param work the work
	 * @return the result of the work
	 */
	public <T extends @Nullable Object> T supplyForNobody(Supplier<T> work) {
		String before = this.worksFor.get();
		this.worksFor.set(NO_TENANT);
		try {
			return work.get();
		}
		finally {
			end(before);
		}
	}

	/**
	 * Runs work for the tenant of a job, or for no tenant if the job has none.
	 * @param <T> the type of the result
	 * @param job the job
	 * @param work the work
	 * @return the result of the work
	 * @throws Exception if the work throws it
	 */
	public <T extends @Nullable Object> T call(Job job, Callable<T> work) throws Exception {
		if (!this.enabled) {
			return work.call();
		}
		String before = this.worksFor.get();
		this.worksFor.set(Tenants.of(job).orElse(NO_TENANT));
		try {
			return work.call();
		}
		finally {
			end(before);
		}
	}

	private @Nullable String begin(String tenant) {
		if (!isValid(tenant)) {
			throw new InvalidJobException("meta." + META_KEY, tenant, RULE);
		}
		String before = this.worksFor.get();
		this.worksFor.set(tenant);
		return before;
	}

	private void end(@Nullable String before) {
		if (before != null) {
			this.worksFor.set(before);
		}
		else {
			this.worksFor.remove();
		}
	}

	/**
	 * Adds the tenant of this thread to the {@code meta} of a job.
	 * @param meta the {@code meta} of the job
	 * @return the {@code meta} with the tenant
	 * @throws TenantRequiredException if neither the job nor the thread has a tenant, and
	 * one is required
	 * @throws InvalidJobException if the job has an invalid id, or another tenant than
	 * the thread
	 */
	public Map<String, @Nullable Object> meta(Map<String, @Nullable Object> meta) {
		if (!this.enabled) {
			return meta;
		}
		String current = current().orElse(null);
		Object said = meta.get(META_KEY);
		if (said == null) {
			if (current == null) {
				if (this.required) {
					throw new TenantRequiredException();
				}
				return meta;
			}
			Map<String, @Nullable Object> more = new LinkedHashMap<>(meta);
			more.put(META_KEY, current);
			return more;
		}
		if (!(said instanceof String id) || !isValid(id)) {
			throw new InvalidJobException("meta." + META_KEY, said, RULE);
		}
		if (current != null && !current.equals(id)) {
			throw new InvalidJobException("meta." + META_KEY, id,
					"must be '%s', whom the caller works for".formatted(current));
		}
		return meta;
	}

}
