package io.ojs.queue.internal.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a process knows stays up to date, whatever happens to the store meanwhile.
 */
class QueueReconcilerTests {

	private final QueueFixture fixture = new QueueFixture();

	private final QueueRegistry here = this.fixture.registry();

	private final StoreQueues elsewhere = this.fixture.queues(this.fixture.registry());

	private final Schedule schedule = new Schedule();

	private final QueueReconciler refresher = new QueueReconciler(this.here, this.fixture.queues(this.here),
			this.schedule, Duration.ofSeconds(1));

	@AfterEach
	void close() {
		this.schedule.shutdownNow();
	}

	@Test
	void whatOthersChangeIsKnownAtTheStartAndAfterEachInterval() {
		this.elsewhere.create("a", QueueConfig.NONE);
		this.elsewhere.pause("a");
		this.refresher.start();
		this.refresher.start();
		assertThat(this.here.get("a").state()).isEqualTo(QueueState.PAUSED);
		this.elsewhere.resume("a");
		assertThat(this.schedule.tasks).hasSize(1);
		this.schedule.pass();
		assertThat(this.here.get("a").state()).isEqualTo(QueueState.ACTIVE);
	}

	@Test
	void aStoreThatCannotBeAskedEndsNothing() {
		this.elsewhere.create("a", QueueConfig.NONE);
		this.fixture.broken = true;
		this.refresher.start();
		this.schedule.pass();
		assertThat(this.here.isKnown("a")).isFalse();
		this.fixture.broken = false;
		this.schedule.pass();
		assertThat(this.here.isKnown("a")).isTrue();
		this.fixture.broken = true;
		this.schedule.pass();
		assertThat(this.here.isKnown("a")).isTrue();
	}

	@Test
	void drainedQueuesAreDeleted() {
		this.elsewhere.create("a", QueueConfig.NONE);
		this.elsewhere.drain("a");
		this.refresher.start();
		this.fixture.clock.advance(StoreQueues.QUIET);
		this.schedule.pass();
		assertThat(this.here.get("a").state()).isEqualTo(QueueState.DELETED);
		assertThat(this.fixture.eventNames()).endsWith("queue.deleted");
	}

	@Test
	void itEnds() {
		this.refresher.start();
		assertThat(this.refresher.isRunning()).isTrue();
		this.refresher.stop();
		this.refresher.stop();
		assertThat(this.refresher.isRunning()).isFalse();
		assertThat(this.schedule.getQueue())
			.allSatisfy((task) -> assertThat(((ScheduledFuture<?>) task).isCancelled()).isTrue());
	}

	/**
	 * Lets time pass when it is told to.
	 */
	private static final class Schedule extends ScheduledThreadPoolExecutor {

		private final List<Runnable> tasks = new ArrayList<>();

		Schedule() {
			super(1);
		}

		@Override
		public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
			assertThat(unit.toMillis(delay)).isEqualTo(1000);
			this.tasks.add(task);
			return super.scheduleWithFixedDelay(task, 1, 1, TimeUnit.DAYS);
		}

		void pass() {
			this.tasks.forEach(Runnable::run);
		}

	}

}
