package io.ojs.boot.queue;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.KnownQueues;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.queue.JdbcQueueDepths;
import io.ojs.jdbc.internal.queue.JdbcQueueFeed;
import io.ojs.jdbc.internal.queue.JdbcQueueJobs;
import io.ojs.jdbc.internal.queue.JdbcQueueStore;
import io.ojs.queue.QueueEventListener;
import io.ojs.queue.Queues;
import io.ojs.queue.internal.Producers;
import io.ojs.queue.internal.QueueDepths;
import io.ojs.queue.internal.lifecycle.AdmissionOptions;
import io.ojs.queue.internal.lifecycle.QueueAdmission;
import io.ojs.queue.internal.lifecycle.QueueEvents;
import io.ojs.queue.internal.lifecycle.QueueFeed;
import io.ojs.queue.internal.lifecycle.QueueJobs;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import io.ojs.queue.internal.lifecycle.QueueStore;
import io.ojs.queue.internal.lifecycle.StoreQueues;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.web.internal.endpoint.AdminEndpoints;
import io.ojs.web.internal.queue.QueueEndpoints;
import io.ojs.web.internal.queue.QueueLayerEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of queues that operators can manage while they are in use, for
 * applications with a job store.
 */
@AutoConfiguration(after = OjsAutoConfiguration.class, before = OjsAmqpAutoConfiguration.class,
		afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean(StoreDatabase.class)
public final class OjsQueuesAutoConfiguration {

	private final OjsProperties properties;

	private final Clock clock;

	OjsQueuesAutoConfiguration(OjsProperties properties, ObjectProvider<Clock> clock) {
		this.properties = properties;
		this.clock = Clocks.of(clock);
	}

	@Bean
	QueueEvents ojsQueueEvents(ObjectProvider<QueueEventListener> listeners, ApplicationEventPublisher publisher,
			QueueFeed feed) {
		List<QueueEventListener> all = new ArrayList<>(listeners.orderedStream().toList());
		all.add(publisher::publishEvent);
		return new QueueEvents(all, feed);
	}

	@Bean
	JdbcQueueFeed ojsQueueFeed(StoreDatabase database) {
		return new JdbcQueueFeed(database);
	}

	@Bean
	JdbcQueueStore ojsQueueStore(StoreDatabase database) {
		return new JdbcQueueStore(database);
	}

	@Bean
	JdbcQueueJobs ojsQueueJobs(StoreDatabase database) {
		return new JdbcQueueJobs(database);
	}

	@Bean
	JdbcQueueDepths ojsQueueDepths(StoreDatabase database) {
		return new JdbcQueueDepths(database);
	}

	@Bean
	QueueRegistry ojsQueueRegistry(QueueStore store, JobHandlers handlers) {
		return new QueueRegistry(store,
				QueueLayersFactory.of(this.properties, KnownQueues.of(this.properties, handlers)), this.clock);
	}

	@Bean
	StoreQueues ojsQueues(QueueStore store, QueueJobs jobs, QueueRegistry registry, QueueEvents events,
			JobEvents jobEvents, HandOver handOver) {
		return new StoreQueues(store, jobs, registry, events, jobEvents, handOver, this.clock);
	}

	@Bean
	QueuesLifecycle ojsQueuesLifecycle(QueueRegistry registry, StoreQueues queues) {
		return new QueuesLifecycle(registry, queues);
	}

	@Bean
	QueueAdmission ojsQueueAdmission(QueueRegistry registry, QueueDepths depths, QueueEvents events,
			StoreTransactions transactions, Producers producers) {
		return new QueueAdmission(registry, depths, events, new AdmissionOptions(this.properties.strictQueues(),
				producers, this.properties.publisher().blockTimeout()), transactions::afterCommit, this.clock);
	}

	/**
	 * Endpoints of queues and of what operators do to all of them.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	static class Http {

		@Bean
		QueueEndpoints ojsQueueEndpoints(Queues queues, AdminStore jobs) {
			return new QueueEndpoints(queues, jobs);
		}

		@Bean
		QueueLayerEndpoints ojsQueueLayerEndpoints(Queues queues, QueueRegistry registry) {
			return new QueueLayerEndpoints(queues, registry);
		}

		@Bean
		AdminEndpoints ojsAdminEndpoints(Queues queues, AdminStore jobs, ObjectProvider<RemoteWorkers> workers,
				ObjectProvider<Clock> clock) {
			return new AdminEndpoints(queues, jobs, () -> workers.stream().mapToInt((some) -> some.list().size()).sum(),
					Clocks.of(clock).instant());
		}

	}

}
