package io.ojs.boot;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * Rejects a bean of the application whose interface the library has a bean of, and gives
 * no way: the library would not use the second bean, and the application may get either.
 * Asks the library's own definitions, so that a new bean needs no check of its own.
 */
final class SecondBeanCheck implements BeanFactoryPostProcessor {

	private static final Pattern LIBRARY = Pattern.compile("io\\.ojs\\.boot\\..*AutoConfiguration(\\$.*)?");

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		for (String name : beans.getBeanDefinitionNames()) {
			MethodMetadata method = libraryMethod(beans, name);
			if (method != null && !method.isAnnotated(ConditionalOnMissingBean.class.getName())) {
				called(beans.getType(name, false)).forEach((type) -> check(beans, type, name));
			}
		}
	}

	/** Returns the method that makes a bean of the library; {@code null} for others. */
	private static @Nullable MethodMetadata libraryMethod(ConfigurableListableBeanFactory beans, String name) {
		MethodMetadata method = (beans.containsBeanDefinition(name)
				&& beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition definition)
						? definition.getFactoryMethodMetadata() : null;
		return (method != null && LIBRARY.matcher(method.getDeclaringClassName()).matches()) ? method : null;
	}

	/**
	 * The interfaces of the API that applications inject. Those that they implement are
	 * functional.
	 */
	static List<Class<?>> called(@Nullable Class<?> type) {
		return (type != null) ? Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
			.filter((each) -> each.getName().startsWith("io.ojs.") && !each.getName().contains(".internal.")
					&& !each.isAnnotationPresent(FunctionalInterface.class))
			.toList() : List.of();
	}

	private static void check(ConfigurableListableBeanFactory beans, Class<?> type, String ours) {
		for (String name : beans.getBeanNamesForType(type, true, false)) {
			if (libraryMethod(beans, name) == null) {
				throw new InvalidConfigurationException(
						"The bean '%s' is a second %s. Applications cannot replace that of the library, '%s'."
							.formatted(name, type.getName(), ours),
						("Remove the bean '%s', or let its class call '%s' and not implement %s. The page src/docs/api.md "
								+ "of the library lists the beans that applications can replace, and the interfaces that "
								+ "they can implement.")
							.formatted(name, ours, type.getSimpleName()),
						null);
			}
		}
	}

}
