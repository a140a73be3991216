package io.ojs.test.boot;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Fails a test that would test nothing: jobs are disabled, or there is no bean of a named
 * component. It runs before beans are created, because a proxy may hide the class of a
 * bean.
 */
final class OjsTestCheck implements BeanFactoryPostProcessor {

	private final Environment environment;

	OjsTestCheck(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		if (!this.environment.getProperty("ojs.enabled", Boolean.class, true)) {
			throw new IllegalStateException("A test of jobs needs ojs.enabled, and it is false. Add properties = "
					+ "\"ojs.enabled=true\" to @OjsTest or @SpringBootTest.");
		}
		Class<?> component = component(0);
		for (int i = 1; component != null; i++) {
			if (!component.isAnnotation() && beans.getBeanNamesForType(component, true, false).length == 0) {
				throw new IllegalStateException(("@OjsTest names %s, and there is no bean of it. Is it annotated with "
						+ "@Component, in a package that the application scans? If it comes from a @Bean method, @Import "
						+ "the @Configuration that has it.")
					.formatted(component.getName()));
			}
			component = component(i);
		}
	}

	private @Nullable Class<?> component(int index) {
		return this.environment.getProperty("%s[%d]".formatted(OjsTestImportFilter.HANDLERS, index), Class.class);
	}

}
