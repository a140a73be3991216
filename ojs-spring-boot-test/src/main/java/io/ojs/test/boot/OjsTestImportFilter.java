package io.ojs.test.boot;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Excludes the auto-configuration of this library that transports or works jobs, in a
 * test with jobs in memory.
 */
final class OjsTestImportFilter implements AutoConfigurationImportFilter, EnvironmentAware {

	/**
	 * Prefix of the properties that hold the attributes of {@link AutoConfigureOjsTest}.
	 */
	static final String PREFIX = "spring.test.ojs";

	/** Property with the components that {@link OjsTest} names. */
	static final String HANDLERS = PREFIX + ".handlers";

	private static final String OURS = "io.ojs.boot.";

	private static final Set<String> KEPT = Set.of(OURS + "OjsAutoConfiguration",
			OURS + "crypto.OjsEncryptionAutoConfiguration");

	private @Nullable Environment environment;

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public boolean[] match(@Nullable String[] names, AutoConfigurationMetadata metadata) {
		boolean inTest = this.environment != null && isInTest(this.environment);
		boolean[] match = new boolean[names.length];
		for (int i = 0; i < names.length; i++) {
			String name = names[i];
			match[i] = !inTest || name == null || !isLeftOut(name);
		}
		return match;
	}

	static boolean isInTest(Environment environment) {
		return environment.containsProperty(PREFIX + ".mode");
	}

	/** Spring also passes the names of classes that an auto-configuration imports. */
	private static boolean isLeftOut(String name) {
		return name.startsWith(OURS) && name.endsWith("AutoConfiguration") && !KEPT.contains(name);
	}

}
