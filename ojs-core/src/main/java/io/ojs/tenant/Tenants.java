package io.ojs.tenant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Knows whom each thread works for, and so whose a new job is (OJS Multi-Tenancy §5).
 * Safe for use by many threads; what is said on one holds for that one.
 */
public final class Tenants {

	/** Key of {@code meta}: the tenant whose job it is. */
	public static final String META_KEY = "tenant_id";

	/** Longest id. */
	public static final int MAX_LENGTH = 128;

	/** Nothing belongs to anybody. */
	public static final Tenants OFF = new Tenants(false, false, TenantResolver.NONE);

	/** What {@link #isValid} wants, as the second half of a sentence. */
	public static final String RULE = "must be letters, digits and '._:-', beginning with a letter or digit, at most "
			+ MAX_LENGTH + " characters";

	private static final Pattern ID = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:-]*");

	private final boolean enabled;

	private final boolean required;

	private final TenantResolver resolver;

	/** In no id: the thread works for nobody, whatever the resolver says. */
	private static final String NOBODY = "";

	private final ThreadLocal<String> worksFor = new ThreadLocal<>();

	/**
	 * Creates it.
	 * @param enabled whether jobs belong to tenants
	 * @param required whether each does
	 * @param resolver tells whom a thread works for that has not said so
	 */
	public Tenants(boolean enabled, boolean required, TenantResolver resolver) {
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
	 * Whether something can be the id of a tenant (OJS Multi-Tenancy §5.2).
	 * @param id the id
	 * @return whether it can
	 */
	public static boolean isValid(String id) {
		return id.length() <= MAX_LENGTH && ID.matcher(id).matches();
	}

	/**
	 * Whose a job is.
	 * @param job the job
	 * @return the id of its tenant; empty if it says nothing that could be one
	 */
	public static Optional<String> of(Job job) {
		return of(job.meta());
	}

	/**
	 * Whose something is.
	 * @param meta its {@code meta}
	 * @return the id of its tenant; empty if it says nothing that could be one
	 */
	public static Optional<String> of(Map<String, @Nullable Object> meta) {
		return (meta.get(META_KEY) instanceof String id && isValid(id)) ? Optional.of(id) : Optional.empty();
	}

	/**
	 * Whom this thread works for.
	 * @return the id of the tenant; empty if nobody has said so, and always if jobs do
	 * not belong to tenants
	 * @throws InvalidJobException if the resolver tells what cannot be an id
	 */
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

	/**
	 * Does something for a tenant. Where jobs do not belong to tenants, that is nothing
	 * else than doing it.
	 * @param tenant the id of the tenant
	 * @param work what to do
	 * @throws InvalidJobException if the id cannot be one
	 */
	public void run(String tenant, Runnable work) {
		supply(tenant, () -> {
			work.run();
			return null;
		});
	}

	/**
	 * Does something for a tenant.
	 * @param <T> what comes of it
	 * @param tenant the id of the tenant
	 * @param work what to do
	 * @return what came of it
	 * @throws InvalidJobException if the id cannot be one
	 */
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
	 * Does something for nobody, whatever the resolver says: for an operator.
	 * @param <T> what comes of it
	 * @param work what to do
	 * @return what came of it
	 */
	public <T extends @Nullable Object> T supplyForNobody(Supplier<T> work) {
		String before = this.worksFor.get();
		this.worksFor.set(NOBODY);
		try {
			return work.get();
		}
		finally {
			end(before);
		}
	}

	/**
	 * Does something for the tenant of a job; for nobody if it has none.
	 * @param <T> what comes of it
	 * @param job the job
	 * @param work what to do
	 * @return what came of it
	 * @throws Exception what the work throws
	 */
	public <T extends @Nullable Object> T call(Job job, Callable<T> work) throws Exception {
		if (!this.enabled) {
			return work.call();
		}
		String before = this.worksFor.get();
		this.worksFor.set(of(job).orElse(NOBODY));
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
	 * Says in {@code meta} whose a job is.
	 * @param meta what the job says by itself
	 * @return the same, with the tenant that the thread works for
	 * @throws TenantRequiredException if neither says anything, and one has to
	 * @throws InvalidJobException if the job says what cannot be the id of a tenant, or
	 * another one than the thread works for
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
