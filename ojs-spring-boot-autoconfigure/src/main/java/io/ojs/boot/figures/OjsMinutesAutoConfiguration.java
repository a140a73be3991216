package io.ojs.boot.figures;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.stats.MinuteRecorder;
import io.ojs.internal.stats.MinuteStore;
import io.ojs.store.StoreException;
import io.ojs.store.internal.PeriodicTask;
import io.ojs.store.internal.PeriodicTasks;
import io.ojs.store.internal.StoreClock;
import org.slf4j.Logger;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the numbers of jobs over time: each process counts its jobs in
 * memory and writes them once a minute.
 */
@AutoConfiguration(after = OjsFiguresAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBean(MinuteStore.class)
public final class OjsMinutesAutoConfiguration {

	private static final Logger logger = SafeLogger.of(OjsMinutesAutoConfiguration.class);

	private static final Duration FLUSH = Duration.ofMinutes(1);

	private static final Duration PRUNE = Duration.ofMinutes(10);

	private static final Duration KEPT_BY_A_PROCESS = Duration.ofDays(1);

	private static final int PRUNED_AT_ONCE = 1000;

	private static final int LONGEST_NAME = 100;

	private final Duration retention;

	private final ObjectProvider<StoreClock> ofStore;

	private final ObjectProvider<Clock> clock;

	OjsMinutesAutoConfiguration(OjsProperties properties, @Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore,
			ObjectProvider<Clock> clock) {
		Duration stored = properties.store().retainMinutes();
		this.retention = stored.isZero() ? KEPT_BY_A_PROCESS : stored;
		this.ofStore = ofStore;
		this.clock = clock;
	}

	@Bean
	MinuteRecorder ojsMinuteRecorder() {
		String name = ManagementFactory.getRuntimeMXBean().getName();
		String process = name.substring(0, Math.min(name.length(), LONGEST_NAME)) + "/"
				+ UUID.randomUUID().toString().substring(0, 8);
		return new MinuteRecorder(process, Clocks.of(this.ofStore, this.clock));
	}

	@Bean
	BackgroundLifecycle ojsMinutesLifecycle(MinuteRecorder recorder, ObjectProvider<MinuteStore> stores) {
		MinuteStore store = MinuteStores.best(stores);
		PeriodicTasks tasks = new PeriodicTasks(List.of(
				new PeriodicTask("The numbers of this process cannot be written", FLUSH, () -> recorder.flush(store)),
				new PeriodicTask("Old numbers of minutes cannot be deleted", PRUNE, () -> prune(store))));
		return new BackgroundLifecycle(tasks::start, () -> {
			tasks.close();
			try {
				recorder.end(store);
			}
			catch (StoreException ex) {
				logger.debug("The last numbers of this process are lost", ex);
			}
		}, BackgroundLifecycle.STORE_PHASE);
	}

	private void prune(MinuteStore store) {
		Instant now = Clocks.of(this.ofStore, this.clock).instant();
		while (store.prune(now.minus(this.retention), now.minus(MinuteStore.MINUTES_KEPT),
				PRUNED_AT_ONCE) >= PRUNED_AT_ONCE) {
			logger.trace("There are more old numbers of minutes");
		}
	}

}
