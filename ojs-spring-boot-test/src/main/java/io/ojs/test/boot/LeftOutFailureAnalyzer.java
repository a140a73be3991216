package io.ojs.test.boot;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Says what to do where a test keeps jobs in memory, and somebody wants a bean of this
 * library that is left out there. Comes before those that would say why an application
 * has none.
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
