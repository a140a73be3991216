package io.ojs.benchmark.contender;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.OjsOperations;
import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * This project, as the starter brings it: one application that enqueues, and one that
 * works, with the settings that the page tells or none.
 */
final class OjsContender implements Contender {

	private final Site site;

	private final boolean store;

	private final boolean defaults;

	private final ConfigurableApplicationContext producer;

	private final OjsOperations ojs;

	private @Nullable ConfigurableApplicationContext worker;

	private OjsContender(Site site, boolean store, boolean defaults) {
		this.site = site;
		this.store = store;
		this.defaults = defaults;
		this.producer = start(ProducerApplication.class);
		this.ojs = this.producer.getBean(OjsOperations.class);
	}

	static OjsContender broker(Site site) {
		return new OjsContender(site, false, false);
	}

	static OjsContender store(Site site) {
		return new OjsContender(site, true, false);
	}

	static OjsContender brokerWithDefaults(Site site) {
		return new OjsContender(site, false, true);
	}

	static OjsContender storeWithDefaults(Site site) {
		return new OjsContender(site, true, true);
	}

	private ConfigurableApplicationContext start(Class<?> application) {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("spring.rabbitmq.addresses", this.site.brokerUri());
		properties.put("spring.threads.virtual.enabled", this.site.virtualThreads());
		properties.put("ojs.queues.bench.type", this.site.queueType());
		if (!this.defaults) {
			properties.put("ojs.queues.bench.concurrency", this.store ? Setting.STORE_CONCURRENCY : Setting.CONSUMERS);
			properties.put("ojs.queues.bench.prefetch", this.store ? Setting.STORE_PREFETCH : Setting.PREFETCH);
		}
		properties.put("spring.main.banner-mode", "off");
		properties.put("logging.level.root", "warn");
		if (this.store) {
			properties.put("spring.datasource.url", this.site.databaseUrl());
			properties.put("spring.datasource.username", this.site.username());
			properties.put("spring.datasource.password", this.site.password());
			properties.put("ojs.store.initialize-schema", "always");
		}
		else {
			properties.put("spring.autoconfigure.exclude",
					"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
		}
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE).properties(properties).run();
	}

	@Override
	public void enqueue(Payload job) {
		this.ojs.enqueue(OjsJobs.request(job));
	}

	@Override
	public void enqueueAll(List<Payload> jobs) {
		List<JobRequest> requests = new ArrayList<>(jobs.size());
		for (Payload job : jobs) {
			requests.add(OjsJobs.request(job));
		}
		this.ojs.enqueueAll(requests);
	}

	@Override
	public CompletableFuture<?> enqueueAsync(Payload job) {
		return this.ojs.enqueueAsync(OjsJobs.request(job));
	}

	@Override
	public void work(Handler handler) {
		BenchJobs.handler = handler;
		this.worker = start(WorkerApplication.class);
	}

	@Override
	public void settle() throws Exception {
		if (this.store) {
			JdbcTemplate database = this.producer.getBean(JdbcTemplate.class);
			Settled.await("no row is open",
					() -> Boolean.TRUE.equals(database
						.queryForObject("SELECT NOT EXISTS (SELECT FROM ojs_job WHERE state IN ('available', 'active', "
								+ "'retryable', 'scheduled', 'pending'))", Boolean.class)));
			return;
		}
		org.springframework.amqp.rabbit.core.RabbitTemplate template = this.producer
			.getBean(org.springframework.amqp.rabbit.core.RabbitTemplate.class);
		Settled.await("the queue is empty", () -> Boolean.TRUE
			.equals(template.execute((channel) -> channel.messageCount("ojs.queue." + Site.QUEUE) == 0)));
	}

	@Override
	public void close() {
		if (this.worker != null) {
			this.worker.close();
		}
		this.producer.close();
	}

}
