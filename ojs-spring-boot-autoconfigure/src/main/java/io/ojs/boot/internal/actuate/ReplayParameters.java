package io.ojs.boot.internal.actuate;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import io.ojs.InvalidField;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.job.internal.ForeignText;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a replay. A method throws an {@link IllegalArgumentException} or an
 * exception with an {@link InvalidField} if a value is invalid.
 */
final class ReplayParameters {

	private static final long DEFAULT_MAX = 1000;

	private static final Set<String> NAMES = new TreeSet<>(
			Set.of("queue", "id", "type", "errorType", "errorCode", "stackHash", "tenant", "deadSince", "deadBefore",
					"dryRun", "max", "rate", "toQueue", "priority", "maxAttempts"));

	/** Parameters by the fields of requests. */
	private static final Map<String, String> BY_FIELD = Map.ofEntries(Map.entry("filter.queue", "queue"),
			Map.entry("filter.ids", "id"), Map.entry("filter.type", "type"),
			Map.entry("filter.error_type", "errorType"), Map.entry("filter.error_code", "errorCode"),
			Map.entry("filter.stack_hash", "stackHash"), Map.entry("filter.since", "deadSince"),
			Map.entry("filter.until", "deadBefore"), Map.entry("limit", "max"), Map.entry("queue", "toQueue"),
			Map.entry("retry.max_attempts", "maxAttempts"));

	private final Map<String, @Nullable String> parameters;

	ReplayParameters(Map<String, @Nullable String> parameters) {
		for (String name : parameters.keySet()) {
			if (!NAMES.contains(name)) {
				throw new IllegalArgumentException("There is no parameter '%s'; those that there are: %s."
					.formatted(name, String.join(", ", NAMES)));
			}
		}
		this.parameters = parameters;
	}

	private @Nullable String text(String name) {
		return this.parameters.get(name);
	}

	String queue() {
		String queue = text("queue");
		if (queue == null) {
			throw new IllegalArgumentException("The parameter 'queue' is missing: name an OJS queue, such as email.");
		}
		return queue;
	}

	@Nullable String tenant() {
		String tenant = text("tenant");
		if (tenant != null && !Tenants.isValid(tenant)) {
			throw new IllegalArgumentException(
					"The parameter 'tenant' %s, but was %s.".formatted(ThreadTenants.RULE, ForeignText.show(tenant)));
		}
		return tenant;
	}

	private @Nullable Instant moment(String name) {
		return value(name, "a point in time with a zone such as 2026-03-15T09:30:00Z",
				(text) -> OffsetDateTime.parse(text).toInstant());
	}

	DeadLetterFilter filter() {
		DeadLetterFilter filter = DeadLetterFilter.ANY.queue(queue())
			.type(text("type"))
			.errorType(text("errorType"))
			.errorCode(text("errorCode"))
			.stackHash(text("stackHash"))
			.since(moment("deadSince"))
			.until(moment("deadBefore"))
			.tenant(tenant());
		String id = text("id");
		return (id != null) ? filter.ids(Set.of(id)) : filter;
	}

	ReplayOptions options() {
		Long max = value("max", "a whole number such as 100", Long::valueOf);
		Double rate = value("rate", "a number of jobs a second such as 50", Double::valueOf);
		ReplayOptions options = dryRun() ? ReplayOptions.DRY_RUN : ReplayOptions.CONFIRMED;
		options = options.limit((max != null) ? max : DEFAULT_MAX).overrides(overrides());
		return (rate != null) ? options.rate(rate) : options;
	}

	private ReplayOverrides overrides() {
		Integer priority = value("priority", "a whole number such as 10", Integer::valueOf);
		Integer maxAttempts = value("maxAttempts", "a whole number such as 5", Integer::valueOf);
		ReplayOverrides overrides = ReplayOverrides.NONE;
		if (text("toQueue") != null) {
			overrides = overrides.queue(text("toQueue"));
		}
		if (priority != null) {
			overrides = overrides.priority(priority);
		}
		return (maxAttempts != null) ? overrides.maxAttempts(maxAttempts) : overrides;
	}

	private boolean dryRun() {
		Boolean dryRun = value("dryRun", "true or false", ReplayParameters::bool);
		return dryRun == null || dryRun;
	}

	/**
	 * Explains why a replay was rejected. Names the parameter, where the field of the
	 * request has another name.
	 */
	static String explain(RuntimeException ex) {
		String parameter = (ex instanceof InvalidField invalid) ? BY_FIELD.get(invalid.field()) : null;
		return (parameter != null) ? "The parameter '%s' is not valid. %s".formatted(parameter, ex.getMessage())
				: String.valueOf(ex.getMessage());
	}

	private static Boolean bool(String text) {
		return switch (text.toLowerCase(Locale.ROOT)) {
			case "true" -> true;
			case "false" -> false;
			default -> throw new IllegalArgumentException(text);
		};
	}

	private <T> @Nullable T value(String name, String what, Function<String, T> parse) {
		String text = text(name);
		if (text == null) {
			return null;
		}
		try {
			return parse.apply(text.strip());
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"The parameter '%s' must be %s, but was '%s'.".formatted(name, what, text), ex);
		}
	}

}
