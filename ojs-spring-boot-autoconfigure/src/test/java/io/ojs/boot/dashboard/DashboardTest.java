package io.ojs.boot.dashboard;

import java.util.List;

import io.ojs.boot.it.StoreDatabases;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.browser.Browser;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests in one browser, on one application that has jobs in all states.
 */
@Tag("broker")
@TestInstance(Lifecycle.PER_CLASS)
abstract class DashboardTest {

	@RegisterExtension
	final Browser browser = new Browser();

	private VirtualHost virtualHost;

	PostgresDatabase database;

	OperatedApplication application;

	Shop.Jobs jobs;

	@BeforeAll
	void startApplication() {
		this.virtualHost = RabbitBroker.shared().newVirtualHost();
		this.database = StoreDatabases.create();
		this.application = configure(
				OperatedApplication.on(this.virtualHost.uri(), this.database).with(beans().toArray(Class<?>[]::new)))
			.start();
		this.jobs = Shop.fill(this.application);
	}

	OperatedApplication.Starter configure(OperatedApplication.Starter starter) {
		return starter;
	}

	/** What the application does beside serving pages. */
	List<Class<?>> beans() {
		return List.of(Shop.class);
	}

	@AfterAll
	void stopApplication() {
		if (this.application != null) {
			this.application.close();
		}
		this.database.close();
		this.virtualHost.close();
	}

}
