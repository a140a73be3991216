package io.ojs.test.boot;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.PayloadCodec;
import io.ojs.cron.OjsCron;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.handler.JobUpcaster;
import io.ojs.handler.OjsJobHandler;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.EnqueueMiddlewareCustomizer;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.ExecutionMiddlewareCustomizer;
import io.ojs.tenant.TenantResolver;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.context.event.EventListener;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Excludes from component scanning the components that {@link OjsTest} does not load.
 */
final class OjsTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<OjsTest> {

	/** Types that take part in all jobs. */
	private static final Set<Class<?>> AROUND = Set.of(EnqueueMiddleware.class, EnqueueMiddlewareCustomizer.class,
			ExecutionMiddleware.class, ExecutionMiddlewareCustomizer.class, JobUpcaster.class, TenantResolver.class,
			JobEventListener.class, EncryptionKeys.class, PayloadCodec.class);

	private final Set<Class<?>> handlers;

	private final ClassLoader classLoader;

	OjsTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
		this.handlers = new LinkedHashSet<>(Arrays.asList(getAnnotation().getClassArray("handlers")));
		this.classLoader = testClass.getClassLoader();
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return AROUND;
	}

	@Override
	protected Set<Class<?>> getComponentIncludes() {
		return this.handlers;
	}

	@Override
	protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
		return super.defaultInclude(reader, factory) || (this.handlers.isEmpty() && hasHandlers(reader, factory));
	}

	/** Also looks at superclasses and interfaces. */
	private boolean hasHandlers(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
		AnnotationMetadata type = reader.getAnnotationMetadata();
		if (type.hasAnnotatedMethods(OjsJobHandler.class.getName()) || type.hasAnnotatedMethods(OjsCron.class.getName())
				|| (type.hasAnnotatedMethods(EventListener.class.getName()) && listensToJobs(type.getClassName()))) {
			return true;
		}
		Set<String> above = new LinkedHashSet<>(Arrays.asList(type.getInterfaceNames()));
		if (type.getSuperClassName() != null) {
			above.add(type.getSuperClassName());
		}
		for (String name : above) {
			if (!name.startsWith("java.") && hasHandlers(factory.getMetadataReader(name), factory)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The metadata of a class file has no parameters of methods, so this loads the class.
	 */
	private boolean listensToJobs(String className) {
		Class<?> type = ClassUtils.resolveClassName(className, this.classLoader);
		MethodFilter listening = OjsTypeExcludeFilter::listensToJobs;
		return !MethodIntrospector.selectMethods(type, listening).isEmpty();
	}

	private static boolean listensToJobs(Method method) {
		EventListener listener = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
		if (listener == null) {
			return false;
		}
		Class<?>[] events = (listener.classes().length > 0) ? listener.classes() : method.getParameterTypes();
		return Arrays.stream(events).anyMatch(JobEvent.class::isAssignableFrom);
	}

}
