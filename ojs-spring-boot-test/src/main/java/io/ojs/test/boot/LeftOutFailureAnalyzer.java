package io.ojs.test.boot;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Tells what to do if a bean requires a bean of this library that a test with jobs in
 * memory excludes. It comes before the analyzers that explain why an application lacks
 * such a bean.
 */
@Order(-1)
final class LeftOutFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final Environment environment;

	LeftOutFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		Class<?> wanted = cause.getBeanType();
		if (wanted == null || !wanted.getName().startsWith("io.ojs.")
				|| cause instanceof NoUniqueBeanDefinitionException
				|| !OjsTestImportFilter.isInTest(this.environment)) {
			return null;
		}
		String name = wanted.getSimpleName();
		return new FailureAnalysis(
				"There is no bean %s: jobs are kept in memory by @AutoConfigureOjsTest or @OjsTest, which leave out what carries, stores and works them."
					.formatted(wanted.getName()),
				"Add a field '@MockitoBean %s %s' to the test, or test against a real broker, without @AutoConfigureOjsTest."
					.formatted(name, Character.toLowerCase(name.charAt(0)) + name.substring(1)),
				cause);
	}

}
