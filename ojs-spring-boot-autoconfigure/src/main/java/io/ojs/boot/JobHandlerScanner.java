package io.ojs.boot;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.boot.internal.AnnotatedMethods;
import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.JobUpcasters;
import io.ojs.handler.internal.MethodJobHandler;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.JobRules;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;

/**
 * Finds the methods that are annotated with {@link OjsJobHandler}. It reads the classes
 * of beans and creates no bean: a lazy bean stays lazy until its first job.
 *
 * <p>
 * A class can hide behind the interface that its {@code @Bean} method declares. Once all
 * beans exist, the scanner notices such a handler, and the application does not start.
 */
final class JobHandlerScanner implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final JsonValues values;

	private final AnnotatedMethods<OjsJobHandler> methods;

	private @Nullable JobHandlers handlers;

	JobHandlerScanner(ConfigurableListableBeanFactory beanFactory, JsonValues values) {
		this.beanFactory = beanFactory;
		this.values = values;
		this.methods = new AnnotatedMethods<>(beanFactory, OjsJobHandler.class);
	}

	/**
	 * Finds all handlers.
	 * @param upcasters convert older jobs to versions that handlers take
	 * @return the handlers
	 * @throws InvalidJobHandlerException if a handler is invalid
	 */
	JobHandlers scan(JobUpcasters upcasters) {
		List<JobHandlerDefinition> definitions = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			this.methods.of(name)
				.forEach((method, annotation) -> definitions.add(definition(name, method, annotation)));
		}
		this.handlers = new JobHandlers(definitions, upcasters);
		return this.handlers;
	}

	private JobHandlerDefinition definition(String bean, Method method, OjsJobHandler annotation) {
		String origin = AnnotatedMethods.origin(bean, method);
		if (annotation.concurrency() < 0) {
			throw new InvalidJobHandlerException(origin, "its concurrency is %d.".formatted(annotation.concurrency()),
					"Set it to 1 or more, or remove it.", null);
		}
		try {
			String queue = resolve(annotation.queue());
			return new JobHandlerDefinition(resolve(annotation.value()),
					VersionRange.parse(resolve(annotation.versions())),
					queue.isEmpty() ? JobRules.DEFAULT_QUEUE : queue, annotation.concurrency(),
					timeout(annotation.timeout()), retry(annotation.retry()),
					new MethodJobHandler(method, new BeanMethodInvoker(this.beanFactory, bean, method), this.values),
					origin);
		}
		catch (InvalidJobException | IllegalArgumentException ex) {
			throw new InvalidJobHandlerException(origin, ex.getMessage(),
					"Change the @OjsJobHandler annotation of that method.", ex);
		}
	}

	private String resolve(String text) {
		String resolved = this.beanFactory.resolveEmbeddedValue(text);
		return (resolved != null) ? resolved : "";
	}

	private RetryOverrides retry(OjsRetry retry) {
		return new RetryOverrides((retry.maxAttempts() >= 0) ? retry.maxAttempts() : null,
				duration(retry.initialInterval()),
				(retry.backoffCoefficient() >= 0) ? retry.backoffCoefficient() : null, duration(retry.maxInterval()),
				(retry.jitter().length > 0) ? retry.jitter()[0] : null,
				(retry.nonRetryableErrors().length > 0) ? List.of(retry.nonRetryableErrors()) : null,
				(retry.onExhaustion().length > 0) ? retry.onExhaustion()[0] : null,
				(retry.backoffStrategy().length > 0) ? retry.backoffStrategy()[0] : null, Map.of());
	}

	private @Nullable Duration timeout(String text) {
		Duration timeout = duration(text);
		if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
			throw new IllegalArgumentException("its timeout is %s, which is not longer than zero.".formatted(timeout));
		}
		return timeout;
	}

	private @Nullable Duration duration(String text) {
		String resolved = resolve(text);
		return resolved.isEmpty() ? null : DurationStyle.detectAndParse(resolved);
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.handlers == null) {
			return;
		}
		for (String name : this.beanFactory.getBeanNamesForType(Object.class, false, false)) {
			if (this.beanFactory.containsSingleton(name)) {
				this.methods.of(name).forEach((method, annotation) -> check(name, method, annotation, this.handlers));
			}
		}
	}

	private void check(String bean, Method method, OjsJobHandler annotation, JobHandlers found) {
		String origin = AnnotatedMethods.origin(bean, method);
		boolean known = found.all(resolve(annotation.value()))
			.stream()
			.anyMatch((definition) -> definition.origin().equals(origin));
		if (!known) {
			throw new InvalidJobHandlerException(origin,
					"its @Bean method does not say that it returns a %s, so the handler was not found in time."
						.formatted(method.getDeclaringClass().getSimpleName()),
					"Let the @Bean method declare the class as its return type.", null);
		}
		new BeanMethodInvoker(this.beanFactory, bean, method).check(origin);
	}

}
