package io.ojs.boot.version;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.run.RunningJobs;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsWorkerAutoConfiguration;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.process.ProcessList;
import io.ojs.internal.process.ThisProcess;
import io.ojs.internal.version.HandlerAnnouncer;
import io.ojs.internal.version.HandlerStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.store.internal.StoreClock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the announcement, in the job store, of the job versions that each
 * process works.
 */
@AutoConfiguration(after = OjsAmqpAutoConfiguration.class, before = OjsWorkerAutoConfiguration.class,
		afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = { "ojs.enabled", "ojs.worker.enabled" }, matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean({ StoreDatabase.class, TopologyDeclarer.class })
public final class OjsVersioningAutoConfiguration {

	@Bean(destroyMethod = "")
	HandlerAnnouncer ojsHandlerAnnouncer(HandlerStore store, ProcessList processes, ThisProcess process,
			JobHandlers handlers, ObjectProvider<JobWorker> worker, ObjectProvider<RunningJobs> running,
			@Qualifier(Clocks.STORE) StoreClock clock) {
		return new HandlerAnnouncer(store, processes, process, handlers,
				(queue) -> worker.stream().mapToInt((each) -> each.consumers(queue)).sum(),
				() -> running.stream().mapToInt(RunningJobs::size).sum(), clock);
	}

	@Bean
	BackgroundLifecycle ojsHandlerLifecycle(HandlerAnnouncer announcer) {
		return new BackgroundLifecycle(announcer::start, announcer::close, BackgroundLifecycle.STORE_PHASE + 1);
	}

}
