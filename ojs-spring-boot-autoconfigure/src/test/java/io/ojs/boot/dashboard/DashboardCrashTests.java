package io.ojs.boot.dashboard;

import io.ojs.test.internal.browser.Browser;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker and a database that are killed with SIGKILL under an open page, and started
 * again.
 */
@Tag("broker")
@Tag("faults")
class DashboardCrashTests {

	@RegisterExtension
	static final Browser browser = new Browser();

	@Test
	void pageOutlivesBrokerAndDatabase() {
		browser.expectFailures();
		try (PrivateRabbitNode node = PrivateRabbitNode.create();
				PostgresServer server = PostgresServer.start();
				VirtualHost virtualHost = node.newVirtualHost();
				PostgresDatabase database = server.newDatabase();
				OperatedApplication application = OperatedApplication.on(virtualHost.uri(), database)
					.with(Shop.class)
					.property("spring.datasource.hikari.connection-timeout", 1_000)
					.start()) {
			Shop.fill(application);
			browser.logIn(application.uri(), "admin");
			node.kill();
			browser.load(application.uri(), "broker");
			browser.awaitText("main", "not connected");
			browser.press("g", "j");
			browser.awaitText("tbody", "mail.send");
			browser.run("window.marked = 1");
			server.kill();
			browser.press("r");
			browser.awaitText(".banner", "What you see is from");
			assertThat(browser.text("tbody")).contains("mail.send");
			server.restart();
			node.start();
			Browser.await("a page without a banner").until(() -> !browser.exists(".banner"));
			browser.press("g", "b");
			browser.awaitText(".page-note", "RabbitMQ");
			assertThat(browser.text("main")).doesNotContain("not connected");
			assertThat(browser.run("return window.marked ?? null")).isEqualTo(1L);
		}
	}

}
