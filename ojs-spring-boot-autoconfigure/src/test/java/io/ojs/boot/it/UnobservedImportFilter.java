package io.ojs.boot.it;

import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;

/**
 * Leaves Spring Boot's metrics, traces, health, endpoints and security out of an
 * {@link Application} whose test looks at none of them: they are a third of what its
 * start costs.
 */
final class UnobservedImportFilter implements AutoConfigurationImportFilter, EnvironmentAware, PriorityOrdered {

	/** The property that says that an application is started without them. */
	static final String UNOBSERVED = "test.unobserved";

	private static final Pattern OBSERVING = Pattern
		.compile("org\\.springframework\\.boot\\..*(actuate|health|metrics|micrometer|opentelemetry|security).*");

	private boolean unobserved;

	@Override
	public void setEnvironment(Environment environment) {
		this.unobserved = environment.getProperty(UNOBSERVED, Boolean.class, false);
	}

	/** Before Spring Boot looks in all jars for classes that are in none. */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public boolean[] match(@Nullable String[] names, AutoConfigurationMetadata metadata) {
		boolean[] match = new boolean[names.length];
		for (int i = 0; i < names.length; i++) {
			match[i] = !this.unobserved || !OBSERVING.matcher(Objects.requireNonNullElse(names[i], "")).matches();
		}
		return match;
	}

}
