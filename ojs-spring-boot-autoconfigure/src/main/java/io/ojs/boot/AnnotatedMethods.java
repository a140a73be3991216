package io.ojs.boot;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Finds methods of beans by an annotation. It looks at the classes of beans, behind
 * proxies too, and creates none of them.
 *
 * @param <A> the annotation
 */
final class AnnotatedMethods<A extends Annotation> {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Class<A> annotation;

	AnnotatedMethods(ConfigurableListableBeanFactory beanFactory, Class<A> annotation) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
	}

	/** Those of a bean; of none of its interfaces, and none if it is a scoped target. */
	Map<Method, A> of(String bean) {
		Class<?> type = targetClass(bean);
		// Most beans are Spring's own, and looking through their methods costs time at
		// each start.
		if (type == null || type.getName().startsWith("org.springframework.")
				|| !AnnotationUtils.isCandidateClass(type, this.annotation)) {
			return Map.of();
		}
		return MethodIntrospector.selectMethods(type,
				(MethodIntrospector.MetadataLookup<A>) (method) -> AnnotatedElementUtils.findMergedAnnotation(method,
						this.annotation));
	}

	private @Nullable Class<?> targetClass(String name) {
		if (ScopedProxyUtils.isScopedTarget(name)) {
			return null;
		}
		// What exists already tells best, whatever proxy is around it; the rest is
		// foretold.
		Object existing = this.beanFactory.containsSingleton(name) ? this.beanFactory.getSingleton(name) : null;
		return (existing != null && !(existing instanceof FactoryBean<?>)) ? AopProxyUtils.ultimateTargetClass(existing)
				: AutoProxyUtils.determineTargetClass(this.beanFactory, name);
	}

	/** Where a method was declared, for messages. */
	static String origin(String bean, Method method) {
		return "bean '%s', method %s.%s".formatted(bean, method.getDeclaringClass().getSimpleName(), method.getName());
	}

}
