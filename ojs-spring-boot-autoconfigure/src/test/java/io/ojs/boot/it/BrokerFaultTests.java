package io.ojs.boot.it;

import java.time.Duration;

import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The broker breaks while jobs are enqueued and worked. No confirmed job is lost.
 */
@Tag("faults")
@Tag("AMQP-025")
@Tag("AMQP-026")
class BrokerFaultTests {

	private static final String JOBS = "ojs.queue." + FaultRun.QUEUE;

	private static final Duration FREEZE = Duration.ofSeconds(FaultRun.FULL ? 20 : 4);

	private static PrivateRabbitNode node;

	private VirtualHost virtualHost;

	@BeforeAll
	static void startNode() {
		node = PrivateRabbitNode.create();
	}

	@AfterAll
	static void closeNode() {
		node.close();
	}

	@BeforeEach
	void openVirtualHost() {
		this.virtualHost = node.newVirtualHost();
	}

	@AfterEach
	void closeVirtualHost() {
		this.virtualHost.close();
	}

	@Test
	@Tag("broker-versions")
	void crash() {
		try (FaultRun run = run("broker killed and started again")) {
			if (FaultRun.TYPE.equals("quorum")) {
				for (String queue : new String[] { JOBS, "ojs.queue.retry.faults.250", "ojs.queue.dlx.faults" }) {
					node.awaitOnDisk(this.virtualHost, queue);
				}
			}
			run.start();
			run.awaitConfirmed(0.5);
			node.kill();
			node.start();
			run.finish();
		}
	}

	@Test
	void freeze() {
		try (FaultRun run = run("broker frozen").start()) {
			run.awaitConfirmed(0.5);
			node.pause();
			await().pollDelay(FREEZE).atMost(FREEZE.plusSeconds(5)).until(() -> true);
			node.resume();
			run.finish();
		}
	}

	@Test
	void closedConnections() {
		try (FaultRun run = run("connections closed by an operator").startSlowly()) {
			for (double part : new double[] { 0.1, 0.5 }) {
				run.awaitConfirmed(part);
				node.ctl("close_all_connections", "--vhost", this.virtualHost.name(), "maintenance");
			}
			run.finish();
		}
	}

	/** Publishers are held back; what is there already is worked on. */
	@Test
	void memoryAlarm() {
		try (FaultRun run = run("memory alarm").startSlowly()) {
			run.awaitConfirmed(0.1);
			node.ctl("set_vm_memory_high_watermark", "0.000001");
			try {
				await("producers hear of it").atMost(Duration.ofSeconds(20)).until(() -> run.failuresOfProducers() > 0);
				int confirmed = run.confirmed();
				await("nothing is confirmed").during(Duration.ofSeconds(2))
					.atMost(Duration.ofSeconds(20))
					.until(() -> run.confirmed() == confirmed);
			}
			finally {
				node.ctl("set_vm_memory_high_watermark", "0.6");
			}
			run.finish();
		}
	}

	/** What was in it is gone; what is enqueued from then on is not. */
	@Test
	@Tag("AMQP-027")
	void deletedQueue() throws Exception {
		try (FaultRun run = run("job queue deleted"); RawClient client = new RawClient(this.virtualHost.uri())) {
			int half = FaultRun.JOBS / 2;
			String consumers = consumers();
			run.ledger().hold();
			run.start(FaultRun.WARM_UP, FaultRun.WARM_UP + half);
			run.awaitProduced();
			client.channel().queueDelete(JOBS);
			run.writeOffWhatIsMissing();
			run.ledger().release();
			run.start(FaultRun.WARM_UP + half, FaultRun.WARM_UP + FaultRun.JOBS);
			run.finish();
			await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(consumers()).isEqualTo(consumers));
			assertThat(client.count(JOBS)).isZero();
		}
	}

	private String consumers() {
		return node.ctl("list_consumers", "-p", this.virtualHost.name(), "queue_name", "prefetch_count");
	}

	private FaultRun run(String fault) {
		return new FaultRun(fault, node, this.virtualHost);
	}

}
