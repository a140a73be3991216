package io.ojs.boot.internal;

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
 * Finds methods of beans by an annotation. It reads the classes of beans, also behind
 * proxies, and creates no bean.
 *
 * @param <A> the annotation
 */
public final class AnnotatedMethods<A extends Annotation> {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Class<A> annotation;

	public AnnotatedMethods(ConfigurableListableBeanFactory beanFactory, Class<A> annotation) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
	}

	/**
	 * The annotated methods of a bean, inherited ones included; none for the target of a
	 * scoped proxy.
	 */
	public Map<Method, A> of(String bean) {
		Class<?> type = targetClass(bean);
		// Most beans are Spring's own, and a look through their methods costs time at
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
		// An existing singleton has its class behind any proxy; the class of any other
		// bean is determined in advance.
		Object existing = this.beanFactory.containsSingleton(name) ? this.beanFactory.getSingleton(name) : null;
		return (existing != null && !(existing instanceof FactoryBean<?>)) ? AopProxyUtils.ultimateTargetClass(existing)
				: AutoProxyUtils.determineTargetClass(this.beanFactory, name);
	}

	/** The place where a method was declared, for messages. */
	public static String origin(String bean, Method method) {
		return "bean '%s', method %s.%s".formatted(bean, method.getDeclaringClass().getSimpleName(), method.getName());
	}

}
