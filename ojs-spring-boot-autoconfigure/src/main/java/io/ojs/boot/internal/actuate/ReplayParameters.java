package io.ojs.boot.internal.actuate;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import io.ojs.job.internal.ForeignText;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a replay. Every method throws an {@link IllegalArgumentException}
 * that names the parameter if its value is invalid.
 */
final class ReplayParameters {

	private static final long DEFAULT_MAX = 1000;

	private static final Set<String> NAMES = new TreeSet<>(
			Set.of("queue", "id", "type", "errorType", "errorCode", "stackHash", "tenant", "deadSince", "deadBefore",
					"dryRun", "max", "rate", "toQueue", "priority", "maxAttempts"));

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

	@Nullable String text(String name) {
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

	@Nullable Instant moment(String name) {
		return value(name, "a point in time with a zone such as 2026-03-15T09:30:00Z",
				(text) -> OffsetDateTime.parse(text).toInstant());
	}

	@Nullable Integer priority() {
		return value("priority", "a whole number such as 10", Integer::valueOf);
	}

	@Nullable Integer maxAttempts() {
		return value("maxAttempts", "a whole number such as 5", Integer::valueOf);
	}

	long max() {
		Long max = value("max", "a whole number such as 100", Long::valueOf);
		return (max != null) ? max : DEFAULT_MAX;
	}

	@Nullable Double rate() {
		return value("rate", "a number of jobs a second such as 50", Double::valueOf);
	}

	boolean dryRun() {
		Boolean dryRun = value("dryRun", "true or false", ReplayParameters::bool);
		return dryRun == null || dryRun;
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
