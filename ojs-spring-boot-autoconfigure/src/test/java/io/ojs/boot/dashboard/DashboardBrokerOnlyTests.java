package io.ojs.boot.dashboard;

import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.browser.Browser;
import io.ojs.test.internal.browser.Browser.Look;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Without a job store, the dashboard has what the broker and this process know, and
 * offers nothing else.
 */
@Tag("broker")
@TestInstance(Lifecycle.PER_CLASS)
class DashboardBrokerOnlyTests {

	/** Pages that need the job store. */
	private static final String NOT_OFFERED = "jobs|job|workflows|workflow|crons|operations|limits|tenants";

	@RegisterExtension
	final Browser browser = new Browser();

	private final VirtualHost virtualHost = RabbitBroker.shared().newVirtualHost();

	private OperatedApplication application;

	@BeforeAll
	void start() {
		this.application = OperatedApplication.onBroker(this.virtualHost.uri()).with(Handlers.class).start();
		this.application.ojs().enqueue("mail.send", "ann@example.org");
		this.application.ojs().enqueue("report.build", "year");
		for (int order : List.of(7, 8)) {
			this.application.ojs()
				.enqueue(JobRequest.of("invoice.create", order).retry((retry) -> retry.maxAttempts(1)));
		}
	}

	@BeforeEach
	void logIn() {
		this.browser.logIn(this.application.uri(), "admin");
	}

	@AfterAll
	void stop() {
		this.application.close();
		this.virtualHost.close();
	}

	@ParameterizedTest
	@CsvSource({ "./, Figures of process", "queues, reports", "queue?name=email, In retry queues",
			"dead-letters, billing", "workers, report.build", "broker, RabbitMQ" })
	void page(String page, String text) {
		this.browser.open(this.application.uri(), page);
		Browser.await("the text " + text).untilAsserted(() -> {
			this.browser.press("r");
			assertThat(this.browser.text("main")).contains(text);
		});
		assertThat(this.browser.exists(".notice")).isFalse();
		assertThat(this.browser.exists(".banner")).isFalse();
		assertThat(this.browser.hrefs("main a[href]"))
			.noneMatch((href) -> href.matches(".*/ojs/ui/(" + NOT_OFFERED + ")([?#].*)?"));
		assertThat(this.browser.names("main button"))
			.noneMatch((label) -> label.matches("(Pause|Resume|Drain|Configure|Purge).*"));
		for (Look look : Look.at(text)) {
			assertThat(this.browser.flaws(look)).as(look.name()).isEmpty();
		}
	}

	@Test
	void pagesThatNeedTheStoreAreNotOffered() {
		assertThat(this.browser.texts("#nav a")).map((label) -> label.replaceAll("\\d+$", ""))
			.containsExactly("Overview", "Queues", "Dead letters", "Workers", "Broker");
		this.browser.press("g", "j");
		assertThat(this.browser.location()).doesNotContain("jobs");
		this.browser.press("g", "q");
		this.browser.awaitText("main h1", "Queues");
		this.browser.press("j", "p");
		this.browser.press("?");
		this.browser.awaitText("dialog", "Everywhere");
		assertThat(this.browser.text("dialog")).doesNotContain("Pause", "Workflows");
		this.browser.press(Keys.ESCAPE);
		this.browser.press("/");
		this.browser.awaitElement("dialog.palette input");
		this.browser.press("01a21918-6214-7591-b4ea-ca1c0063d654");
		this.browser.awaitText("dialog.palette", "Nothing matches.");
	}

	@Test
	void pageThatNeedsTheStoreSaysSo() {
		this.browser.open(this.application.uri(), "jobs");
		this.browser.awaitText(".notice", "job store");
	}

	@Test
	void deadLettersAreCountedLookedAtAndReplayed() {
		this.browser.open(this.application.uri(), "dead-letters");
		awaitRow("billing2");
		assertThat(this.browser.text("main")).doesNotContain("invoice.create");
		this.browser.find("main p button").click();
		this.browser.awaitText("main", "invoice.create");
		assertThat(this.browser.texts("tbody tr"))
			.anyMatch((row) -> row.contains("IllegalStateException") && row.endsWith("2"));
		long before = loads("");
		Browser.await("more loads").until(() -> {
			this.browser.press("r");
			return loads("") >= before + 2;
		});
		assertThat(loads("?look=true")).as("looks, each of which moves messages").isEqualTo(1);
		assertThat(this.browser.text("main")).contains("IllegalStateException", "Look again");
		this.browser.open(this.application.uri(), "dead-letters");
		awaitRow("billing2");
		this.browser.find("tbody button").click();
		this.browser.awaitText("dialog", "Replay the dead letters of billing?");
		this.browser.find("dialog button.primary").click();
		this.browser.awaitText(".toasts", "2 dead letters are replayed");
		awaitRow("billing2"); // They fail again.
	}

	private long loads(String query) {
		return (Long) this.browser.run("return performance.getEntriesByType('resource')"
				+ ".filter(({name}) => name.includes('v1/dead-letter/stats' + arguments[0])).length", query);
	}

	private void awaitRow(String text) {
		Browser.await("a row " + text).untilAsserted(() -> {
			this.browser.press("r");
			assertThat(this.browser.texts("tbody tr")).anyMatch((row) -> row.replace(" ", "").startsWith(text));
		});
	}

	/**
	 * Handlers that succeed, fail and go on.
	 */
	static class Handlers {

		private final CountDownLatch closing = new CountDownLatch(1);

		@OjsJobHandler(value = "mail.send", queue = "email")
		void send(String to) {
		}

		@OjsJobHandler(value = "invoice.create", queue = "billing")
		void invoice(int order) {
			throw new IllegalStateException("no price for order " + order);
		}

		@OjsJobHandler(value = "report.build", queue = "reports")
		void build(String name, JobContext context) throws InterruptedException {
			this.closing.await();
		}

	}

}
