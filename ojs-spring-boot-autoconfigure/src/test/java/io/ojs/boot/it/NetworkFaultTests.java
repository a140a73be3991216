package io.ojs.boot.it;

import java.time.Duration;

import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.fault.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The network breaks while jobs are enqueued and worked. No confirmed job is lost.
 */
@Tag("faults")
@Tag("AMQP-025")
@Tag("AMQP-026")
class NetworkFaultTests {

	private static final Duration OUTAGE = Duration.ofSeconds(FaultRun.FULL ? 20 : 4);

	private VirtualHost virtualHost;

	@BeforeEach
	void openVirtualHost() {
		this.virtualHost = RabbitBroker.shared().newVirtualHost();
	}

	@AfterEach
	void closeVirtualHost() {
		this.virtualHost.close();
	}

	@Test
	void resetsInAHurry() {
		try (FaultRun run = run("TCP resets").startSlowly()) {
			for (double part : new double[] { 0.1, 0.3, 0.5, 0.7, 0.8 }) {
				run.awaitConfirmed(part);
				run.proxy().reset();
			}
			run.finish();
		}
	}

	@Test
	void refusal() {
		try (FaultRun run = run("refused connections").start()) {
			run.awaitConfirmed(0.4);
			run.proxy().refuse();
			run.proxy().reset();
			pass(OUTAGE);
			assertThat(run.failuresOfProducers()).as("answers while nobody could connect").isPositive();
			run.proxy().accept();
			run.finish();
		}
	}

	/** Heartbeats find it out, on whichever side hears nothing. */
	@ParameterizedTest
	@EnumSource
	@Tag("GUIDE-6-4")
	void silence(Direction direction) {
		try (FaultRun run = run("silence " + direction).start()) {
			run.awaitConfirmed(0.4);
			int before = run.proxy().attempts().size();
			run.proxy().hang(direction);
			await("a new connection").atMost(Duration.ofSeconds(20))
				.until(() -> run.proxy().attempts().size() > before);
			if (FaultRun.FULL) {
				pass(OUTAGE);
			}
			run.proxy().resume();
			run.finish();
		}
	}

	private FaultRun run(String fault) {
		return new FaultRun(fault, RabbitBroker.shared(), this.virtualHost);
	}

	/** The outage itself takes time. */
	private static void pass(Duration time) {
		await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
	}

}
