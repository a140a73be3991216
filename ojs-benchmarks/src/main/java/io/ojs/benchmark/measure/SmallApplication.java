package io.ojs.benchmark.measure;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Payload;
import io.ojs.benchmark.contender.Site;
import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that works one type of job and has nothing to do, whatever may be
 * waiting.
 */
final class SmallApplication implements AutoCloseable {

	private static final int BATCH = 1_000;

	private static final String TYPE = "bench.later";

	private final ConfigurableApplicationContext context;

	private SmallApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/** Starts it, with a store if that is the contender. */
	static SmallApplication start(Task task) {
		Map<String, Object> properties = new LinkedHashMap<>();
		Site site = task.site();
		properties.put("spring.rabbitmq.addresses", site.brokerUri());
		properties.put("spring.threads.virtual.enabled", site.virtualThreads());
		properties.put("ojs.queues.bench.type", site.queueType());
		properties.put("spring.main.banner-mode", "off");
		properties.put("logging.level.root", "warn");
		if (task.contender() == Contenders.OJS_STORE) {
			properties.put("spring.datasource.url", site.databaseUrl());
			properties.put("spring.datasource.username", site.username());
			properties.put("spring.datasource.password", site.password());
			properties.put("ojs.store.initialize-schema", "always");
		}
		else {
			properties.put("spring.autoconfigure.exclude",
					"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
		}
		return new SmallApplication(new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(properties)
			.run());
	}

	/** Has jobs wait for their time. */
	void schedule(int jobs, Duration delay) {
		OjsOperations ojs = this.context.getBean(OjsOperations.class);
		String text = Payload.now().text();
		Instant at = Instant.now().plus(delay);
		List<JobRequest> batch = new ArrayList<>(BATCH);
		for (int i = 1; i <= jobs; i++) {
			batch.add(JobRequest.of(TYPE, i, text).queue(Site.QUEUE).scheduledAt(at));
			if (batch.size() == BATCH || i == jobs) {
				ojs.enqueueAll(batch);
				batch.clear();
			}
		}
	}

	/** Has crons wait for the first day of a month, at the earliest of next month. */
	void registerCrons(int crons) {
		CronJobs jobs = this.context.getBean(CronJobs.class);
		int month = LocalDate.now(ZoneOffset.UTC).plusMonths(2).getMonthValue();
		for (int i = 0; i < crons; i++) {
			jobs.register(CronRequest.of("bench-" + i, "0 3 1 %d *".formatted(month),
					JobRequest.of(TYPE, i).queue(Site.QUEUE)));
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Has a handler and nothing else. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Jobs jobs() {
			return new Jobs();
		}

	}

	/** Is not called during a measurement. */
	static class Jobs {

		@OjsJobHandler(value = TYPE, queue = Site.QUEUE)
		void run(int number) {
			// Its time does not come.
		}

	}

}
