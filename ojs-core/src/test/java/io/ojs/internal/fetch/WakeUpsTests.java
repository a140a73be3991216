package io.ojs.internal.fetch;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class WakeUpsTests {

	/** What other processes were told. */
	private final List<String> told = new CopyOnWriteArrayList<>();

	/** When they were. */
	private final List<Long> at = new CopyOnWriteArrayList<>();

	/** How often the worker of this process was woken. */
	private final AtomicInteger woken = new AtomicInteger();

	/** So many times the sender fails. */
	private final AtomicInteger failures = new AtomicInteger();

	/** The sender waits for it. */
	private volatile CountDownLatch open = new CountDownLatch(0);

	/** What happens while others are told. */
	private volatile Runnable meanwhile = () -> {
	};

	private volatile boolean free;

	private final BooleanSupplier worker = () -> {
		this.woken.incrementAndGet();
		return this.free;
	};

	private final WakeUps wakeUps = new WakeUps(this::send);

	private void send(String queue) {
		this.at.add(System.nanoTime());
		this.told.add(queue);
		this.meanwhile.run();
		try {
			this.open.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (this.failures.getAndDecrement() > 0) {
			throw new IllegalStateException("no broker");
		}
	}

	@BeforeEach
	void start() {
		this.wakeUps.start();
		this.wakeUps.add("mail", this.worker);
	}

	@AfterEach
	void stop() {
		this.open.countDown();
		this.wakeUps.close();
	}

	/** Has everything told that is to be told by now. */
	private void assertThatNothingElseIsTold(String... queues) {
		this.wakeUps.more("last");
		await().until(() -> this.told.contains("last"));
		assertThat(this.told).containsExactlyElementsOf(Stream.concat(Stream.of(queues), Stream.of("last")).toList());
	}

	@Test
	void othersAreNotToldIfAThreadOfThisProcessIsFree() {
		this.free = true;
		this.wakeUps.available("mail");
		assertThat(this.woken).hasValue(1);
		assertThatNothingElseIsTold();
	}

	@Test
	void othersAreToldIfAllThreadsOfThisProcessAreBusy() {
		this.wakeUps.available("mail");
		assertThat(this.woken).hasValue(1);
		await().until(() -> this.told.contains("mail"));
		assertThatNothingElseIsTold("mail");
	}

	@Test
	void othersAreToldOfQueuesThatThisProcessDoesNotWork() {
		this.free = true;
		this.wakeUps.available("other");
		await().until(() -> this.told.contains("other"));
		assertThat(this.woken).hasValue(0);
		assertThat(this.wakeUps.queues()).isEqualTo(Set.of("mail"));
	}

	@Test
	void othersAreToldOfWhatIsTooMuchForThisProcessWhichIsNotWokenForIt() {
		this.free = true;
		this.wakeUps.more("mail");
		await().until(() -> this.told.contains("mail"));
		assertThat(this.woken).hasValue(0);
	}

	@Test
	void whatOtherProcessesTellWakesTheWorkerAndIsNotToldAgain() {
		assertThat(this.wakeUps.wake("mail")).isFalse();
		this.free = true;
		assertThat(this.wakeUps.wake("mail")).isTrue();
		assertThat(this.wakeUps.wake("other")).isFalse();
		assertThat(this.woken).hasValue(2);
		assertThatNothingElseIsTold();
	}

	@Test
	void aWorkerThatWasRemovedIsNotWokenAndOneThatTookItsPlaceIs() {
		AtomicInteger next = new AtomicInteger();
		BooleanSupplier another = () -> next.incrementAndGet() > 0;
		this.wakeUps.add("mail", another);
		this.wakeUps.remove("mail", this.worker);
		this.wakeUps.available("mail");
		assertThat(next).hasValue(1);
		this.wakeUps.remove("mail", another);
		assertThat(this.wakeUps.wake("mail")).isFalse();
		assertThat(this.wakeUps.queues()).as("it may be paused").containsExactly("mail");
		assertThat(this.woken).hasValue(0);
	}

	@Test
	void manyJobsOfAQueueAreToldOnceWhileTheSenderIsBusyAndOnceAfterwards() {
		this.open = new CountDownLatch(1);
		this.wakeUps.available("mail");
		await().until(() -> this.told.contains("mail"));
		for (int i = 0; i < 1000; i++) {
			this.wakeUps.available("mail");
		}
		assertThat(this.told).containsExactly("mail");
		this.open.countDown();
		await().until(() -> this.told.size() > 1);
		assertThatNothingElseIsTold("mail", "mail");
	}

	@Test
	void aQueueIsToldAtMostOnceInAMillisecond() {
		this.meanwhile = () -> {
			if (this.told.size() < 20) {
				this.wakeUps.more("mail");
			}
		};
		this.wakeUps.more("mail");
		await().until(() -> this.told.size() == 20);
		assertThat(this.at.get(19) - this.at.get(0)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(19));
	}

	@Test
	void aQueueIsToldAtMostOnceInFiveMillisecondsIfThereAreMany() {
		// On the thread that tells, so that two come before the next one.
		this.meanwhile = () -> {
			if (this.told.size() < 5) {
				this.wakeUps.available("mail");
				this.wakeUps.available("mail");
			}
		};
		this.wakeUps.available("mail");
		await().until(() -> this.told.size() == 5);
		for (int i = 2; i < 5; i++) {
			assertThat(this.at.get(i) - this.at.get(i - 1)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

	@Test
	void whatBecomesAvailableLaterIsToldAgain() {
		this.wakeUps.available("mail");
		await().until(() -> this.told.size() == 1);
		this.wakeUps.available("mail");
		await().until(() -> this.told.size() == 2);
	}

	@Test
	void aSenderThatFailsIsAskedAgain() {
		this.failures.set(1);
		this.wakeUps.available("mail");
		await().until(() -> this.told.size() == 1);
		this.wakeUps.available("mail");
		await().until(() -> this.told.size() == 2);
	}

	@Test
	void nothingIsToldAfterTheEnd() {
		this.wakeUps.close();
		this.wakeUps.available("mail");
		assertThat(this.woken).as("the worker of this process is").hasValue(1);
		assertThat(this.told).isEmpty();
	}

	@Test
	void itStartsAgain() {
		this.wakeUps.close();
		this.wakeUps.start();
		this.wakeUps.available("mail");
		await().until(() -> this.told.contains("mail"));
	}

}
