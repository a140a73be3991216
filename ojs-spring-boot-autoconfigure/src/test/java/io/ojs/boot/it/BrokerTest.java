package io.ojs.boot.it;

import java.time.Duration;

import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * A test with a virtual host of its own on a real broker, and a client to look into it.
 */
@Tag("broker")
abstract class BrokerTest {

	/** A command that looks into the broker can take seconds on a busy machine. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private VirtualHost virtualHost;

	private RawClient client;

	@BeforeEach
	void openVirtualHost() {
		Awaitility.setDefaultTimeout(PATIENCE);
		this.virtualHost = RabbitBroker.shared().newVirtualHost();
		this.client = new RawClient(this.virtualHost.uri());
	}

	@AfterEach
	void closeVirtualHost() {
		this.client.close();
		this.virtualHost.close();
	}

	final String uri() {
		return this.virtualHost.uri();
	}

	final VirtualHost ownVirtualHost() {
		return this.virtualHost;
	}

	final String virtualHost() {
		return this.virtualHost.name();
	}

	/** What the broker tells of the virtual host. */
	final BrokerView broker() {
		return new BrokerView(RabbitBroker.shared(), virtualHost());
	}

	final RawClient client() {
		return this.client;
	}

	final Application.Starter application(Class<?>... beans) {
		return Application.on(uri()).with(beans);
	}

}
