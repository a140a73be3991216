package io.ojs.benchmark.contender;

import java.util.LinkedHashMap;
import java.util.Map;

/** The applications of this project that are measured, by what they are set to. */
enum OjsApplication {

	/** Without a job store. */
	BROKER(false, workers(Setting.CONSUMERS, Setting.PREFETCH)),

	/** With a job store. */
	STORE(true, workers(Setting.STORE_CONCURRENCY, Setting.STORE_PREFETCH)),

	/** As {@link #STORE}, and workers fetch jobs from the database, without messages. */
	STORE_DELIVERY(true, with(STORE.settings, "ojs.queue-defaults.delivery", Setting.STORE_DELIVERY)),

	/** Without a job store, and without a setting of its workers. */
	BROKER_DEFAULTS(false, Map.of()),

	/** With a job store, and without a setting of its workers. */
	STORE_DEFAULTS(true, Map.of());

	private final boolean store;

	private final Map<String, Object> settings;

	OjsApplication(boolean store, Map<String, Object> settings) {
		this.store = store;
		this.settings = settings;
	}

	private static Map<String, Object> workers(int concurrency, int prefetch) {
		return Map.of("ojs.queues.bench.concurrency", concurrency, "ojs.queues.bench.prefetch", prefetch);
	}

	private static Map<String, Object> with(Map<String, Object> settings, String name, Object value) {
		Map<String, Object> all = new LinkedHashMap<>(settings);
		all.put(name, value);
		return all;
	}

	/** Whether it has a job store. */
	boolean store() {
		return this.store;
	}

	/** The properties of Spring that it is started with. */
	Map<String, Object> properties(Site site) {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("spring.rabbitmq.addresses", site.brokerUri());
		properties.put("spring.threads.virtual.enabled", site.virtualThreads());
		properties.put("ojs.queues.bench.type", site.queueType());
		properties.putAll(this.settings);
		properties.put("spring.main.banner-mode", "off");
		properties.put("logging.level.root", "warn");
		if (this.store) {
			properties.put("spring.datasource.url", site.databaseUrl());
			properties.put("spring.datasource.username", site.username());
			properties.put("spring.datasource.password", site.password());
			properties.put("ojs.store.initialize-schema", "always");
		}
		else {
			properties.put("spring.autoconfigure.exclude",
					"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
		}
		return properties;
	}

}
