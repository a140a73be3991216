package io.ojs.boot.it;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.handler.OjsJobHandler;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

/**
 * The connection is gone when handlers end.
 */
class LostDeliveryTests extends BrokerTest {

	private static final int CONCURRENCY = 8;

	@Test
	@Tag("AMQP-025")
	void whatCannotBeAckedIsNoReasonToConnect() throws Exception {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = Application.on(proxy.uri(ownVirtualHost()))
					.with(Held.class)
					.property("ojs.queues.held.concurrency", CONCURRENCY)
					.property("ojs.reconnect.initial-interval", "60s")
					.start()) {
			for (int i = 0; i < CONCURRENCY; i++) {
				client().publishJob("held", "019461a8-1a2b-7c3d-8e4f-%012d".formatted(i), "held.run", "[]");
			}
			Held held = application.bean(Held.class);
			held.running.await();
			int opened = proxy.attempts().size();
			proxy.refuse();
			proxy.reset();
			await().until(() -> !application.bean(BrokerConnections.class).consuming().isUp());
			held.hold.countDown();
			await().during(Duration.ofSeconds(1)).until(() -> proxy.attempts().size() == opened);
			proxy.accept();
		}
	}

	static class Held {

		private final CountDownLatch running = new CountDownLatch(CONCURRENCY);

		private final CountDownLatch hold = new CountDownLatch(1);

		@OjsJobHandler(value = "held.run", queue = "held")
		void run() throws InterruptedException {
			this.running.countDown();
			this.hold.await();
		}

	}

}
