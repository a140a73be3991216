package io.ojs.boot.cron;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.boot.CronProperties;
import io.ojs.boot.CronProperties.CronJobProperties;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.internal.AnnotatedMethods;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.InvalidCronException;
import io.ojs.cron.OjsCron;
import io.ojs.cron.OverlapPolicy;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringUtils;

/**
 * Collects the crons that an application declares as properties, as beans, and by
 * {@link OjsCron} on methods. It does so when all beans exist, so that no class hides
 * behind the return type of its {@code @Bean} method, and before anything starts.
 */
final class CronDeclarations implements SmartInitializingSingleton {

	private static final String JOBS = "ojs.cron.jobs";

	private static final String ANNOTATION_FIX = "Change the @OjsCron annotation of that method, or the property that it names.";

	private final ConfigurableListableBeanFactory beanFactory;

	private final CronProperties properties;

	private final ObjectProvider<CronJobs> crons;

	private final JsonMapper json = JsonMapper.shared();

	/** The declared crons by their names. */
	private final Map<String, Declared> declared = new LinkedHashMap<>();

	CronDeclarations(ConfigurableListableBeanFactory beanFactory, CronProperties properties,
			ObjectProvider<CronJobs> crons) {
		this.beanFactory = beanFactory;
		this.properties = properties;
		this.crons = crons;
	}

	/** The declared crons; complete before the application starts its lifecycle beans. */
	List<CronRequest> requests() {
		return this.declared.values().stream().map(Declared::request).toList();
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.properties.enabled()) {
			return;
		}
		this.properties.jobs().forEach(this::configured);
		this.beanFactory.getBeansOfType(CronRequest.class)
			.forEach((name, request) -> add(new Declared(request, "bean '%s'".formatted(name),
					"Change the CronRequest that this bean is.", null)));
		AnnotatedMethods<OjsCron> methods = new AnnotatedMethods<>(this.beanFactory, OjsCron.class);
		for (String name : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			methods.of(name).forEach((method, annotation) -> annotated(name, method, annotation));
		}
	}

	private void configured(String name, CronJobProperties cron) {
		String key = JOBS + (name.contains(".") ? ".[%s]" : ".%s").formatted(name);
		String expression = required(key + ".expression", cron.expression(), "0 3 * * *");
		String type = required(key + ".type", cron.type(), "pictures.clean");
		JobRequest job = JobRequest.of(type, (cron.args() != null) ? cron.args().toArray() : new Object[0]);
		try {
			CronRequest request = CronRequest
				.of(name, expression,
						of(StringUtils.hasText(cron.queue()) ? job.queue(cron.queue()) : job, cron.tenant()))
				.zone(cron.zone())
				.overlap(OverlapPolicy.fromWire(cron.overlap()))
				.enabled(cron.enabled())
				.description(cron.description());
			add(new Declared(request, "the property " + key, "Change that property.", key));
		}
		catch (InvalidCronException ex) {
			throw new InvalidConfigurationException(key + ".overlap", cron.overlap(), ex.problem(),
					"Choose one of these.");
		}
	}

	private static JobRequest of(JobRequest job, @Nullable String tenant) {
		return StringUtils.hasText(tenant) ? job.meta(Tenants.META_KEY, tenant) : job;
	}

	private static String required(String key, @Nullable String value, String example) {
		if (value == null || value.isBlank()) {
			throw new InvalidConfigurationException(key, value, "a cron needs it",
					"Set it, such as to " + example + ".");
		}
		return value;
	}

	private void annotated(String bean, Method method, OjsCron annotation) {
		String origin = AnnotatedMethods.origin(bean, method);
		OjsJobHandler handler = AnnotatedElementUtils.findMergedAnnotation(method, OjsJobHandler.class);
		if (handler == null) {
			throw new InvalidCronDeclarationException(origin, "the method handles no jobs.",
					"Add @OjsJobHandler to that method, or declare the cron as a bean of type CronRequest.", null);
		}
		try {
			JobRequest job = JobRequest.of(resolve(handler.value()), args(resolve(annotation.args())));
			String queue = resolve(annotation.queue());
			String description = resolve(annotation.description());
			CronRequest request = CronRequest
				.of(resolve(annotation.name()), resolve(annotation.expression()),
						of(queue.isEmpty() ? job : job.queue(queue), resolve(annotation.tenant())))
				.zone(resolve(annotation.zone()))
				.overlap(annotation.overlap())
				.enabled(enabled(resolve(annotation.enabled())))
				.description(description.isEmpty() ? null : description);
			add(new Declared(request, origin, ANNOTATION_FIX, null));
		}
		catch (InvalidCronException | IllegalArgumentException ex) {
			throw new InvalidCronDeclarationException(origin, ex.getMessage(), ANNOTATION_FIX, ex);
		}
	}

	private String resolve(String text) {
		String resolved = this.beanFactory.resolveEmbeddedValue(text);
		return (resolved != null) ? resolved : "";
	}

	private @Nullable Object[] args(String text) {
		try {
			return text.isBlank() ? new Object[0] : this.json.readValue(text, Object[].class);
		}
		catch (RuntimeException ex) {
			// Jackson throws different exceptions for a text that is not a JSON array.
			throw new InvalidCronException("args", text, "must be a JSON array, such as [\"a\", 1]", ex);
		}
	}

	private static boolean enabled(String text) {
		if (!text.equals("true") && !text.equals("false")) {
			throw new InvalidCronException("enabled", text, "must be true or false");
		}
		return Boolean.parseBoolean(text);
	}

	private void add(Declared cron) {
		CronJobs known = this.crons.getIfAvailable();
		if (known == null) {
			throw new InvalidCronDeclarationException(cron.origin(), "crons need a job store, and there is none.",
					"Give the application a DataSource and spring-jdbc, such as by spring-boot-starter-jdbc, and leave "
							+ "ojs.store.enabled at true; or set ojs.cron.enabled=false if another application fires it.",
					null);
		}
		try {
			known.check(cron.request());
		}
		catch (InvalidCronException ex) {
			throw cron.refused(ex.field(), ex.getMessage(), ex.problem(), ex);
		}
		catch (InvalidJobException ex) {
			throw cron.refused(ex.field(), ex.getMessage(), ex.problem(), ex);
		}
		Declared other = this.declared.putIfAbsent(cron.request().name(), cron);
		if (other != null) {
			throw new InvalidCronDeclarationException(cron.origin(),
					"its name, %s, is that of the cron of %s.".formatted(cron.request().name(), other.origin()),
					"Give one of them another name.", null);
		}
	}

	/**
	 * A cron and the place where it is declared.
	 */
	private record Declared(CronRequest request, String origin, String fix, @Nullable String key) {

		private static final Map<String, String> KEYS = Map.of("timezone", "zone", "overlap_policy", "overlap");

		RuntimeException refused(String field, @Nullable String message, String problem, RuntimeException cause) {
			boolean property = Arrays.asList("expression", "timezone", "type", "args", "queue", "description")
				.contains(field);
			return (this.key != null && property)
					? new InvalidConfigurationException(this.key + "." + KEYS.getOrDefault(field, field), value(field),
							problem, this.fix)
					: new InvalidCronDeclarationException(this.origin, message, this.fix, cause);
		}

		private @Nullable Object value(String field) {
			return switch (field) {
				case "expression" -> this.request.expression();
				case "timezone" -> this.request.zone();
				case "type" -> this.request.job().type();
				case "queue" -> this.request.job().queue();
				case "args" -> this.request.job().args();
				default -> this.request.description();
			};
		}

	}

}
