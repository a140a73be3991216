package io.ojs.benchmark.contender;

import java.util.ArrayList;
import java.util.List;
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

	private final OjsApplication application;

	private final ConfigurableApplicationContext producer;

	private final OjsOperations ojs;

	private @Nullable ConfigurableApplicationContext worker;

	OjsContender(Site site, OjsApplication application) {
		this.site = site;
		this.application = application;
		this.producer = start(ProducerApplication.class);
		this.ojs = this.producer.getBean(OjsOperations.class);
	}

	private ConfigurableApplicationContext start(Class<?> source) {
		return new SpringApplicationBuilder(source).web(WebApplicationType.NONE)
			.properties(this.application.properties(this.site))
			.run();
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
		if (this.application.store()) {
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
