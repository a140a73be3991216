package io.ojs.boot.cron;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.ojs.boot.CronProperties;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.JobFactory;
import io.ojs.cron.CronEventListener;
import io.ojs.cron.CronJobs;
import io.ojs.cron.internal.CronCalendar;
import io.ojs.cron.internal.CronEvents;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronScheduler;
import io.ojs.cron.internal.CronSchedules;
import io.ojs.cron.internal.CronStore;
import io.ojs.cron.internal.StoreCronJobs;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.cron.JdbcCronStore;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.cron.CronEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of crons, for applications with a job store. An application that
 * declares crons and has no job store does not start.
 */
@AutoConfiguration(after = { OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class },
		afterName = { "io.ojs.boot.store.OjsStoreAutoConfiguration", "io.ojs.boot.queue.OjsQueuesAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
public final class OjsCronAutoConfiguration {

	private final OjsProperties properties;

	OjsCronAutoConfiguration(OjsProperties properties) {
		check(properties.cron());
		this.properties = properties;
	}

	private static void check(CronProperties cron) {
		PropertiesCheck.positive("ojs.cron.poll-interval", cron.pollInterval());
	}

	@Bean
	CronDeclarations ojsCronDeclarations(ConfigurableListableBeanFactory beanFactory, ObjectProvider<CronJobs> crons) {
		return new CronDeclarations(beanFactory, this.properties.cron(), crons);
	}

	/**
	 * Crons in the database of the job store.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(StoreDatabase.class)
	@ConditionalOnBean(StoreDatabase.class)
	static class Stored {

		private final Clock clock;

		/**
		 * Uses the application's clock, if it has one, or else the clock of the store.
		 */
		Stored(@Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore, ObjectProvider<Clock> clock) {
			this.clock = clock.getIfUnique(() -> Clocks.of(ofStore, clock));
		}

		@Bean
		JdbcCronStore ojsCronStore(StoreDatabase database) {
			return new JdbcCronStore(database);
		}

		@Bean
		CronSchedules ojsCronSchedules(ObjectProvider<CronCalendar.Parser> parser) {
			return new CronSchedules(parser.getIfAvailable(SpringCronParser::new));
		}

		@Bean
		CronEvents ojsCronEvents(ObjectProvider<CronEventListener> listeners, ApplicationEventPublisher publisher) {
			List<CronEventListener> all = new ArrayList<>(listeners.orderedStream().toList());
			all.add(publisher::publishEvent);
			return new CronEvents(all);
		}

		@Bean
		CronFiring ojsCronFiring(CronStore store, StoreTransactions transactions, OjsOperations ojs,
				CronSchedules schedules, CronEvents events, ObjectProvider<JobEncryption> encryption) {
			return new CronFiring(store, transactions, ojs, schedules, events,
					encryption.getIfAvailable(() -> JobEncryption.OFF), this.clock);
		}

		@Bean
		StoreCronJobs ojsCronJobs(CronStore store, StoreTransactions transactions, CronSchedules schedules,
				CronFiring firing, JobFactory jobs, JsonValues values) {
			return new StoreCronJobs(store, transactions, schedules, firing, jobs, values, this.clock);
		}

		@Bean(destroyMethod = "")
		@ConditionalOnBooleanProperty(name = "ojs.cron.enabled", matchIfMissing = true)
		CronScheduler ojsCronScheduler(CronStore store, CronFiring firing, StoreCronJobs crons,
				OjsProperties properties) {
			return new CronScheduler(store, firing, crons, this.clock, properties.cron().pollInterval());
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "ojs.cron.enabled", matchIfMissing = true)
		BackgroundLifecycle ojsCronLifecycle(CronScheduler scheduler, CronDeclarations declarations,
				Environment environment) {
			String application = environment.getProperty("spring.application.name", "application");
			return new BackgroundLifecycle(() -> scheduler.start(application, declarations.requests()),
					scheduler::close, BackgroundLifecycle.STORE_PHASE + 1);
		}

		/**
		 * Endpoints of crons, for applications with the HTTP API.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnHttpApi
		static class Http {

			@Bean
			CronEndpoints ojsCronEndpoints(CronJobs crons, JobFactory factory, JsonValues values, EnqueueRules rules) {
				return new CronEndpoints(crons, factory, values, rules);
			}

		}

	}

}
